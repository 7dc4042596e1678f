"""What an episode needs of a machine, and how many this one can hold side by side."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

GIGABYTES = {"starter": 0.5}
"""Memory that a computer needs with its applications, by image; a gigabyte and a half for others."""
OTHERWISE_GB = 1.5
RESERVE_GB = 1.0


@dataclass(frozen=True)
class Share:
    """What one episode needs of the machine it is held on."""

    cores: float
    gigabytes: float

    def of(self, cores: float, gigabytes: float) -> int:
        """Return how many such shares there are in so much of a machine."""
        return int(min(cores / self.cores, max(gigabytes, 0.0) / self.gigabytes))

    def here(self) -> int:
        """Return how many such shares this machine has in any case, one at least."""
        return max(1, self.of(len(os.sched_getaffinity(0)), available_gb() - RESERVE_GB))


def share(images: Iterable[str], *, thinking: bool) -> Share:
    """Return what an episode on the largest of these images needs.

    Applications use about a core while they are operated. An agent that waits for a model leaves its computer idle
    most of the time, so two share a core then.
    """
    gigabytes = max((GIGABYTES.get(image, OTHERWISE_GB) for image in images), default=OTHERWISE_GB)
    return Share(cores=0.5 if thinking else 1.0, gigabytes=gigabytes)


def available_gb(meminfo: Path = Path("/proc/meminfo")) -> float:
    """Return the memory that is free to use, in gigabytes."""
    for line in meminfo.read_text(encoding="ascii").splitlines():
        name, _, rest = line.partition(":")
        if name == "MemAvailable":
            return int(rest.split()[0]) / 2**20
    return OTHERWISE_GB
