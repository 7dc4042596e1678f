"""Composed tasks of text subtasks that run on the fake computer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from proctor.graphs.compose.assemble import composed_task
from proctor.graphs.compose.pool import SubtaskPool
from proctor.graphs.compose.unify import CastPart, unify
from proctor.graphs.goals.goal import Start
from proctor.tasks.draw import Draw
from proctor.tasks.task import Task
from tests.graphs.synthetic import TEXTS, goals_of

(GOAL,) = goals_of(TEXTS, count=1)
POOL = SubtaskPool(TEXTS, goals=[GOAL])
Handing = tuple[int, str, int, str]
"""The place of a subtask and what it gives, the place of another and what it takes."""
SIZE = (1280, 1024)


def composed(subtasks: Sequence[str], handings: Sequence[Handing] = (), seed: str = "0") -> Task:
    """Return a task made of text subtasks, by their names; what nobody hands on is there."""
    handed = {(later, takes): str(first) for first, _, later, takes in handings}
    parts = [
        CastPart(
            str(place), name, tuple((port, handed.get((place, port), f"{port} {place}")) for port in POOL[name].takes)
        )
        for place, name in enumerate(subtasks)
    ]
    names = [source for part in parts for _, source in part.sources if not source.isdecimal()]
    starts = {name: Start(name, "text_file", "minutes") for name in names}
    composition = unify(POOL, replace(GOAL, starts=starts), parts, seed, Draw(f"{seed}/0"))
    return composed_task(composition, POOL.by_name, "tests/composed-v1")


def diamond(seed: str = "0") -> Task:
    """Return one in which two copies of a text are joined again."""
    handings: list[Handing] = [
        (0, "text", 1, "source"),
        (0, "text", 2, "source"),
        (1, "text", 3, "first"),
        (2, "text", 3, "second"),
    ]
    return composed(["write-text", "copy-text", "copy-text", "join-texts"], handings, seed)
