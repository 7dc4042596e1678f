"""Goals: what people are after, and which subtasks may serve which part of it.

A goal says who and what it is about, what is there, and what comes out. What comes out of a part is named by its role,
such as `the signed letter`; a part can be made in one way or several, from what is there or from what other parts make.
Whoever composes chooses some of what is wanted in the end and makes what that needs, so nothing is made in vain.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property


@dataclass(frozen=True, slots=True)
class Start:
    """Something that is there from the beginning."""

    name: str
    kind: str
    topic: str
    """What is in it, by a name that `contents` knows."""


@dataclass(frozen=True, slots=True)
class GoalPart:
    """One way to make what a role stands for."""

    role: str
    subtask: str
    sources: tuple[tuple[str, ...], ...]
    """For each thing that the subtask takes, which will do: names of what is there, or roles."""
    why: str
    """Why this is made of that, in one sentence."""
    hints: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """What single parameters of the subtask are to be here, each one of some texts."""


@dataclass(frozen=True)
class Goal:
    """What somebody is after, with everything that may serve it."""

    name: str
    titles: tuple[str, ...]
    """What it is called after a name: `the Harwood outing`."""
    names: str
    """Which names it goes by: those of places, families, months, products or subjects."""
    demand: str
    """Its domain and scenario in the hierarchy of demands."""
    people: tuple[str, ...]
    """Who has to do with it."""
    purpose: str
    remarks: tuple[str, ...]
    """Short lines that somebody may say or write about it, with placeholders."""
    table: str
    """What its tables are about."""
    several: bool
    """Whether it is about several things of a kind, so that a subtask may occur twice."""
    starts: Mapping[str, Start]
    parts: tuple[GoalPart, ...]
    wanted: frozenset[str]
    """The roles that may be what it is all for."""

    @cached_property
    def ways(self) -> Mapping[str, tuple[GoalPart, ...]]:
        """The ways to make what each role stands for."""
        roles = dict.fromkeys(part.role for part in self.parts)
        return {role: tuple(part for part in self.parts if part.role == role) for role in roles}

    def within(self, subtasks: Collection[str], lasting: Collection[str]) -> Goal:
        """Return what of it some subtasks can do.

        What nothing is made of any more may then be wanted for itself, if it is made by one whose outcome lasts.
        """
        there = set(self.starts)
        parts: list[GoalPart] = []
        for part in self.parts:
            sources = tuple(tuple(option for option in options if option in there) for options in part.sources)
            if part.subtask in subtasks and all(sources):
                parts.append(replace(part, sources=sources))
                there.add(part.role)
        while True:
            used = {option for part in parts for options in part.sources for option in options}
            ends = [part for part in parts if part.role not in used and part.role not in self.wanted]
            vain = [part for part in ends if part.subtask not in lasting]
            if not vain:
                break
            parts = [part for part in parts if part not in vain]
        kept = {part.role for part in parts}
        return replace(self, parts=tuple(parts), wanted=self.wanted & kept | {part.role for part in ends})

    def part(self, role: str, subtask: str) -> GoalPart | None:
        """Return how a subtask makes what a role stands for, if it may."""
        return next((part for part in self.ways.get(role, ()) if part.subtask == subtask), None)
