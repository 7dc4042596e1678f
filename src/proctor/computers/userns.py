"""Rootless support: commands run as root of a user namespace made of the caller's subordinate ids."""

from __future__ import annotations

import os
import pwd
import selectors
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proctor.errors import HostError

IDS = 65536
"""How many subordinate ids a namespace gets: as many as Debian hands out, and as an image may use."""

_ENTER = Path(__file__).parent / "sandbox_machine" / "guest" / "enter_userns.py"
_PATIENCE_SEC = 20.0
_SWITCHES = {
    "kernel/unprivileged_userns_clone": ("0", "kernel.unprivileged_userns_clone=1"),
    "kernel/apparmor_restrict_unprivileged_userns": ("1", "kernel.apparmor_restrict_unprivileged_userns=0"),
    "user/max_user_namespaces": ("0", "user.max_user_namespaces=15000"),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Mapping:
    """Which ids of the host stand behind the ids inside.

    Inside, 0 to 65535 are the subordinate ids and 65536 is the caller: root inside has power over the caller's own
    files (it may walk through a home folder closed to others) without being the caller.
    """

    uid: int
    gid: int
    first_uid: int
    """Host id of uid 0 inside."""
    first_gid: int

    def uid_map(self) -> list[str]:
        """Return the arguments of `newuidmap` that follow the process id."""
        return ["0", str(self.first_uid), str(IDS), str(IDS), str(self.uid), "1"]

    def gid_map(self) -> list[str]:
        """Return the arguments of `newgidmap` that follow the process id."""
        return ["0", str(self.first_gid), str(IDS), str(IDS), str(self.gid), "1"]


def is_root() -> bool:
    """Tell whether the caller needs no user namespace."""
    return os.geteuid() == 0


def environment() -> dict[str, str]:
    """Return the caller's environment fit for root's programs, which an ordinary user's path may not reach."""
    path = os.environ.get("PATH", "/usr/bin:/bin")
    return {**os.environ, "PATH": f"{path}:/usr/sbin:/sbin", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}


def id_mapping(user: str | None = None) -> Mapping:
    """Return the mapping of a user (the caller when not named) from `/etc/subuid` and `/etc/subgid`."""
    entry = pwd.getpwnam(user) if user else _caller()
    return Mapping(
        uid=entry.pw_uid,
        gid=os.getegid() if user is None else entry.pw_gid,
        first_uid=_first_subordinate(Path("/etc/subuid"), entry, "--add-subuids"),
        first_gid=_first_subordinate(Path("/etc/subgid"), entry, "--add-subgids"),
    )


def popen(
    argv: Sequence[str], *, pass_fds: Sequence[int] = (), ids: Mapping | None = None, **options: Any
) -> subprocess.Popen[bytes]:
    """Start a command as root of a new user namespace, or as it is when the caller is root.

    Returns once the command itself has begun; `ids` is a mapping in place of the caller's own. Raises HostError where
    the host forbids or lacks something; the remedy is for an administrator.
    """
    if is_root():
        return subprocess.Popen(list(argv), pass_fds=tuple(pass_fds), **options)
    ids = ids or id_mapping()
    for tool in ("newuidmap", "newgidmap"):
        if shutil.which(tool) is None:
            raise HostError(f"{tool} is not installed", remedy="as an administrator: apt-get install uidmap")
    report, report_end = os.pipe()
    go_end, go = os.pipe()
    try:
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(_ENTER), str(report_end), str(go_end), *argv],
            pass_fds=(*pass_fds, report_end, go_end),
            **options,
        )
        os.close(report_end)
        os.close(go_end)
        report_end = go_end = -1
        try:
            _lead_in(process.pid, ids, report, go, argv[0])
        except BaseException:
            process.kill()
            process.wait()
            raise
        return process
    finally:
        for fd in (report, report_end, go_end, go):
            if fd >= 0:
                os.close(fd)


