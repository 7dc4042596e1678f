"""How many episodes run side by side: more while the machine has room for them."""

from __future__ import annotations

import json
import os
import time
from collections import deque
from collections.abc import Callable, Hashable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

from proctor.runner.capacity import RESERVE_GB, Share
from proctor.runner.pressure import Pressure, PressureGauge
from proctor.store.files import open_to_change, write_fully

MOST_WAITED = 0.75
"""Share of the time in which something waits for a processor, above which no episode is added."""
SLOW_SEC = 0.5
"""A step that takes the machine no longer than this is never too slow."""
SLOWER = 2.0
"""How much longer than in the beginning of the run the slowest tenth of the steps may take."""
RECENT_SEC = 30.0
FIRST_STEPS = 8
"""Steps by which it is known how quick the machine is."""
ENOUGH_STEPS = 4
"""Steps by which it is known how quick it is now."""
LOOK_EVERY_SEC = 1.0
"""How long one look at the machine holds."""


GREW = "the machine had room"
NAME = "admission.jsonl"


class Gauge(Protocol):
    """What tells how busy a machine is."""

    def read(self) -> Pressure:
        """Return how busy it was since the last time."""


@dataclass(frozen=True)
class AdmissionChange:
    """A change of how many episodes may run side by side."""

    at: float
    """Seconds after the first."""
    most: int
    why: str


class EpisodeAdmission:
    """Decides when another episode may begin.

    No more begin at once than there are cores. Up to `safe` side by side need no further look at the machine; beyond
    that and up to `most`, more are let in while steps are as quick as in the beginning, the processors have idle time
    and memory is left.
    """

    def __init__(
        self,
        safe: int,
        most: int,
        share: Share,
        *,
        gauge: Gauge | None = None,
        cores: int | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._safe, self.most, self._share, self._clock = safe, max(safe, most), share, clock
        self._gauge = gauge or PressureGauge()
        self._cores = cores or len(os.sched_getaffinity(0))
        self._began = clock()
        self._starting: set[Hashable] = set()
        self._running: set[Hashable] = set()
        self._first: list[float] = []
        self._recent: deque[tuple[float, float]] = deque()
        self._looked = float("-inf")
        self._full = ""
        self.choices = [AdmissionChange(0.0, safe, "what the cores and the memory allow in any case")]

    @classmethod
    def of(cls, size: int) -> EpisodeAdmission:
        """Return the one of a run with so many side by side, whatever the machine says."""
        return cls(size, size, Share(cores=0.0, gigabytes=0.0))

    @classmethod
    def for_plan(cls, episodes: int, size: int | None, need: Share) -> EpisodeAdmission:
        """Return the one of a run: `size` side by side, or what the machine turns out to bear."""
        return cls.of(min(size, episodes)) if size else cls(min(need.here(), episodes), episodes, need)

    @property
    def room(self) -> int:
        """How many more episodes may begin now."""
        running = len(self._running)
        at_once = self._cores - len(self._starting)
        if at_once <= 0 and running:
            return 0
        if running < self._safe:
            return min(max(at_once, 1), self._safe - running)
        return 0 if running >= self.most or self._reason_to_wait() else 1

    def begin(self, episode: Hashable) -> None:
        """An episode begins: its computer is started and prepared."""
        self._running.add(episode)
        self._starting.add(episode)
        if len(self._running) > self.choices[-1].most:
            self._choose(len(self._running), GREW)

    def beat(self, episode: Hashable, seconds: float | None) -> None:
        """An episode has been prepared, or the machine took so long for one of its steps."""
        self._starting.discard(episode)
        if seconds is None:
            return
        if len(self._first) < FIRST_STEPS:
            self._first.append(seconds)
        self._recent.append((self._clock(), seconds))

    def end(self, episode: Hashable) -> None:
        """An episode has ended."""
        self._running.discard(episode)
        self._starting.discard(episode)

    @property
    def summary(self) -> str:
        """Say in a line how many there were and what kept more out; empty where a number was asked for."""
        if len(self.choices) == 1 and self._safe == self.most:
            return ""
        most = max(choice.most for choice in self.choices)
        last = self.choices[-1]
        held = last.why != GREW and len(self.choices) > 1
        why = f"; no more after {last.at:.0f} s because {last.why}" if held else ""
        return f"{self._safe} side by side at first, {most} at most{why}"

    def keep(self, run: Path) -> None:
        """Add to a run's folder what was chosen, when and why, one line for each change."""
        lines = "".join(json.dumps(asdict(choice)) + "\n" for choice in self.choices)
        fd = open_to_change(run / NAME)
        try:
            os.lseek(fd, 0, os.SEEK_END)
            write_fully(fd, lines.encode())
        finally:
            os.close(fd)

    def _reason_to_wait(self) -> str:
        """Return why no other may begin now, of the last look at the machine; empty where one may."""
        now = self._clock()
        if now - self._looked >= LOOK_EVERY_SEC:
            self._looked = now
            before, self._full = self._full, self._look(now)
            if self._full and not before:
                self._choose(len(self._running), self._full)
        return self._full

    def _look(self, now: float) -> str:
        pressure = self._gauge.read()
        while self._recent and self._recent[0][0] < now - RECENT_SEC:
            self._recent.popleft()
        recent = [seconds for _, seconds in self._recent]
        if len(self._first) < FIRST_STEPS or len(recent) < ENOUGH_STEPS:
            return "too few steps were made to know how quick they are"
        slow, usual = _slow(recent), max(SLOW_SEC, SLOWER * _slow(self._first))
        if slow > usual:
            return f"steps took {slow:.2f} s"
        if pressure.waited > MOST_WAITED:
            return f"processors were waited for {pressure.waited:.0%} of the time"
        if pressure.free_gb < RESERVE_GB + self._share.gigabytes * (1 + len(self._starting)):
            return f"only {pressure.free_gb:.1f} GB of memory were left"
        return ""

    def _choose(self, most: int, why: str) -> None:
        self.choices.append(AdmissionChange(round(self._clock() - self._began, 1), most, why))


def _slow(seconds: list[float]) -> float:
    """Return how long the slowest tenth takes at least."""
    return sorted(seconds)[-(-len(seconds) * 9 // 10) - 1]
