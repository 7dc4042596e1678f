"""Chooses the casts of suite `graph`: `python -m proctor.suites.graph.choose` prints them.

Those that the suite has stay as long as they are sound; a new version of it begins with none.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from math import sqrt
from typing import Any

from proctor.errors import SpecError
from proctor.graphs.compose.assemble import assemble
from proctor.graphs.compose.cast import Cast
from proctor.graphs.compose.compose import compose
from proctor.graphs.mathematics.capabilities import Capability
from proctor.graphs.mathematics.complexity import Dimension
from proctor.graphs.mathematics.constraints import Constraint
from proctor.suites.graph import records
from proctor.suites.pool import POOL

VERSION = 1
OF_EACH = 50
"""How many tasks for each capability."""
FIRST_STEPS = 60
"""How many small ones besides, which examine nothing in particular."""
MOST_SUBTASKS = 10
"""More would take longer than they tell."""
TO_CHOOSE_FROM = 6
"""How many are composed for each that is chosen."""
PRICE = 0.3
"""What a subtask more costs, in square roots of how often others have been used."""


def casts(there: Mapping[str, Cast]) -> Iterator[dict[str, Any]]:
    """Yield what the suite consists of, each graph once.

    `there` are casts that stay, by the name of the task.
    """
    kept = {name: cast for name, cast in there.items() if _sound(cast, name)}
    used = Counter(subtask for cast in kept.values() for subtask in cast.subtasks)
    size = Constraint.parse(str(Dimension.INSTRUCTION), f"..{MOST_SUBTASKS}")
    groups = [(capability.value, OF_EACH, size, capability.value) for capability in Capability]
    groups.append(("first-steps", FIRST_STEPS, Constraint.parse(str(Dimension.INSTRUCTION), "2..4"), ""))
    for name, count, limit, capability in groups:
        others = _others(name, count, limit, capability, kept, used)
        for number in range(1, count + 1):
            task = f"{name}-{number:02}"
            cast = kept.get(task) or next(others)
            yield {"name": task, "version": VERSION, **cast.to_json()}


def _others(
    name: str, count: int, size: Constraint, capability: str, kept: Mapping[str, Cast], used: Counter[str]
) -> Iterator[Cast]:
    """Yield casts of one name that are not there yet, those with the least used subtasks first."""
    seed = f"suite graph {VERSION} {name}"
    found = compose(
        POOL,
        count=TO_CHOOSE_FROM * count,
        seed=seed,
        constraints=[size],
        capability=capability,
        distinct="graph",
    )
    candidates = [cast for cast in map(Cast.of, found) if cast not in kept.values()]
    while True:
        best = min(candidates, key=lambda cast: _usual(cast, used))
        candidates.remove(best)
        if _sound(best, name):
            used.update(best.subtasks)
            yield best


def _usual(cast: Cast, used: Counter[str]) -> float:
    """Return how usual its subtasks are by now, and a little more for each: small tasks are enough."""
    return sum(sqrt(used[one]) for one in cast.subtasks) / len(cast.subtasks) + PRICE * len(cast.subtasks)


def _sound(cast: Cast, name: str) -> bool:
    """Tell whether a cast goes together and can be put into words, whatever is drawn."""
    try:
        for drawn in range(3):
            assemble(cast.composition(POOL, f"trial of {name} {drawn}"), POOL.by_name)
    except SpecError as error:
        sys.stderr.write(f"left out: {error}\n")
        return False
    return True


if __name__ == "__main__":
    for line in casts({record["name"]: Cast.from_json(record) for record in records()}):
        sys.stdout.write(json.dumps(line) + "\n")
