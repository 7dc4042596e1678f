"""Control groups for a sandbox, version 1 or 2, as far as this host lets us.

Says which limits hold.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from proctor.computers.sandbox_machine import delegation
from proctor.pause import pause

ROOT = Path("/sys/fs/cgroup")
PREFIX = "proctor-"
DISCARD_SEC = 5.0
PERIOD_US = 100_000
CPU_WEIGHT, IO_WEIGHT = 400, 100
"""What a sandbox gets of processors and disks when all want them, against 100 of each program outside, whatever runs
inside: the harness must be able to go on watching."""
CONTROLLERS = ("memory", "pids", "cpu", "blkio", "cpuacct")


@dataclass(frozen=True, kw_only=True, slots=True)
class SandboxLimits:
    """What a sandbox may use."""

    memory_mb: int = 4096
    processes: int = 1024
    disk_mb: int = 2048
    cpus: float = 0.0
    """Processors' worth of time; 0 for as much as the host has to spare."""

    @property
    def memory_bytes(self) -> int:
        """Memory in bytes."""
        return self.memory_mb << 20

    @property
    def cpu_quota_us(self) -> int:
        """Microseconds of processor time in each period."""
        return round(self.cpus * PERIOD_US)


@dataclass(frozen=True, kw_only=True, slots=True)
class Groups:
    """The control groups made for one sandbox, and how each limit is held."""

    folders: tuple[str, ...]
    """Folders whose `cgroup.procs` the sandbox's processes join."""
    memory: str
    """`cgroup`, or `watched` when the sandbox's process 1 has to keep watch itself."""
    processes: str
    """`cgroup` or `rlimit`."""
    cpus: str
    """`cgroup`, or `nothing`: then programs inside compete with those of the host as equals."""
    io: str
    """`cgroup` or `nothing`, as for processors."""

    def holders(self) -> dict[str, str]:
        """Return who holds each limit, as a record says it."""
        return {f"{name}_held_by": getattr(self, name) for name in ("memory", "processes", "cpus", "io")}


def make(limits: SandboxLimits) -> Groups:
    """Make control groups for a new sandbox; what cannot be limited this way is named in the result."""
    sweep()
    name = f"{PREFIX}{os.getpid()}-{secrets.token_hex(4)}"
    return _version_2(name, limits) if (ROOT / "cgroup.controllers").exists() else _version_1(name, limits)


def discard(groups: Groups) -> None:
    """Remove the groups of a sandbox that has ended, where its supervisor did not.

    It never started or was killed.
    """
    deadline = time.monotonic() + DISCARD_SEC
    for folder in map(Path, groups.folders):
        while not _remove(folder) and time.monotonic() < deadline:
            # The last process is dead but not yet uncharged; nothing announces when it is.
            pause(0.01)


def _remove(folder: Path) -> bool:
    with contextlib.suppress(OSError):
        folder.rmdir()
    return not folder.exists()


def _version_1(name: str, limits: SandboxLimits) -> Groups:
    # Below our own group, so that whatever limits the harness limits its sandboxes too.
    own = _own_groups()
    folders: dict[str, str] = {}
    quota = {"cpu.cfs_period_us": PERIOD_US, "cpu.cfs_quota_us": limits.cpu_quota_us} if limits.cpus else {}
    wanted = {
        "memory": {"memory.limit_in_bytes": limits.memory_bytes},
        "pids": {"pids.max": limits.processes},
        "cpu": {"cpu.shares": 1024 * CPU_WEIGHT // 100, **quota},
        "blkio": {"blkio.bfq.weight": IO_WEIGHT},
        "cpuacct": {},  # bounds nothing: it counts
    }
    for controller, settings in wanted.items():
        folder = ROOT / controller / own.get(controller, "/").lstrip("/") / name
        # Several controllers may be one hierarchy under two names, such as `cpu` and `cpuacct`.
        if _create(folder, settings):
            folders[controller] = str(folder)
    return _result(tuple(folders.values()), folders.keys())


def _version_2(name: str, limits: SandboxLimits) -> Groups:
    delegation.enable(ROOT)
    folder = ROOT / name
    needed = {"memory.max": limits.memory_bytes, "memory.swap.max": 0, "pids.max": limits.processes}
    if not _create(folder, needed):
        ours = delegation.find(ROOT, _own_groups().get("", "/"))
        if ours is None or not _create(folder := ours / name, needed):
            return _result((), ())
    held = {"memory", "pids"}
    quota = {"cpu.max": f"{limits.cpu_quota_us} {PERIOD_US}"} if limits.cpus else {}
    if _set(folder, {"cpu.weight": CPU_WEIGHT, **quota}):
        held.add("cpu")
    if _set(folder, {"io.weight": IO_WEIGHT}):
        held.add("blkio")
    return _result((str(folder),), held)


def _result(folders: tuple[str, ...], held: Collection[str]) -> Groups:
    return Groups(
        folders=folders,
        memory="cgroup" if "memory" in held else "watched",
        processes="cgroup" if "pids" in held else "rlimit",
        cpus="cgroup" if "cpu" in held else "nothing",
        io="cgroup" if "blkio" in held else "nothing",
    )


def _create(folder: Path, settings: Mapping[str, int | str]) -> bool:
    """Make a group with its settings, or nothing at all."""
    try:
        folder.mkdir()
    except OSError:
        return False
    if not _set(folder, settings):
        folder.rmdir()
        return False
    return True


def _set(folder: Path, settings: Mapping[str, int | str]) -> bool:
    """Make settings of a group; tell whether all of them took."""
    for file, value in settings.items():
        try:
            (folder / file).write_text(str(value))
        except OSError:
            if file != "memory.swap.max":  # a kernel without swap accounting; the memory limit itself stands
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
    places = {ROOT, *(ROOT / name / own.get(name, "/").lstrip("/") for name in CONTROLLERS)}
    here = ROOT / own.get("", "/").lstrip("/")
    places |= {folder for folder in (here, *here.parents) if folder.is_relative_to(ROOT)}
    found = [folder for place in places if place.is_dir() for folder in place.glob(f"{PREFIX}*-*")]
    return sorted(folder for folder in found if not _alive(folder.name.removeprefix(PREFIX).partition("-")[0]))


def _alive(pid: str) -> bool:
    return pid.isdigit() and Path(f"/proc/{pid}").exists()


def sweep() -> None:
    """Remove what a killed supervisor could not."""
    for folder in leftovers():
        with contextlib.suppress(OSError):  # still ending, or another harness was faster
            folder.rmdir()
