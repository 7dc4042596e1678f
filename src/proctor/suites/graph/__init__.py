"""Suite `graph`: composed tasks, chosen once and balanced over the ten capabilities."""

from __future__ import annotations

import json
from functools import partial
from importlib import resources
from typing import Any

from proctor.graphs.compose.assemble import assemble, limits_of, tags_of
from proctor.graphs.compose.cast import Cast
from proctor.graphs.language.realise import Unsaid
from proctor.suites.pool import POOL
from proctor.suites.suite import Suite
from proctor.tasks.draw import Draw
from proctor.tasks.machine import Machine
from proctor.tasks.task import Draft
from proctor.tasks.template import Template

TRIES = 8
"""How often other names are drawn where the first take too many words."""
VERSION = 3
"""Of the suite and its tasks; casts of another version are none of its own."""


def _template(record: dict[str, Any]) -> Template:
    cast = Cast.from_json(record)
    subtasks = [POOL[name] for name in cast.subtasks]
    tags = tags_of(subtasks)
    return Template(
        name=record["name"],
        version=record["version"],
        write=partial(_write, cast, record["name"]),
        tags=tags,
        limits=limits_of(len(subtasks)),
        machine=Machine(),
        twin="",
        summary=f"{len(subtasks)} subtasks in {', '.join(tags.apps)}.",
    )


def _write(cast: Cast, name: str, draw: Draw) -> Draft:
    seed = f"{name}/{draw.random()}"
    for number in range(TRIES):
        try:
            return assemble(cast.composition(POOL, f"{seed}/{number}"), POOL.by_name)
        except Unsaid as unsaid:
            last = unsaid
    raise last


def records() -> list[dict[str, Any]]:
    """Return the casts, one for each task."""
    text = resources.files("proctor.suites.graph").joinpath("casts.jsonl").read_text(encoding="utf-8")
    found = [json.loads(line) for line in text.splitlines()]
    # One of each capability after the other, so that the first twenty are as balanced as all.
    return sorted(found, key=lambda record: int(record["name"].rpartition("-")[2]))


SUITE = Suite(
    name="graph",
    version=VERSION,
    summary="Composed tasks of chosen complexity, balanced over ten capabilities; scored by coverage.",
    templates=tuple(_template(record) for record in records() if record["version"] == VERSION),
)
