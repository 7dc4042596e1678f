"""Suite `graph`: composed tasks, chosen once for this version and balanced over the ten capabilities."""

from __future__ import annotations

import json
from functools import partial
from importlib import resources
from typing import Any

from proctor.suites.pool import POOL
from proctor.suites.suite import Suite
from proctor.tasks.draw import Draw
from proctor.tasks.graph.assemble import assemble
from proctor.tasks.graph.cast import Cast
from proctor.tasks.task import Draft, Limits, Machine, Tags
from proctor.tasks.template import Template

STEPS, SECONDS = 80, 240
"""How many actions and how long an agent may take for each subtask."""


def _template(record: dict[str, Any]) -> Template:
    cast = Cast.from_json(record)
    subtasks = [POOL[name] for name in cast.subtasks]
    apps = tuple(sorted({subtask.app for subtask in subtasks}))
    domain, scenario, demand = subtasks[-1].demand.split("/")
    tags = Tags(
        apps=apps,
        # Over several applications it takes a plan of one's own.
        level=4 if len(apps) > 1 else 2,
        domain=domain,
        scenario=scenario,
        demand=demand,
        services=tuple(sorted({service for subtask in subtasks for service in subtask.services})),
    )
    return Template(
        name=record["name"],
        version=record["version"],
        write=partial(_write, cast, record["name"]),
        tags=tags,
        limits=Limits(steps=min(1000, STEPS * len(subtasks)), seconds=SECONDS * len(subtasks)),
        machine=Machine(),
        twin="",
        summary=f"{len(subtasks)} subtasks in {', '.join(apps)}.",
    )


def _write(cast: Cast, name: str, draw: Draw) -> Draft:
    return assemble(cast.composition(POOL, f"{name}/{draw.random()}"), POOL.by_name)


def _records() -> list[dict[str, Any]]:
    text = resources.files("proctor.suites.graph").joinpath("casts.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


SUITE = Suite(
    name="graph",
    version=1,
    summary="Composed tasks of chosen complexity, balanced over ten capabilities; scored by coverage.",
    templates=tuple(_template(record) for record in _records()),
)
