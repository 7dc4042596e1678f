"""Chooses the casts of suite `graph`: run once for each of its versions, `python -m proctor.suites.graph.choose`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
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
MOST_SUBTASKS = 9
"""More would take longer than they tell."""
PLAIN = 60
"""How many small ones besides, which examine nothing in particular."""


def casts() -> Iterator[dict[str, Any]]:
    """Yield what the suite consists of, each graph once."""
    size = Constraint.parse(str(Dimension.INSTRUCTION), f"..{MOST_SUBTASKS}")
    for capability in Capability:
        yield from _named(capability.value, OF_EACH, [size], capability.value)
    yield from _named("first-steps", PLAIN, [Constraint.parse(str(Dimension.INSTRUCTION), "2..4")], "")


def _named(name: str, count: int, constraints: list[Constraint], capability: str) -> Iterator[dict[str, Any]]:
    found = 0
    seed = f"suite graph {VERSION} {name}"
    for composition in compose(
        POOL, count=2 * count, seed=seed, constraints=constraints, capability=capability, distinct="graph"
    ):
        record = {"name": f"{name}-{found + 1:02}", "version": VERSION, **Cast.of(composition).to_json()}
        try:
            # What cannot be put into words, or not with other parameters, is left out.
            for drawn in ("one", "two", "three"):
                assemble(Cast.from_json(record).composition(POOL, f"{record['name']}/{drawn}"), POOL.by_name)
        except SpecError as error:
            sys.stderr.write(f"left out: {error}\n")
            continue
        yield record
        found += 1
        if found == count:
            return
    sys.stderr.write(f"{name}: only {found} of {count}\n")


if __name__ == "__main__":
    for line in casts():
        sys.stdout.write(json.dumps(line) + "\n")
