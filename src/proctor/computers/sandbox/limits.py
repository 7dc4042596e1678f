"""Control groups for a sandbox, version 1 or 2, as far as this host lets us; says which limits hold."""

from __future__ import annotations

import contextlib
import os
import secrets
import threading
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
PREFIX = "proctor-"
DISCARD_SEC = 5.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """What a sandbox may use."""

    memory_mb: int = 4096
    processes: int = 1024
    disk_mb: int = 2048

    @property
    def memory_bytes(self) -> int:
        """Memory in bytes."""
        return self.memory_mb << 20


@dataclass(frozen=True, kw_only=True, slots=True)
class Groups:
    """The control groups made for one sandbox, and how each limit is held."""

    folders: tuple[str, ...]
    """Folders whose `cgroup.procs` the sandbox's processes join."""
    memory: str
    """`cgroup`, or `watched` when the sandbox's process 1 has to keep watch itself."""
    processes: str
    """`cgroup` or `rlimit`."""


def make(limits: Limits) -> Groups:
    """Make control groups for a new sandbox; what cannot be limited this way is named in the result."""
    sweep()
    name = f"{PREFIX}{os.getpid()}-{secrets.token_hex(4)}"
    return _version_2(name, limits) if (ROOT / "cgroup.controllers").exists() else _version_1(name, limits)


def discard(groups: Groups) -> None:
    """Remove the groups of a sandbox that has ended, where its supervisor did not: it never started or was killed."""
    deadline = time.monotonic() + DISCARD_SEC
    for folder in map(Path, groups.folders):
        while not _removed(folder) and time.monotonic() < deadline:
            # The last process is dead but not yet uncharged; nothing announces when it is.
            threading.Event().wait(0.01)


def _removed(folder: Path) -> bool:
    with contextlib.suppress(OSError):
        folder.rmdir()
    return not folder.exists()


def _version_1(name: str, limits: Limits) -> Groups:
    # Below our own group, so that whatever limits the harness limits its sandboxes too.
    own = _own_groups()
    folders: dict[str, str] = {}
    wanted = {
        "memory": {"memory.limit_in_bytes": limits.memory_bytes},
        "pids": {"pids.max": limits.processes},
    }
    for controller, settings in wanted.items():
        folder = ROOT / controller / own.get(controller, "/").lstrip("/") / name
        if _create(folder, settings):
            folders[controller] = str(folder)
    return _result(tuple(folders.values()), "memory" in folders, "pids" in folders)


def _version_2(name: str, limits: Limits) -> Groups:
    with contextlib.suppress(OSError):
        (ROOT / "cgroup.subtree_control").write_text("+memory +pids")
    folder = ROOT / name
    settings = {"memory.max": limits.memory_bytes, "memory.swap.max": 0, "pids.max": limits.processes}
    made = _create(folder, settings)
    return _result((str(folder),) if made else (), made, made)


def _result(folders: tuple[str, ...], memory: bool, processes: bool) -> Groups:
    return Groups(
        folders=folders,
        memory="cgroup" if memory else "watched",
        processes="cgroup" if processes else "rlimit",
    )


def _create(folder: Path, settings: dict[str, int]) -> bool:
    """Make a group with its settings, or nothing at all."""
    try:
        folder.mkdir()
    except OSError:
        return False
    for file, value in settings.items():
        try:
            (folder / file).write_text(str(value))
        except OSError:
            if file == "memory.swap.max":
                continue  # a kernel without swap accounting; the memory limit itself stands
            folder.rmdir()
            return False
    return True


def _own_groups() -> dict[str, str]:
    own: dict[str, str] = {}
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            own[controller] = path
    return own


def leftovers() -> list[Path]:
    """Return control groups whose harness is no longer alive."""
    own = _own_groups()
    places = {ROOT, *(ROOT / name / own.get(name, "/").lstrip("/") for name in ("memory", "pids"))}
    found = [folder for place in places if place.is_dir() for folder in place.glob(f"{PREFIX}*-*")]
    return sorted(folder for folder in found if not _alive(folder.name.removeprefix(PREFIX).partition("-")[0]))


def _alive(pid: str) -> bool:
    return pid.isdigit() and Path(f"/proc/{pid}").exists()


def sweep() -> None:
    """Remove what a killed supervisor could not."""
    for folder in leftovers():
        with contextlib.suppress(OSError):  # still ending, or another harness was faster
            folder.rmdir()
