"""Casts: which parts of a goal are done, by which subtasks and of what.

A cast with a seed is a composition; another seed gives the same graph about something else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, TypeVar

from proctor.errors import UnknownName
from proctor.graphs.compose.composition import Composition
from proctor.graphs.compose.pool import SubtaskPool, category_of
from proctor.graphs.compose.unify import CastPart, Clash, unify
from proctor.graphs.goals.goal import Goal, GoalPart
from proctor.tasks.draw import Draw

Item = TypeVar("Item")
FOCUS = 0.35
"""How often a cast keeps to a few categories of applications."""
TRIES = 60
"""How often other parameters are drawn where the first do not go together."""


@dataclass(frozen=True, slots=True)
class Cast:
    """Parts of a goal in an order that their dependencies admit."""

    goal: str
    parts: tuple[CastPart, ...]

    @property
    def subtasks(self) -> tuple[str, ...]:
        """The subtasks, in order."""
        return tuple(part.subtask for part in self.parts)

    def composition(self, pool: SubtaskPool, seed: str, *, tries: int = TRIES) -> Composition:
        """Return the composition that a seed makes of it.

        Raises:
            SpecError: A goal or subtask is not in the pool, or it does not go together, whatever is drawn.
        """
        if self.goal not in pool.goals:
            raise UnknownName("goal", self.goal, pool.goals)
        for attempt in range(tries):
            try:
                return unify(pool, pool.goals[self.goal], self.parts, seed, Draw(f"{seed}/{attempt}"))
            except Clash as clash:
                last = clash
        raise Clash(f"{', '.join(self.subtasks)} do not go together: {last.message}", remedy=last.remedy)

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {"goal": self.goal, "parts": [[part.role, part.subtask, dict(part.sources)] for part in self.parts]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Cast:
        """Read what `to_json` wrote."""
        parts = (CastPart(role, subtask, tuple(sources.items())) for role, subtask, sources in data["parts"])
        return cls(data["goal"], tuple(parts))


def draw_cast(goal: Goal, pool: SubtaskPool, random: Random, size: int) -> Cast | None:
    """Choose what is wanted of a goal until so many parts are done, and for each part a way to do it.

    Returns None where the pool has no subtasks to begin with.
    """
    choice = _Choice(goal, pool, random)
    for role in choice.shuffle([role for role in goal.ways if role in goal.wanted], choice.rarity):
        if len(choice.made) >= size:
            break
        choice.want(role, size)
    return choice.cast() if choice.made else None


class _Choice:
    def __init__(self, goal: Goal, pool: SubtaskPool, random: Random) -> None:
        self.goal, self.pool, self.random = goal, pool, random
        self.made: dict[str, CastPart] = {}
        self.uses = pool.uses
        self.eager = random.random()
        """How readily something is made of what others make, rather than of what is there."""
        self.thrift = 2 * random.random()
        """How readily what others have made is used once more."""
        categories = [category_of(pool[part.subtask]) for part in goal.parts if part.subtask in pool]
        few = random.choice((1, 1, 2, 3)) if random.random() < FOCUS else len(categories)
        self.categories = frozenset(random.sample(categories, min(len(categories), few)))
        """Whose applications are used."""

    def want(self, role: str, size: int) -> None:
        """Make a role and what it needs, unless that would be more than so many parts."""
        before = dict(self.made)
        if not self._make(role) or len(self.made) > size:
            self.made = before

    def _make(self, role: str) -> bool:
        if role in self.made:
            return True
        return any(map(self._take_way, self.shuffle(self.goal.ways[role], lambda way: 1 / self.uses[way.subtask])))

    def rarity(self, role: str) -> float:
        """Return how rare a way to make a role is."""
        return max(1 / self.uses[way.subtask] for way in self.goal.ways[role])

    def shuffle(self, items: Iterable[Item], weight: Callable[[Item], float]) -> list[Item]:
        """Return items in a random order in which those of more weight come rather early."""
        return sorted(items, key=lambda item: self.random.random() ** (1 / weight(item)), reverse=True)

    def _take_way(self, way: GoalPart) -> bool:
        if way.subtask not in self.pool or category_of(self.pool[way.subtask]) not in self.categories:
            return False
        before = dict(self.made)
        sources: dict[str, str] = {}
        for port, options in zip(self.pool[way.subtask].takes, way.sources, strict=True):
            source = self._source([one for one in options if one not in sources.values()])
            if not source:
                self.made = before
                return False
            sources[port] = source
        if not self.goal.several and any(part.subtask == way.subtask for part in self.made.values()):
            self.made = before
            return False
        self.made[way.role] = CastPart(way.role, way.subtask, tuple(sources.items()))
        return True

    def _source(self, options: Iterable[str]) -> str:
        ranked = [(self._rank(option), option) for option in options]
        return next((option for _, option in sorted(ranked) if option in self.goal.starts or self._make(option)), "")

    def _rank(self, option: str) -> float:
        """Return how late something is to be considered."""
        rank = self.random.random() + (0 if option in self.made else self.thrift)
        return rank + (self.eager if option in self.goal.starts else 1 - self.eager)

    def cast(self) -> Cast:
        """Return what was chosen."""
        return Cast(self.goal.name, tuple(self.made[role] for role in self.goal.ways if role in self.made))
