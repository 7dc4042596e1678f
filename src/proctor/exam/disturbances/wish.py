"""Which disturbances a run asks for, and the events that they become in a task."""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from proctor.errors import SpecError, UnknownName
from proctor.exam.disturbances.desktop import DESKTOP
from proctor.exam.disturbances.disturbance import Disturbance, Staged
from proctor.exam.disturbances.messages import MESSAGES
from proctor.exam.disturbances.others import OTHERS
from proctor.exam.disturbances.windows import WINDOWS
from proctor.tasks.events import Event, When
from proctor.tasks.shelves import expect, see
from proctor.tasks.task import Task

KINDS: dict[str, Disturbance] = {each.name: each for each in (*MESSAGES, *WINDOWS, *OTHERS, *DESKTOP)}
ALL = "all"
MOST = 30
"""Disturbances of one episode."""
LATEST = 8
"""After how many actions one that comes once comes at the latest."""
ANY_WINDOW = "/./"


class PlannedEvent(NamedTuple):
    """A disturbance as it comes in a task."""

    event: Event
    kind: str
    staged: Staged


@dataclass(frozen=True)
class DisturbanceWish:
    """Which kinds, how often, and by which seed."""

    kinds: tuple[Disturbance, ...]
    rate: float | None = None
    """After which share of the actions one comes; None for each kind once."""
    seed: int = 0
    latest: int = LATEST
    """After how many actions each kind comes at the latest, where each comes once."""

    @classmethod
    def parse(cls, text: str) -> DisturbanceWish:
        """Read `KIND[+KIND...][,rate=0.1][,seed=7][,latest=3]`, or `all` for all; raises SpecError."""
        names, *options = (part.strip() for part in text.split(","))
        chosen = [name.strip() for name in names.split("+")]
        for name in chosen:
            if name not in (*KINDS, ALL):
                raise UnknownName("disturbance", name, [*KINDS, ALL])
        chosen = list(KINDS) if ALL in chosen else chosen
        rate, seed, latest = None, 0, LATEST
        seen: set[str] = set()
        for option in options:
            name, _, value = (part.strip() for part in option.partition("="))
            if name in seen:
                raise SpecError(f"the disturbance has {name!r} twice", remedy="give it once")
            seen.add(name)
            try:
                if name == "rate":
                    rate = float(value)
                elif name == "seed":
                    seed = int(value)
                elif name == "latest":
                    latest = int(value)
                else:
                    raise UnknownName("option of a disturbance", name, ["rate", "seed", "latest"])
            except ValueError as error:
                raise SpecError(f"{option!r} of the disturbance is no number") from error
        if rate is not None and not 0 < rate <= 1:
            raise SpecError(f"the rate of disturbances is {rate:g}", remedy="give a share of the actions, such as 0.1")
        if latest < 1:
            raise SpecError(f"the latest moment of disturbances is {latest}", remedy="give a number of actions, from 1")
        return cls(tuple(KINDS[name] for name in dict.fromkeys(chosen)), rate, seed, latest)

    def refuse_without(self, capabilities: Collection[str], computer: str) -> None:
        """Raise SpecError where a computer cannot be disturbed so, naming the kinds that it can."""
        lacking = {kind.name: sorted(set(kind.needs) - set(capabilities)) for kind in self.kinds}
        missing = {name: parts for name, parts in lacking.items() if parts}
        if missing:
            able = [name for name, kind in KINDS.items() if set(kind.needs) <= set(capabilities)]
            listed = "; ".join(f"{name} needs {', '.join(parts)}" for name, parts in missing.items())
            remedy = f"choose from: {', '.join(able)}" if able else "run it without --disturb"
            raise SpecError(f"the computer {computer!r} cannot be disturbed as asked: {listed}", remedy=remedy)

    def refuse_for(self, tasks: Collection[Task]) -> None:
        """Raise SpecError for a kind that fits none of the tasks, unless all kinds are asked for."""
        if len(self.kinds) == len(KINDS):
            return
        draw = random.Random(0)
        for kind in self.kinds:
            if not any(kind.stage(draw, task) for task in tasks):
                remedy = "choose other tasks, or another kind"
                raise SpecError(f"{kind.name!r} disturbs none of these tasks: it wants {kind.wants}", remedy=remedy)

    def events(self, task: Task) -> dict[str, PlannedEvent]:
        """Return its events in a task, by their names; the same for the same seeds."""
        draw = random.Random(f"{self.seed} {task.id} {task.seed}")
        fitting = [kind for kind in self.kinds if kind.stage(random.Random(0), task)]
        early = [kind for kind in fitting if kind.at_start]
        later = [kind for kind in fitting if not kind.at_start]
        if self.rate is None:
            last = min(self.latest, max(2, task.limits.steps // 3))
            drawn = ((1 if kind.soon else draw.randint(1, last), kind) for kind in later)
            moments = sorted(drawn, key=lambda moment: (not moment[1].soon, moment[0]))
        else:
            hits = [step for step in range(1, task.limits.steps) if draw.random() < self.rate][:MOST]
            often = [kind for kind in later if not kind.soon] or later
            moments = [(step, draw.choice(often)) for step in hits] if often else []
        in_use = expect.window_active(see.windows(), ANY_WINDOW)
        every = [(kind, When()) for kind in early]
        every += [(kind, When(check=in_use, actions=actions)) for actions, kind in moments]
        found: dict[str, PlannedEvent] = {}
        for number, (kind, when) in enumerate(every, 1):
            name, staged = f"disturbance {number}: {kind.name}", kind.stage(draw, task)
            assert staged is not None, "whether a kind fits a task is not drawn"
            event = Event(name=name, do=staged.do, when=when, undo=staged.undo)
            found[name] = PlannedEvent(event, kind.name, staged)
        return found
