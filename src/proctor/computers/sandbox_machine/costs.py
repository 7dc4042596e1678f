"""What a sandbox has taken of its machine so far, as its control groups count it."""

from __future__ import annotations

import contextlib
from pathlib import Path

from proctor.computers.sandbox_machine.limits import Groups
from proctor.computers.values import MachineCosts

PEAKS = ("memory.peak", "memory.max_usage_in_bytes")


def costs(groups: Groups) -> MachineCosts:
    """Return what the programs of a sandbox have used since it started."""
    return MachineCosts(processor_seconds=processor_seconds(groups), memory_bytes=_most_memory(groups))


def processor_seconds(groups: Groups) -> float | None:
    """Return the processor time they have used; None where nobody counts it."""
    for folder in map(Path, groups.folders):
        with contextlib.suppress(OSError, ValueError):
            return int((folder / "cpuacct.usage").read_text()) / 1e9
        with contextlib.suppress(OSError, ValueError):
            fields = dict(line.split() for line in (folder / "cpu.stat").read_text().splitlines())
            if "usage_usec" in fields:
                return int(fields["usage_usec"]) / 1e6
    return None


def crowding_seconds(groups: Groups) -> float | None:
    """Return the processor time that may have come at the cost of others; none where its share is held."""
    return 0.0 if groups.cpus == "cgroup" else processor_seconds(groups)


def _most_memory(groups: Groups) -> int | None:
    for folder in map(Path, groups.folders):
        for name in PEAKS:
            with contextlib.suppress(OSError, ValueError):
                return int((folder / name).read_text())
    return None
