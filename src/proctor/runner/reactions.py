"""What somebody who follows an answer key does about disturbances: one answer to each, as it comes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from proctor.exam.disturbances.wish import DisturbanceWish
from proctor.records import Happening
from proctor.tasks.call import Call
from proctor.tasks.task import Task


class Reaction(NamedTuple):
    """What is done about one disturbance."""

    moves: tuple[Call, ...]
    window: str
    """The title of the window that was in use, to which to return."""
    loses_work: bool = False
    """Whether what was done so far is lost."""


class StartOver(Exception):
    """What was done so far is lost, so that it is done from the beginning."""


@dataclass
class Reactions:
    """Tells which disturbances have come, and what is to be done about them."""

    happened: Callable[[], Sequence[Happening]]
    """Returns what has happened so far, in order."""
    answers: dict[str, tuple[Call, ...]] = field(default_factory=dict)
    """Moves, by the name of what happened."""
    losses: frozenset[str] = frozenset()
    """What of that loses what was done so far."""
    count: int = 0
    """How many disturbances have come."""
    _known: int = 0

    @classmethod
    def of(cls, task: Task, disturb: str, happened: Callable[[], Sequence[Happening]]) -> Reactions:
        """Return those to what a run asks for; none where it asks for nothing."""
        planned = DisturbanceWish.parse(disturb).events(task) if disturb else {}
        found = {name: each.staged.answer for name, each in planned.items() if each.staged.answer is not None}
        losses = frozenset(name for name, each in planned.items() if each.staged.loses_work)
        return cls(happened, found, losses)

    def take_new(self) -> list[Reaction]:
        """Return the answers to what has come since this was last asked."""
        new = self.happened()[self._known :]
        self._known += len(new)
        came = [each for each in new if each.disturbance and each.happened]
        self.count += len(came)
        return [
            Reaction(self.answers[each.name], each.window, each.name in self.losses)
            for each in came
            if each.name in self.answers
        ]
