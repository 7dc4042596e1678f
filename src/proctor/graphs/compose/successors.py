"""Matching: which subtasks of a pool can follow which, and how long their chains are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from proctor.graphs.compose.pool import SubtaskPool, category_of
from proctor.graphs.compose.resource import is_a, kind_of
from proctor.graphs.compose.subtask import Subtask
from proctor.graphs.mathematics.constraints import LARGEST
from proctor.graphs.mathematics.dag import bits


class Relation:
    """For each subtask, a set of subtasks as bits; answers at once for many."""

    def __init__(self, masks: Sequence[int]) -> None:
        self.masks = tuple(masks)
        # For each group of eight subtasks, the answer for every choice among them.
        self._tables = [_answers(self.masks[start : start + 8]) for start in range(0, len(masks), 8)]

    def of_any(self, chosen: int) -> int:
        """Return whatever is related to at least one of the chosen."""
        found = 0
        for table, byte in zip(self._tables, chosen.to_bytes(len(self._tables), "little"), strict=True):
            found |= table[byte]
        return found


def _answers(masks: Sequence[int]) -> list[int]:
    answers = [0]
    for mask in masks:
        answers += [answer | mask for answer in answers]
    return answers + [0] * (256 - len(answers))


@dataclass(frozen=True)
class Chains:
    """How far chains of some subtasks go, sets of subtasks as bits."""

    ends: tuple[int, ...]
    """For each length, what can end a chain of it; for what is longer than listed, the same as for the last."""
    starts: tuple[int, ...]
    """For each length, what can start a chain of it."""

    def enders(self, length: int) -> int:
        """Return what can end a chain of this length."""
        return self.ends[min(length, len(self.ends) - 1)]

    def starters(self, length: int) -> int:
        """Return what can start a chain of this length."""
        return self.starts[min(length, len(self.starts) - 1)]

    @property
    def longest(self) -> int:
        """How many subtasks the longest chain has, as far as that matters."""
        return LARGEST if self.ends[-1] else len(self.ends) - 2


class Matching:
    """Which subtasks of a pool can follow which, with sets of subtasks as bits."""

    def __init__(self, pool: SubtaskPool) -> None:
        self.subtasks = tuple(pool)
        self.startable = sum(
            1 << place
            for place, one in enumerate(self.subtasks)
            if all(kind in pool.initial for kind in one.takes.values())
        )
        """The subtasks that need nothing of others."""
        self.open_ports = tuple(
            tuple(port for port, kind in one.takes.items() if kind not in pool.initial) for one in self.subtasks
        )
        """Of each subtask, what it takes that cannot be there from the beginning."""
        self.ports_on_slots = tuple(_on_slots(one) for one in self.subtasks)
        """Of each subtask, for each slot that it takes something out of as several ports, these ports."""
        self.links = {
            (first, later): links
            for first in range(len(self.subtasks))
            for later in range(len(self.subtasks))
            if (links := self._links(first, later))
        }
        """For each pair that can follow one another, what the first gives and what the second takes it as."""
        followers, leaders = [0] * len(self.subtasks), [0] * len(self.subtasks)
        for first, later in self.links:
            followers[first] |= 1 << later
            leaders[later] |= 1 << first
        self.followers, self.leaders = Relation(followers), Relation(leaders)
        self.by_category: dict[str, int] = {}
        self.with_inputs: dict[int, int] = {}
        for place, one in enumerate(self.subtasks):
            category = category_of(one)
            self.by_category[category] = self.by_category.get(category, 0) | 1 << place
            for inputs in range(len(one.takes) + 1):
                self.with_inputs[inputs] = self.with_inputs.get(inputs, 0) | 1 << place
        self.category = tuple(category_of(one) for one in self.subtasks)
        self._chains: dict[int, Chains] = {}

    def _links(self, first: int, later: int) -> tuple[tuple[str, str], ...]:
        gives, takes = self.subtasks[first].gives, self.subtasks[later].takes
        return tuple((given, taken) for given in gives for taken in takes if is_a(gives[given], takes[taken]))

    @property
    def all_subtasks(self) -> int:
        """All subtasks, as bits."""
        return (1 << len(self.subtasks)) - 1

    @cached_property
    def most_inputs(self) -> int:
        """The most that one subtask can be given by others."""
        ports = [
            {taken for leader in bits(leaders) for _, taken in self.links[leader, place]}
            for place, leaders in enumerate(self.leaders.masks)
        ]
        return max(map(len, ports))

    def chains(self, allowed: int) -> Chains:
        """Return how far chains of some subtasks go; what is known once is remembered."""
        if allowed not in self._chains:
            ends = _reach(self.followers, self.startable & allowed, allowed)
            starts = _reach(self.leaders, allowed, allowed)
            self._chains[allowed] = Chains(ends, starts)
        return self._chains[allowed]


def _on_slots(subtask: Subtask) -> tuple[tuple[str, ...], ...]:
    slots: dict[str, list[str]] = {}
    for port, kind in subtask.takes.items():
        if kind_of(kind).slot:
            slots.setdefault(kind, []).append(port)
    return tuple(tuple(ports) for ports in slots.values() if len(ports) > 1)


def _reach(relation: Relation, first: int, allowed: int) -> tuple[int, ...]:
    """Go from a set to what is related to it until nothing changes; nothing has length 0."""
    found = [0, first]
    while len(found) <= LARGEST and (found[-1] != found[-2] or len(found) == 2) and found[-1]:
        found.append(relation.of_any(found[-1]) & allowed)
    return tuple(found)
