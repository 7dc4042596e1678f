"""What somebody who follows an answer key does about disturbances: one answer to each, as it comes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from proctor.exam.disturbances.wish import DisturbanceWish
from proctor.records import Happening
from proctor.tasks.call import Call
from proctor.tasks.task import Task


@dataclass
class Reactions:
    """Tells which disturbances have come, and what is to be done about them."""

    happened: Callable[[], Sequence[Happening]]
    """Returns what has happened so far, in order."""
    answers: dict[str, tuple[Call, ...]] = field(default_factory=dict)
    """Moves, by the name of what happened."""
    count: int = 0
    """How many disturbances have come."""
    _known: int = 0

    @classmethod
    def of(cls, task: Task, disturb: str, happened: Callable[[], Sequence[Happening]]) -> Reactions:
        """Return those to what a run asks for; none where it asks for nothing."""
        planned = DisturbanceWish.parse(disturb).events(task) if disturb else {}
        return cls(happened, {name: each.staged.answer for name, each in planned.items()})

    def take_new(self) -> list[tuple[Call, ...]]:
        """Return the moves that answer what has come since this was last asked."""
        new = self.happened()[self._known :]
        self._known += len(new)
        came = [each for each in new if each.disturbance and each.happened]
        self.count += len(came)
        return [self.answers[each.name] for each in came if self.answers.get(each.name)]
