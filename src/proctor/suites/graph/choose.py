"""Chooses the casts of suite `graph`: `python -m proctor.suites.graph.choose` prints them.

Those that the suite has stay as long as they are sound; a new version of it begins with none.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from math import sqrt
from random import Random
from typing import Any

from proctor.errors import SpecError
from proctor.graphs.compose.assemble import assemble
from proctor.graphs.compose.cast import Cast
from proctor.graphs.compose.composer import Composer, sense_faults
from proctor.graphs.language.phrases import least_words
from proctor.graphs.mathematics.capabilities import DISJOINT, Capability
from proctor.graphs.mathematics.complexity import Dimension
from proctor.graphs.mathematics.constraints import Constraint
from proctor.suites.graph import VERSION, records
from proctor.suites.pool import POOL

OF_EACH = 40
"""How many tasks for each capability."""
FEWER = {Capability.DOMAIN_SPECIFIC_KNOWLEDGE: 34}
"""Of which capability there are fewer, because the goals give no more within one category of applications."""
FIRST_STEPS = 106
"""How many small ones besides, which examine nothing in particular."""
MOST_SUBTASKS = 13
"""More would take longer than they tell."""
TO_CHOOSE_FROM = 4
"""How many are looked at for each that is chosen."""
FEW_WORDS = 114
"""How many words may be needed to ask for a task, so that whatever is drawn it stays short enough."""
NARROW = ("Office", "Programming")
"""The categories whose applications can do whole tasks without others."""
Same = tuple[str, frozenset[str]]
PRICE = 0.3
"""What a subtask more costs, in square roots of how often others have been used."""


def casts(there: Mapping[str, Cast]) -> Iterator[dict[str, Any]]:
    """Yield what the suite consists of, each graph once.

    `there` are casts that stay, by the name of the task.
    """
    taken: set[Same] = set()
    kept: dict[str, Cast] = {}
    for name, cast in there.items():
        if _same(cast) not in taken and _sound(cast, name):
            kept[name] = cast
            taken.add(_same(cast))
    used = Counter(subtask for cast in kept.values() for subtask in cast.subtasks)
    size = Constraint.parse(str(Dimension.INSTRUCTION), f"..{MOST_SUBTASKS}")
    groups = [(one.value, FEWER.get(one, OF_EACH), [size, *DISJOINT[one]]) for one in Capability]
    groups.append(("first-steps", FIRST_STEPS, [Constraint.parse(str(Dimension.INSTRUCTION), "2..4")]))
    for name, count, constraints in groups:
        others = _others(name, count, constraints, taken, used)
        for number in range(1, count + 1):
            task = f"{name}-{number:02}"
            found = kept.get(task) or next(others, None)
            if found is None:
                raise SpecError(
                    f"the goals give {number - 1} casts for {name}, not {count}",
                    remedy="allow more subtasks or words, or add parts to the goals",
                )
            yield {"name": task, "version": VERSION, **found.to_json()}


def _others(
    name: str, count: int, constraints: list[Constraint], taken: set[Same], used: Counter[str]
) -> Iterator[Cast]:
    """Yield casts of one name that are not there yet, those with the least used subtasks first."""
    # Whatever keeps to one category of applications is seldom drawn unless there are no others.
    pools = [POOL.only(categories=[one]) for one in NARROW] if name == Capability.DOMAIN_SPECIFIC_KNOWLEDGE else [POOL]
    found = [
        cast
        for pool in pools
        for cast in Composer(pool, constraints, enough=8 * count).casts
        if _same(cast) not in taken and sum(least_words(POOL[one]) for one in cast.subtasks) <= FEW_WORDS
    ]
    candidates = Random(f"suite graph {VERSION} {name}").sample(found, min(len(found), TO_CHOOSE_FROM * count))
    while candidates:
        best = min(candidates, key=lambda cast: _usual(cast, used))
        candidates.remove(best)
        if _same(best) not in taken and _sound(best, name):
            used.update([best.goal, *best.subtasks])
            taken.add(_same(best))
            yield best


def _same(cast: Cast) -> Same:
    """Return what casts share that differ only in the order in which their parts are listed."""
    return cast.goal, frozenset(map(str, cast.parts))


def _usual(cast: Cast, used: Counter[str]) -> float:
    """Return how usual its goal and subtasks are by now, and a little more for each."""
    often = sum(sqrt(used[one]) for one in cast.subtasks) / len(cast.subtasks)
    return often + sqrt(used[cast.goal]) + PRICE * len(cast.subtasks)


def _sound(cast: Cast, name: str) -> bool:
    """Tell whether a cast goes together, can be put into words, and its goal still says why."""
    ways = POOL.goals[cast.goal].ways if cast.goal in POOL.goals else {}
    for part in cast.parts:
        if part.subtask not in {way.subtask for way in ways.get(part.role, ())}:
            sys.stderr.write(f"left out: {name}: {part.role!r} is no part of the goal {cast.goal!r} any more\n")
            return False
    for fault in sense_faults(cast, POOL):
        sys.stderr.write(f"left out: {name}: {fault}\n")
        return False
    try:
        assemble(cast.composition(POOL, f"trial of {name}"), POOL.by_name)
    except SpecError as error:
        sys.stderr.write(f"left out: {error}\n")
        return False
    return True


if __name__ == "__main__":
    there = {record["name"]: Cast.from_json(record) for record in records() if record["version"] == VERSION}
    for line in casts(there):
        sys.stdout.write(json.dumps(line) + "\n")
