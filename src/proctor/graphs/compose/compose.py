"""Composing: as many different tasks from a pool as are asked for, as complex as is asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing
from itertools import count as numbers
from typing import TypedDict, TypeVar, Unpack

from proctor.errors import SpecError
from proctor.graphs.compose.attempts import Attempts, Bench, attempts
from proctor.graphs.compose.composer import ENOUGH, Composer
from proctor.graphs.compose.composition import Composition
from proctor.graphs.compose.pool import SubtaskPool
from proctor.graphs.compose.sameness import Distinct
from proctor.graphs.mathematics.capabilities import capability as capability_named
from proctor.graphs.mathematics.capabilities import profile as profile_named
from proctor.graphs.mathematics.constraints import Constraint

MAX_TRIES = 2000
"""How many attempts in a row may come to nothing new."""

Made = TypeVar("Made")


class Wishes(TypedDict, total=False):
    """What is asked for; everything may be left open."""

    count: int
    """How many compositions are wanted; 1 unless told."""
    seed: str | int
    """The same seed, pool and wishes give the same compositions."""
    constraints: Sequence[Constraint]
    """What is asked of their complexity."""
    apps: Collection[str]
    """Only these applications are used."""
    categories: Collection[str]
    """Only applications of these categories are used."""
    capability: str
    """The capability they are to examine, whose constraints are added."""
    profile: str
    """What capabilities mean; `disjoint` unless told."""
    distinct: Distinct
    """What makes two compositions different: `parameters` too, as they do unless told, or their `graph` alone."""
    max_tries: int
    """How many attempts in a row may come to nothing new."""
    workers: int
    """How many processes work on it, 1 unless told; more take the pool in by pickling it."""


def compose(pool: SubtaskPool, **wishes: Unpack[Wishes]) -> Iterator[Composition]:
    """Return different compositions of subtasks from a pool, one after the other.

    Raises:
        SpecError: At once, where constraints or the pool exclude what is asked for; later, where there are no more.
    """
    return compose_with(_as_it_is, pool, **wishes)


def compose_with(
    finish: Callable[[Composition, SubtaskPool], Made], pool: SubtaskPool, **wishes: Unpack[Wishes]
) -> Iterator[Made]:
    """Return what a function makes of each composition, in the processes that compose."""
    count, max_tries, workers = wishes.get("count", 1), wishes.get("max_tries", MAX_TRIES), wishes.get("workers", 1)
    if count < 0 or max_tries < 1 or workers < 1:
        raise SpecError(
            f"{count} compositions, {max_tries} tries, {workers} workers", remedy="use one try and one worker at least"
        )
    constraints = list(wishes.get("constraints", ()))
    if capability := wishes.get("capability"):
        constraints += profile_named(wishes.get("profile", "disjoint"))[capability_named(capability)]
    composer = Composer(
        pool.only(apps=wishes.get("apps", ()), categories=wishes.get("categories", ())),
        constraints,
        enough=max(ENOUGH, 3 * count) if wishes.get("distinct") == "graph" else ENOUGH,
    )
    bench = Bench(composer, finish, wishes.get("distinct", "parameters"))
    seeds = (f"{wishes.get('seed', 0)}/{number}" for number in numbers())
    return _different(composer, attempts(bench, seeds, workers), count, max_tries)


def _as_it_is(composition: Composition, pool: SubtaskPool) -> Composition:
    return composition


def _different(composer: Composer, made: Attempts[Made], count: int, max_tries: int) -> Iterator[Made]:
    """Yield what is new; give up where nothing new comes any more."""
    seen: set[bytes] = set()
    misses = 0
    with closing(made):
        while len(seen) < count:
            found = next(made)
            if found is not None and found[0] not in seen:
                seen.add(found[0])
                misses = 0
                yield found[1]
                continue
            misses += 1
            if misses >= max_tries:
                raise composer.exhaustion(found=len(seen), wanted=count, tries=misses)
