"""What a run on many computers comes to: a simulation of its schedule, which starts from measured figures."""

from __future__ import annotations

import heapq
import math
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Literal

import click

from proctor.bench.measure import Figure
from proctor.bench.terminal import print_figures
from proctor.errors import SpecError
from proctor.store.run import RunRecord

Policy = Literal["queue", "slices"]
POLICIES: dict[Policy, str] = {"queue": "work queue", "slices": "fixed slices"}


@dataclass(frozen=True, kw_only=True)
class Fleet:
    """Computers, episodes, and what befalls them."""

    slots: int = 1000
    """Computers side by side."""
    per_node: int = 50
    """Computers on one machine; they are lost together."""
    episodes: int = 10_000
    measured: tuple[float, ...] = ()
    """How long episodes took, in seconds; without any, a lognormal distribution stands for them."""
    typical_sec: float = 180.0
    """Its median: thirty steps of an agent whose model takes six seconds."""
    spread: float = 0.7
    """Its standard deviation, of the logarithm."""
    limit_sec: float = 900.0
    stragglers: float = 0.03
    """Share of episodes that go on until their time is up."""
    void: float = 0.01
    """Share of tries that come to nothing, on whatever machine."""
    node_hours: float = 24.0
    """How long a machine works, on average, before it is lost."""
    back_sec: float = 300.0
    """When another one has taken its place."""
    retries: int = 2
    driver_ms: float = 25.0
    """What giving out an episode and taking its record in costs the process that holds the run."""
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("slots", "per_node", "episodes"):
            if getattr(self, name) < 1:
                raise SpecError(f"{name} is {getattr(self, name)}", remedy="give 1 or more")

    def durations(self) -> list[float]:
        """Return how long each episode takes; the same for the same seed, however they are given out."""
        draw = Random(f"{self.seed} durations")
        return [self._duration(draw) for _ in range(self.episodes)]

    def _duration(self, draw: Random) -> float:
        if draw.random() < self.stragglers:
            return self.limit_sec
        plain = draw.choice(self.measured) if self.measured else self.typical_sec * math.exp(draw.gauss(0, self.spread))
        return min(plain, self.limit_sec)


@dataclass(frozen=True)
class Outcome:
    """What a run came to."""

    seconds: float
    busy: float
    """Share of the computers' time that went into episodes that counted."""
    lost: int
    """Tries that went down with their machine."""
    void: int
    """Episodes that came to nothing in the end."""
    driver: float
    """Share of its time that the process holding the run was at work."""


def simulate(fleet: Fleet, policy: Policy = "queue") -> Outcome:
    """Hold a run in simulated time.

    With a work queue each computer that is free is given the next episode. With fixed slices each has its own share
    from the beginning, and what it loses it must do itself.
    """
    return _Run(fleet, policy).go()