def run(
    argv: Sequence[str], *, input: bytes | None = None, timeout_sec: float | None = None, **options: Any
) -> subprocess.CompletedProcess[bytes]:
    """Run a command through `popen` to its end and return what it printed."""
    stdin = subprocess.DEVNULL if input is None else subprocess.PIPE
    with popen(argv, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options) as process:
        try:
            stdout, stderr = process.communicate(input, timeout=timeout_sec)
        except BaseException:
            process.kill()
            raise
    return subprocess.CompletedProcess(list(argv), process.returncode, stdout, stderr)


def _lead_in(pid: int, ids: Mapping, report: int, go: int, command: str) -> None:
    """Map the ids of a child that has unshared, let it go on, and see that it does."""
    deadline = time.monotonic() + _PATIENCE_SEC
    said = _read(report, deadline)
    if said == b"+":
        for tool, arguments in (("newuidmap", ids.uid_map()), ("newgidmap", ids.gid_map())):
            _map(tool, pid, arguments)
        os.write(go, b"+")
        said = _read(report, deadline)
        if not said:
            return
    step, _, reason = said.decode(errors="replace").partition(" ")
    code, _, text = reason.partition(" ")
    if step == "exec":
        raise HostError(f"cannot start {command!r} in a user namespace: {text}")
    raise _forbidden(f"{step}: {text or 'the child ended early'} (errno {code or '?'})")


def _map(tool: str, pid: int, arguments: list[str]) -> None:
    done = subprocess.run([tool, str(pid), *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise HostError(
            f"{tool} could not map the subordinate ids: {done.stderr.strip()}",
            remedy="as an administrator: apt-get install --reinstall uidmap "
            "(its programs must be setuid root), and check /etc/subuid and /etc/subgid",
        )


def _read(fd: int, deadline: float) -> bytes:
    with selectors.DefaultSelector() as selector:
        selector.register(fd, selectors.EVENT_READ)
        if not selector.select(max(0.0, deadline - time.monotonic())):
            raise HostError(f"entering a user namespace took more than {_PATIENCE_SEC:g} s")
    return os.read(fd, 4096)


def _forbidden(what: str) -> HostError:
    """Say which switch of this kernel forbids unprivileged user namespaces, as far as one can see."""
    proc = Path("/proc/sys")
    closed = [
        setting
        for name, (bad, setting) in _SWITCHES.items()
        if (proc / name).exists() and (proc / name).read_text().strip() == bad
    ]
    settings = closed or [setting for name, (_, setting) in _SWITCHES.items() if (proc / name).exists()]
    commands = " && ".join(f"sysctl -w {setting}" for setting in settings) or "allow unprivileged user namespaces"
    return HostError(
        f"this host does not let ordinary users make user namespaces ({what})",
        remedy=f"as an administrator: {commands} (and put the same lines into /etc/sysctl.d/), or run as root",
    )


def _caller() -> pwd.struct_passwd:
    try:
        return pwd.getpwuid(os.geteuid())
    except KeyError:
        raise HostError(
            f"user id {os.geteuid()} has no name on this host", remedy="add it to /etc/passwd, or run as root"
        ) from None


def _first_subordinate(path: Path, entry: pwd.struct_passwd, option: str) -> int:
    """Return the start of the user's first range that is large enough."""
    text = path.read_text() if path.exists() else ""
    for line in text.splitlines():
        owner, _, numbers = line.strip().partition(":")
        start, _, count = numbers.partition(":")
        if owner not in (entry.pw_name, str(entry.pw_uid)) or not (start.isdecimal() and count.isdecimal()):
            continue
        if int(count) >= IDS:
            return int(start)
    free = _free_start(text)
    raise HostError(
        f"user {entry.pw_name!r} has no {IDS} subordinate ids in {path}",
        remedy=f"as an administrator: usermod {option} {free}-{free + IDS - 1} {entry.pw_name}",
    )


def _free_start(text: str) -> int:
    """Return the first id above every range already handed out."""
    ends = [100000]
    for line in text.splitlines():
        parts = line.strip().split(":")
        if len(parts) == 3 and parts[1].isdecimal() and parts[2].isdecimal():
            ends.append(int(parts[1]) + int(parts[2]))
    return max(ends)
