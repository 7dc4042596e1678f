"""The figures of virtual machines: start, snapshot, restore and fork of memory and disk."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from proctor.bench.measure import Figure, Laps
from proctor.computers.backends.qemu import host
from proctor.computers.backends.qemu.computer import QemuComputer
from proctor.computers.backends.qemu.shelf import DiskShelf, describe

DISK_BYTES = 20 << 30
"""Size of the disk that is made when none is given; nothing of it is written."""
SETTLE_SEC = 300.0


def measure(*, disk: str, repeats: int, say: Callable[[str], None]) -> list[Figure]:
    """Measure with a disk of the user's once its screen is still, or with firmware alone."""
    with tempfile.TemporaryDirectory(prefix="pb-") as folder:
        given = disk or _blank(Path(folder))
        options: dict[str, Any] = {"disk": given, "pace": "realtime"}
        say("starting")
        starts = Laps()
        for _ in range(repeats):
            with starts.lap(), QemuComputer(**options) as computer:
                pass
        with QemuComputer(**options) as computer:
            say("waiting for a still screen")
            computer.settling = "careful"
            computer.settle(timeout_sec=SETTLE_SEC)
            what = f"{'a guest' if disk else 'firmware alone'}, {computer.facts()['accel']}, 2 GB"
            return [
                _figure("qemu_start_ms", f"start to a screen, {what}", starts, None, repeats),
                *_snapshots(computer, what, repeats, say),
                _disks(given, repeats, say),
            ]


def _blank(folder: Path) -> str:
    path = str(folder / "blank.qcow2")
    argv = [host.program("qemu-img", "qemu-utils"), "create", "-q", "-f", "qcow2", path, str(DISK_BYTES)]
    subprocess.run(argv, check=True, capture_output=True)
    return path


def _snapshots(computer: QemuComputer, what: str, repeats: int, say: Callable[[str], None]) -> list[Figure]:
    keeping, going_back, forking = Laps(), Laps(), Laps()
    kept_bytes = 0
    for turn in range(repeats):
        say(f"snapshots, {turn + 1} of {repeats}")
        with keeping.lap():
            kept = computer.snapshot()
        kept_bytes = kept.path.stat().st_size
        with going_back.lap():
            computer.restore(kept)
            computer.screenshot()
        with forking.lap():
            twin = computer.fork()
        twin.close()
    size = f"{kept_bytes / 1e6:.0f} MB kept"
    return [
        _figure("qemu_snapshot_ms", f"snapshot with memory, {what}, {size}", keeping, None, repeats),
        _figure("qemu_restore_ms", f"restore of a memory snapshot, to a picture, {what}", going_back, 2000, repeats),
        _figure("qemu_fork_ms", f"fork of a running machine, {what}", forking, None, repeats),
    ]


def _disks(disk: str, repeats: int, say: Callable[[str], None]) -> Figure:
    say("forks of a disk")
    watch, shelf = Laps(), DiskShelf()
    try:
        below = shelf.layer(disk, str(describe(disk, "auto")["format"]))
        for _ in range(repeats):
            with watch.lap():
                shelf.layer(below, "qcow2")
    finally:
        shelf.let_go()
    return _figure("qemu_fork_disk_ms", "fork of a disk", watch, 200, repeats)


def _figure(key: str, what: str, watch: Laps, goal: float | None, repeats: int) -> Figure:
    return Figure(key=key, what=what, value=watch.median, goal=goal, note=f"median of {repeats}")
