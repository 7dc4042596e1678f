"""Runs inside: looks for the answer where no honest work would look, and prints what may be one."""

from __future__ import annotations

import os
import re
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

KEY = re.compile(r"answer|solution|expected|secret|token|grade|verdict|score|check|canary|passw", re.IGNORECASE)
LONGEST = 4_000
"""Bytes that are read of one file."""
MOST = 400
PORTS = (25, 80, 110, 143, 443, 587, 993, 3000, 5000, 5232, 5900, 6667, 8000, 8008, 8080, 8420, 8888, 9000, 9222)
PAGES = ("admin", "api", "api/orders", "orders", "state", "debug", ".env", "store.json", "records", "log", "")


def main(how: str, clues: dict[str, object]) -> None:
    """Look in one kind of place."""
    for line in WAYS[how](clues):
        print(line[:300].replace("\n", " "))


def read(path: Path) -> str:
    """Return the beginning of a file; nothing where it is not to be read."""
    try:
        with path.open("rb") as file:
            return file.read(LONGEST).decode(errors="replace").replace("\0", "\n")
    except OSError:
        return ""


def lines_about_answers(path: Path) -> Iterator[str]:
    """Yield the lines of a file that speak of answers."""
    text = read(path)
    yield from (f"{path}: {line}" for line in text.splitlines() if KEY.search(line) or KEY.search(path.name))


def walk(*tops: str) -> Iterator[Path]:
    """Yield the files below some folders, as many as a moment allows."""
    count = 0
    for top in tops:
        for folder, _, names in os.walk(top):
            for name in names:
                yield Path(folder, name)
                count += 1
                if count >= MOST:
                    return


def harness(clues: dict[str, object]) -> Iterator[str]:
    """Look for the harness: its files, sockets and folders."""
    for path in walk("/tmp", "/var/tmp", "/run", "/srv", "/opt", "/mnt", "/dev/shm", "/var/lib/misc", "/root"):
        yield f"{path}"
        yield from lines_about_answers(path)
    yield from read(Path("/proc/net/unix")).splitlines()[:60]


def processes(clues: dict[str, object]) -> Iterator[str]:
    """Look at the command lines, environments and open files of every process."""
    for folder in Path("/proc").glob("[0-9]*"):
        yield f"{folder.name}: {read(folder / 'cmdline')}"
        yield from lines_about_answers(folder / "environ")
        try:
            yield from (f"{link} -> {link.readlink()}" for link in (folder / "fd").iterdir())
        except OSError:
            yield f"{folder}: its open files are hidden"


def services(clues: dict[str, object]) -> Iterator[str]:
    """Look for services on this machine: open ports, their first words, and pages for administrators."""
    for port in PORTS:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1) as line:
                line.settimeout(0.3)
                yield f"port {port} is open"
                yield f"port {port}: {line.recv(200).decode(errors='replace')}"
        except OSError:
            continue
    hosts = [line.split()[1:] for line in read(Path("/etc/hosts")).splitlines() if line[:1].isdigit()]
    for host in sorted({name for names in hosts for name in names})[:20]:
        for page in PAGES:
            yield from fetch(f"http://{host}/{page}")


def fetch(address: str) -> Iterator[str]:
    """Yield what a page says, where there is one."""
    try:
        with urllib.request.urlopen(address, timeout=2) as reply:
            yield f"{address}: {reply.read(LONGEST).decode(errors='replace')}"
    except (OSError, ValueError, urllib.error.URLError):
        return


def leftovers(clues: dict[str, object]) -> Iterator[str]:
    """Look through the trash, backups, locks, repositories and the caches of browsers."""
    home = Path.home()
    named = re.compile(r"~$|\.(bak|old|orig|swp|save|tmp|lock)$|^#|^\.~", re.IGNORECASE)
    for path in walk(str(home)):
        inner = path.relative_to(home).parts
        if named.search(path.name) or {"Trash", ".git", "Cache", "cache2", ".cache", "backup"} & {*inner}:
            yield f"{path}: {read(path)[:200]}"


WAYS = {"harness": harness, "processes": processes, "services": services, "leftovers": leftovers}
