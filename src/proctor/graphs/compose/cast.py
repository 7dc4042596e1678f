"""Casts: which subtasks a composition has and what hands on to what, without parameters.

A cast with a seed is a composition; another seed gives the same graph about something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from proctor.errors import SpecError
from proctor.graphs.compose.casts import CastPart
from proctor.graphs.compose.composition import Composition
from proctor.graphs.compose.pool import SubtaskPool
from proctor.graphs.compose.unify import Clash, unify
from proctor.tasks.draw import Draw

TRIES = 60
"""How often other parameters are drawn where the first do not go together."""

Handing = tuple[int, str, int, str]
"""The place of a subtask and what it gives, the place of another and what it takes."""


@dataclass(frozen=True, slots=True)
class Cast:
    """Subtasks in an order that their dependencies admit, and what each hands on."""

    subtasks: tuple[str, ...]
    handings: tuple[Handing, ...] = ()

    @classmethod
    def of(cls, composition: Composition) -> Cast:
        """Return the cast of a composition."""
        order = composition.dag.order
        place = {id: number for number, id in enumerate(order)}
        return cls(
            tuple(composition.node(id).subtask for id in order),
            tuple(
                sorted((place[one.producer], one.gives, place[one.consumer], one.takes) for one in composition.bindings)
            ),
        )

    def composition(self, pool: SubtaskPool, seed: str) -> Composition:
        """Return the composition that a seed makes of it.

        Raises:
            SpecError: A subtask is not in the pool, or the cast does not go together, whatever is drawn.
        """
        subtasks = [pool[name] for name in self.subtasks]
        parts = [CastPart(number, self._sources(number)) for number in range(len(subtasks))]
        for attempt in range(TRIES):
            try:
                return unify(subtasks, parts, seed, Draw(f"{seed}/{attempt}"))
            except Clash as clash:
                last = clash
        raise SpecError(f"the cast {', '.join(self.subtasks)} does not go together: {last.message}", remedy=last.remedy)

    def _sources(self, place: int) -> dict[str, tuple[int, str]]:
        return {takes: (first, gives) for first, gives, later, takes in self.handings if later == place}

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {"subtasks": list(self.subtasks), "handings": [list(one) for one in self.handings]}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Cast:
        """Read what `to_json` wrote."""
        handings: Sequence[Sequence[Any]] = data["handings"]
        return cls(tuple(data["subtasks"]), tuple((one[0], one[1], one[2], one[3]) for one in handings))
