"""Looks at a root filesystem from inside a chroot and prints what it found.

Stdlib only, run as a script.

Usage: probe.py ROOTFS < JSON list of absolute paths

Prints JSON: `packages` ([name, version, architecture] each), `files` ([path, mode, sha256] each of the asked paths that
exist), `disk_bytes`, `entries`, and `devices` (device nodes, which an image must not have). The files belong to
whoever made the image, so nothing is followed out of it, blocked on or read without a bound.
"""

import hashlib
import json
import os
import stat
import sys

MAX_BYTES = 64 * 1024 * 1024


def read(path: str) -> "tuple[bytes, int]":
    """Return content and mode of an ordinary file; anything else counts as absent."""
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
    with os.fdopen(fd, "rb") as file:
        mode = os.fstat(fd).st_mode
        if not stat.S_ISREG(mode):
            raise FileNotFoundError(path)
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise ValueError(f"{path} is larger than {MAX_BYTES} bytes")
    return content, stat.S_IMODE(mode)


def packages() -> "list[list[str]]":
    """Return what dpkg lists as installed, by name."""
    found = []
    for stanza in read("/var/lib/dpkg/status")[0].decode(errors="replace").split("\n\n"):
        fields = dict(line.split(": ", 1) for line in stanza.splitlines() if ": " in line and not line.startswith(" "))
        if fields.get("Status") == "install ok installed":
            found.append([fields.get("Package", ""), fields.get("Version", ""), fields.get("Architecture", "")])
    return sorted(found)


def files(paths: "list[str]") -> "list[list[str]]":
    """Return path, mode and hash of each asked file that exists."""
    found = []
    for path in sorted(paths):
        try:
            content, mode = read(path)
        except (FileNotFoundError, NotADirectoryError):
            continue
        found.append([path, format(mode, "04o"), hashlib.sha256(content).hexdigest()])
    return found


def walk() -> "dict[str, object]":
    """Return disk use, the number of entries and the device nodes."""
    total = entries = 0
    linked = set()
    devices = []
    folders = ["/"]
    while folders:
        with os.scandir(folders.pop()) as listing:
            for entry in listing:
                about = entry.stat(follow_symlinks=False)
                entries += 1
                if stat.S_ISDIR(about.st_mode):
                    folders.append(entry.path)
                elif stat.S_ISCHR(about.st_mode) or stat.S_ISBLK(about.st_mode):
                    devices.append(entry.path)
                if about.st_nlink > 1 and not stat.S_ISDIR(about.st_mode):
                    if about.st_ino in linked:
                        continue
                    linked.add(about.st_ino)
                total += about.st_blocks * 512
    return {"disk_bytes": total, "entries": entries, "devices": sorted(devices)[:20]}


def main() -> None:
    """Enter the root filesystem and print what is there."""
    asked = json.load(sys.stdin)
    hashlib.sha256(b"")  # what it loads lazily must come from the host
    os.chroot(sys.argv[1])
    os.chdir("/")
    json.dump({"packages": packages(), "files": files(asked), **walk()}, sys.stdout)


if __name__ == "__main__":
    main()
