"""Is the host well? When this process stood still, and what memory and disk are left."""

from __future__ import annotations

import contextlib
import os
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self

BEAT_SEC = 0.5
STALL_SEC = 1.0
"""A beat that comes so much too late is a stall."""
MEMORY_SEC = 60.0
"""How long a stall may explain that something did not answer."""
EXPLAINS = 0.25
"""Part of an overrun that stalls must make up."""
LEAST_MEMORY = 64 << 20
"""A host with less memory than this is out of it; or with less than a hundredth of what it has."""
LEAST_DISK = 16 << 20
OWN_SHARE = 0.25
"""Part of the processors' time that makes a computer's own programs the ones who crowd everybody out."""

StallKind = Literal["suspended", "stopped", "starved", "crowded", "busy"]
"""`suspended`: the machine slept; `stopped`: this process did not run and did not wait for a processor; `starved`: it
waited for one that others had; `crowded`: programs of the computer itself had it; `busy`: this process was at work."""
NOT_OURS: frozenset[StallKind] = frozenset({"suspended", "stopped", "starved"})
"""Stalls that nothing inside the computer can bring about."""


class LoadReading(NamedTuple):
    """What the clocks say at one instant, in seconds."""

    monotonic: float
    """Stands still while the machine is suspended."""
    boottime: float
    """Goes on meanwhile."""
    worked: float
    """Processor time of this process."""
    waited: float
    """How long the asking thread has waited for a processor."""


def read_clocks() -> LoadReading:
    """Read the clocks of this machine and process."""
    waited = 0.0
    # Not every kernel keeps these figures.
    with contextlib.suppress(OSError, ValueError, IndexError):
        waited = int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9
    return LoadReading(time.monotonic(), time.clock_gettime(time.CLOCK_BOOTTIME), time.process_time(), waited)


@dataclass(frozen=True)
class Stall:
    """A stretch in which the heartbeat did not come."""

    ended: float
    """On the monotonic clock."""
    seconds: float
    kind: StallKind


class Wellness:
    """Watches over the host of a computer; as a context manager, from a thread of its own.

    The disks of `place` and of temporary files matter. `gauge` returns the processor seconds of the computer's own
    programs: without it, waiting proves nothing, as they may be what it waited for. `clocks` is read at each beat.
    """

    def __init__(
        self,
        place: Path | None = None,
        *,
        gauge: Callable[[], float | None] | None = None,
        clocks: Callable[[], LoadReading] = read_clocks,
    ) -> None:
        self.gauge = gauge
        # Named by what they are for: a record may go to people whom the paths of this host do not concern.
        self._places = {"temporary files": Path(tempfile.gettempdir())} | ({"the record": place} if place else {})
        self._clocks = clocks
        self._stalls: deque[Stall] = deque(maxlen=100)
        self._last: LoadReading | None = None
        self._used: float | None = None
        self._over = threading.Event()
        self._beaten = threading.Condition()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._live, name="proctor-wellness", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_ended: object) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join()

    def _live(self) -> None:
        self.beat()
        while not self._over.wait(BEAT_SEC):
            self.beat()

    def beat(self) -> None:
        """Compare the clocks with how they stood at the last beat, and keep what stands out."""
        now, used = self._clocks(), self._own_use()
        with self._beaten:
            if self._last is not None:
                self._compare(self._last, now, self._used, used)
            self._last, self._used = now, used
            self._beaten.notify_all()

    def _compare(self, before: LoadReading, now: LoadReading, used_before: float | None, used: float | None) -> None:
        slept = (now.boottime - before.boottime) - (now.monotonic - before.monotonic)
        if slept >= STALL_SEC:
            self._stalls.append(Stall(now.monotonic, slept, "suspended"))
        gap = now.monotonic - before.monotonic
        late = gap - BEAT_SEC
        if late < STALL_SEC:
            return
        kind: StallKind = "stopped"
        if now.worked - before.worked >= late / 2:
            kind = "busy"
        elif now.waited - before.waited >= late / 2:
            own = None if used is None or used_before is None else used - used_before
            kind = "starved" if own is not None and own < OWN_SHARE * gap * (os.cpu_count() or 1) else "crowded"
        self._stalls.append(Stall(now.monotonic, late, kind))

    def _own_use(self) -> float | None:
        with contextlib.suppress(OSError, ValueError):  # the computer is gone, and its figures with it
            return self.gauge() if self.gauge else None
        return None

    def recent(self) -> list[Stall]:
        """Return the stalls that may explain why something does not answer now."""
        now = self._clocks().monotonic
        with self._beaten:
            if self._thread is not None:
                # Whoever asks may have been woken from a stall before the heart was.
                self._beaten.wait_for(lambda: self._last and now - self._last.monotonic < 2 * BEAT_SEC, STALL_SEC)
            return [stall for stall in self._stalls if now - stall.ended <= MEMORY_SEC]

    def trouble(self, own_memory: int = 0, *, alive: bool = True, overrun: float = 0.0) -> str:
        """Return why the host is not well, in words; empty when it is.

        Who holds half of the memory (`own_memory`) has used it up. With `alive`, what failed was only silent; a stall
        explains nothing else. Where something took longer than it may (`overrun` seconds), stalls explain it only if
        they make up a good part of it: on a busy host there is nearly always a short one.
        """
        available, total = memory()
        if 0 < available < max(LEAST_MEMORY, total // 100) and own_memory < total // 2:
            return f"the host has only {available >> 20} MB of memory left"
        for place, free in self._disks().items():
            if free < LEAST_DISK:
                return f"the disk for {place} has only {free >> 20} MB left"
        stalls = [stall for stall in self.recent() if stall.kind in NOT_OURS] if alive else []
        if stalls and sum(stall.seconds for stall in stalls) >= EXPLAINS * overrun:
            longest = max(stalls, key=lambda stall: stall.seconds)
            return f"the harness stood still for {longest.seconds:.1f} s ({longest.kind})"
        return ""

    def signs(self) -> dict[str, Any]:
        """Return the state of the host as plain data, for a record."""
        available, total = memory()
        signs: dict[str, Any] = {
            "memory_available_mb": available >> 20,
            "memory_total_mb": total >> 20,
            "disk_free_mb": {place: free >> 20 for place, free in self._disks().items()},
            "stalls": [asdict(stall) for stall in self.recent()],
        }
        with contextlib.suppress(OSError):
            signs["load"] = list(os.getloadavg())
        for name in ("cpu", "memory", "io"):
            with contextlib.suppress(OSError):  # a kernel that does not measure pressure
                signs[f"pressure_{name}"] = Path(f"/proc/pressure/{name}").read_text().partition("\n")[0]
        return signs

    def _disks(self) -> dict[str, int]:
        found = {}
        for name, place in self._places.items():
            with contextlib.suppress(OSError):
                status = os.statvfs(place)
                found[name] = status.f_bavail * status.f_frsize
        return found


def memory() -> tuple[int, int]:
    """Return the bytes of memory that programs can still have, and all there are; 0 if unknown."""
    figures = {"MemAvailable": 0, "MemTotal": 0}
    with contextlib.suppress(OSError, ValueError):
        for line in Path("/proc/meminfo").read_text().splitlines():
            name, _, rest = line.partition(":")
            if name in figures:
                figures[name] = int(rest.split()[0]) * 1024
    return figures["MemAvailable"], figures["MemTotal"]
