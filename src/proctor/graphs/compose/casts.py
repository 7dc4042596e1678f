"""Casting: which subtask takes which place of a skeleton, so that resources are handed on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from random import Random

from proctor.graphs.compose.skeleton import Skeleton
from proctor.graphs.compose.successors import Matching
from proctor.graphs.mathematics.dag import bits

STEPS_PER_PLACE = 3
"""How many subtasks are tried for each place on average before another skeleton is."""

Source = tuple[int, str]
"""A place, and what it gives."""


@dataclass(frozen=True, slots=True)
class CastPart:
    """The subtask of one place, and where what it takes comes from, if not from the beginning."""

    subtask: int
    sources: Mapping[str, Source]


@dataclass
class Casting:
    """The search for the subtasks of one skeleton, all from some categories, each of which is used."""

    matching: Matching
    skeleton: Skeleton
    categories: tuple[str, ...]
    random: Random
    coherent: bool = True
    parts: list[CastPart] = field(default_factory=list)
    steps: int = 0

    @cached_property
    def open_domains(self) -> list[int] | None:
        """The subtasks that each place is open to at first, as bits, or None where one has none."""
        matching, skeleton = self.matching, self.skeleton
        chains = matching.chains(sum(matching.by_category[category] for category in self.categories))
        domains = []
        for before, depth, height in zip(skeleton.before, skeleton.depths, skeleton.heights, strict=True):
            domain = chains.enders(depth) & chains.starters(height)
            domain &= matching.with_inputs.get(len(before), 0) if before else matching.startable
            if not domain:
                return None
            domains.append(domain)
        return domains

    def search(self) -> tuple[CastPart, ...] | None:
        """Return a part for each place, or None where none was found within bounds."""
        return tuple(self.parts) if self.open_domains and self._fill(self.open_domains) else None

    def _fill(self, domains: list[int]) -> bool:
        place = len(self.parts)
        if place == len(domains):
            return True
        for subtask in self._candidates(place, domains):
            self.steps += 1
            if self.steps > STEPS_PER_PLACE * len(domains):
                return False
            sources = self._wire(place, subtask)
            if sources is None:
                continue
            narrowed = self._narrow(place, subtask, domains)
            if narrowed is None:
                continue
            self.parts.append(CastPart(subtask, sources))
            if self._fill(narrowed):
                return True
            self.parts.pop()
        return False

    def _candidates(self, place: int, domains: list[int]) -> list[int]:
        """Return what may take a place, categories still missing and subtasks not used yet first."""
        matching, domain = self.matching, domains[place]
        used = reachable = 0
        for part in self.parts:
            used |= 1 << part.subtask
        for later in domains[place:]:
            reachable |= later
        absent = [members for category in self.categories if not used & (members := matching.by_category[category])]
        if not all(reachable & members for members in absent):
            return []
        missing, left = sum(absent), len(domains) - place
        if len(absent) >= left:
            domain &= missing if len(absent) == left else 0
        if self.coherent:
            domain &= ~self._repeats(place)
        found = list(bits(domain))
        self.random.shuffle(found)
        eager = self.random.random() * left < len(absent)
        if eager or used & domain:
            found.sort(key=lambda subtask: (eager and not missing >> subtask & 1, used >> subtask & 1))
        return found

    def _repeats(self, place: int) -> int:
        """Return the subtasks that would do again what is done already: the same to the same."""
        before = self.skeleton.before[place]
        repeated = 0
        for earlier, part in enumerate(self.parts):
            if self.skeleton.before[earlier] == before and (before or not self.matching.subtasks[part.subtask].takes):
                repeated |= 1 << part.subtask
        return repeated

    def _narrow(self, place: int, subtask: int, domains: list[int]) -> list[int] | None:
        """Return what is left for the places after this one, or None where one has nothing left."""
        narrowed = list(domains)
        followers = self.matching.followers.masks[subtask]
        for later in self.skeleton.after[place]:
            narrowed[later] &= followers
            if not narrowed[later]:
                return None
            for other in self.skeleton.before[later]:
                if other > place:
                    narrowed[other] &= self.matching.leaders.of_any(narrowed[later])
                    if not narrowed[other]:
                        return None
        return narrowed

    def _wire(self, place: int, subtask: int) -> dict[str, Source] | None:
        """Choose what comes from where: something from each place before, each as another input."""
        before = self.skeleton.before[place]
        options = []
        for first in before:
            links = list(self.matching.links[self.parts[first].subtask, subtask])
            self.random.shuffle(links)
            options.append([(taken, (first, given)) for given, taken in links])
        sources = _distinct(options, {})
        if sources is None:
            return None
        for port in self.matching.open_ports[subtask]:
            if port not in sources:
                found = [source for links in options for taken, source in links if taken == port]
                if not found:
                    return None
                sources[port] = found[0]
        return None if self._same_slot_twice(subtask, sources) else sources

    def _same_slot_twice(self, subtask: int, sources: Mapping[str, Source]) -> bool:
        for ports in self.matching.ports_on_slots[subtask]:
            if len({sources[port] for port in ports if port in sources}) > 1:
                return True
        return False


def _distinct(options: list[list[tuple[str, Source]]], chosen: dict[str, Source]) -> dict[str, Source] | None:
    """Choose one of each list, no two for the same input."""
    if len(chosen) == len(options):
        return chosen
    for taken, source in options[len(chosen)]:
        if taken not in chosen and (found := _distinct(options, {**chosen, taken: source})) is not None:
            return found
    return None
