"""How busy this machine is: what waited for a processor, and the memory that is left."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from proctor.runner.capacity import available_gb

_GB = 2**30


@dataclass(frozen=True)
class Pressure:
    """How busy a machine was since it was last asked."""

    waited: float
    """Share of the time in which something that could have run waited for a processor, from 0 to 1."""
    free_gb: float
    """Memory that is free to use."""


class PressureGauge:
    """Reads what the kernel tells of waiting and memory.

    Where it tells nothing of waiting, the load says how much there must have been.
    """

    def __init__(
        self, root: Path = Path("/"), *, cores: int | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._root, self._clock = root, clock
        self._cores = cores or len(os.sched_getaffinity(0))
        self._last = clock(), self._waited_sec()

    def read(self) -> Pressure:
        """Return how busy the machine was since the last time; the first time, since the gauge was made."""
        now, waited_sec = self._clock(), self._waited_sec()
        since, before = self._last
        self._last = now, waited_sec
        if waited_sec is None or before is None:
            load = float((self._root / "proc/loadavg").read_text().split()[0])
            waited = max(0.0, 1 - self._cores / load) if load else 0.0
        else:
            waited = min(1.0, (waited_sec - before) / (now - since)) if now > since else 0.0
        return Pressure(waited=waited, free_gb=min(available_gb(self._root / "proc/meminfo"), self._free_in_group_gb()))

    def _waited_sec(self) -> float | None:
        try:
            text = (self._root / "proc/pressure/cpu").read_text()
        except OSError:
            return None
        some = next((line for line in text.splitlines() if line.startswith("some ")), "")
        total = dict(part.split("=") for part in some.split()[1:]).get("total")
        return int(total) / 1e6 if total else None

    def _free_in_group_gb(self) -> float:
        """Return what the control group of this process may still use: it can be less."""
        try:
            group = (self._root / "proc/self/cgroup").read_text().rpartition("::")[2].strip().lstrip("/")
        except OSError:
            return float("inf")
        free, folder, top = float("inf"), self._root / "sys/fs/cgroup" / group, self._root / "sys/fs/cgroup"
        while True:
            try:
                most, used = ((folder / f"memory.{name}").read_text().strip() for name in ("max", "current"))
                if most != "max":
                    free = min(free, (int(most) - int(used)) / _GB)
            except OSError:
                pass  # no limit is told here
            if folder == top or folder == folder.parent:
                return max(free, 0.0)
            folder = folder.parent
