"""Chooses the casts of suite `graph`: run once for each of its versions, `python -m proctor.suites.graph.choose`."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from math import sqrt
from typing import Any

from proctor.errors import SpecError
from proctor.suites.pool import POOL
from proctor.tasks.graph.assemble import assemble
from proctor.tasks.graph.capabilities import Capability
from proctor.tasks.graph.cast import Cast
from proctor.tasks.graph.complexity import Dimension
from proctor.tasks.graph.compose import compose
from proctor.tasks.graph.constraints import Constraint

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


def casts() -> Iterator[dict[str, Any]]:
    """Yield what the suite consists of, each graph once."""
    used: Counter[str] = Counter()
    size = Constraint.parse(str(Dimension.INSTRUCTION), f"..{MOST_SUBTASKS}")
    for capability in Capability:
        yield from _chosen(capability.value, OF_EACH, size, capability.value, used)
    yield from _chosen("first-steps", FIRST_STEPS, Constraint.parse(str(Dimension.INSTRUCTION), "2..4"), "", used)


def _chosen(name: str, count: int, size: Constraint, capability: str, used: Counter[str]) -> Iterator[dict[str, Any]]:
    """Yield casts of one name, each time one whose subtasks have been used least."""
    seed = f"suite graph {VERSION} {name}"
    found = compose(
        POOL,
        count=TO_CHOOSE_FROM * count,
        seed=seed,
        constraints=[size],
        capability=capability,
        distinct="graph",
    )
    candidates = [Cast.of(composition) for composition in found]
    number = 0
    while number < count:
        best = min(candidates, key=lambda cast: _usual(cast, used))
        candidates.remove(best)
        if not _sound(best, name):
            continue
        number += 1
        used.update(best.subtasks)
        yield {"name": f"{name}-{number:02}", "version": VERSION, **best.to_json()}


def _usual(cast: Cast, used: Counter[str]) -> float:
    """Return how usual its subtasks are by now, and a little more for each: small tasks tell as much in less time."""
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
    for line in casts():
        sys.stdout.write(json.dumps(line) + "\n")