class _Run:
    """One run: a clock that jumps from event to event."""

    def __init__(self, fleet: Fleet, policy: Policy) -> None:
        self._fleet = fleet
        self._durations = fleet.durations()
        self._events: list[tuple[float, str, int, int]] = []
        self._tries: Counter[int] = Counter()
        self._at: dict[int, int] = {}
        """The episode on each computer that has one."""
        self._lives: Counter[int] = Counter()
        """How often the machine of a computer was lost; an end that belongs to an earlier life never comes."""
        self._idle: set[int] = set(range(fleet.slots))
        self._driver_free = self._driver_busy = 0.0
        self._left, self._lost, self._void, self._useful = fleet.episodes, 0, 0, 0.0
        shared: deque[int] = deque(range(fleet.episodes))
        self._queues = (
            [shared] * fleet.slots
            if policy == "queue"
            else [deque(range(slot, fleet.episodes, fleet.slots)) for slot in range(fleet.slots)]
        )
        self._driver_sec = fleet.driver_ms / 1000 if policy == "queue" else 0.0
        self._fates = [Random(f"{fleet.seed} node {node}") for node in range(math.ceil(fleet.slots / fleet.per_node))]

    def go(self) -> Outcome:
        for node in range(len(self._fates)):
            self._fear(node, 0.0)
        self._give(0.0, range(self._fleet.slots))
        now = 0.0
        while self._left:
            now, what, which, life = heapq.heappop(self._events)
            if what == "lost":
                self._lose(now, which)
            elif what == "back":
                self._idle.update(self._slots(which))
                self._fear(which, now)
                self._give(now, self._slots(which))
            elif life == self._lives[which]:
                self._end(now, which)
        busy = self._useful / (self._fleet.slots * now)
        return Outcome(now, busy, self._lost, self._void, self._driver_busy / now)

    def _end(self, now: float, slot: int) -> None:
        episode = self._at.pop(slot)
        self._idle.add(slot)
        fate = Random(f"{self._fleet.seed} try {episode} {self._tries[episode]}")
        if fate.random() < self._fleet.void:
            self._again(episode, slot)
        else:
            self._left -= 1
            self._useful += self._durations[episode]
        self._give(now, [slot])

    def _lose(self, now: float, node: int) -> None:
        for slot in self._slots(node):
            self._lives[slot] += 1
            self._idle.discard(slot)
            if (episode := self._at.pop(slot, None)) is not None:
                self._lost += 1
                self._again(episode, slot)
        self._push(now + self._fleet.back_sec, "back", node)
        self._give(now, sorted(self._idle))

    def _again(self, episode: int, slot: int) -> None:
        self._tries[episode] += 1
        if self._tries[episode] <= self._fleet.retries:
            # As the schedule does: a long episode that is begun last of all holds everybody up.
            self._queues[slot].appendleft(episode)
        else:
            self._left -= 1
            self._void += 1

    def _give(self, now: float, slots: Sequence[int]) -> None:
        """Begin episodes on those of some computers that are free, as far as there are any."""
        for slot in slots:
            if slot in self._idle and self._queues[slot]:
                episode = self._queues[slot].popleft()
                self._idle.remove(slot)
                self._at[slot] = episode
                self._driver_free = max(now, self._driver_free) + self._driver_sec
                self._driver_busy += self._driver_sec
                self._push(self._driver_free + self._durations[episode], "end", slot, self._lives[slot])

    def _fear(self, node: int, now: float) -> None:
        """Set the time at which a machine will be lost."""
        if self._fleet.node_hours < math.inf:
            self._push(now + self._fates[node].expovariate(1 / (self._fleet.node_hours * 3600)), "lost", node)

    def _push(self, at: float, what: str, which: int, life: int = 0) -> None:
        heapq.heappush(self._events, (at, what, which, life))

    def _slots(self, node: int) -> range:
        first = node * self._fleet.per_node
        return range(first, min(first + self._fleet.per_node, self._fleet.slots))


def scenarios(fleet: Fleet) -> dict[str, Fleet]:
    """Return a fleet on a good day, with its stragglers, and with everything that goes wrong."""
    calm = replace(fleet, stragglers=0.0, void=0.0, node_hours=math.inf)
    return {
        "nothing goes wrong": calm,
        "stragglers": replace(calm, stragglers=fleet.stragglers),
        "stragglers, void tries, lost machines": fleet,
    }


@click.command("fleet")
@click.option("--slots", type=click.IntRange(min=1), default=1000, show_default=True, help="Computers side by side.")
@click.option("--per-node", type=click.IntRange(min=1), default=50, show_default=True, help="Computers on one machine.")
@click.option("--episodes", type=click.IntRange(min=1), default=10_000, show_default=True)
@click.option(
    "--node-hours",
    type=click.FloatRange(min=0, min_open=True),
    default=24.0,
    show_default=True,
    help="How long a machine works, on average, before it is lost.",
)
@click.option(
    "--run",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Take how long episodes last from this run.",
)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program to read.")
def command(
    slots: int, per_node: int, episodes: int, node_hours: float, run: Path | None, seed: int, as_json: bool
) -> None:
    """Simulate a run on many computers: a work queue against fixed slices, with losses and stragglers."""
    measured = recorded_seconds(run) if run else ()
    figures = measure(
        Fleet(slots=slots, per_node=per_node, episodes=episodes, node_hours=node_hours, measured=measured, seed=seed)
    )
    print_figures(figures, "proctor bench fleet", as_json=as_json)


def measure(fleet: Fleet) -> list[Figure]:
    """Simulate every scenario with both ways to give episodes out, and tell the least time it could take."""
    figures = []
    for number, (name, case) in enumerate(scenarios(fleet).items()):
        least = max(sum(case.durations()) / case.slots, max(case.durations()))
        for policy, what in POLICIES.items():
            came = simulate(case, policy)
            note = f"computers {came.busy:.0%} busy; at least {least / 60:.1f} min in whatever order"
            if policy == "queue":
                note += f"; driver {came.driver:.0%} busy"
            if came.lost or came.void:
                note += f"; {came.lost} tries lost with their machine, {came.void} episodes void"
            key = f"{policy}_{number}_min"
            figures.append(Figure(key=key, what=f"{name}: {what}", value=came.seconds / 60, unit="min", note=note))
    return figures


def recorded_seconds(run: Path) -> tuple[float, ...]:
    """Return how long the episodes of a run took, to simulate a larger one."""
    seconds = tuple(result.seconds for result in RunRecord.open(run).results() if not result.void)
    if not seconds:
        raise SpecError(f"the run {run} has no episode that was scored", remedy="name a run that has")
    return seconds
