"""Composed tasks of text subtasks that run on the fake computer."""

from __future__ import annotations

from collections.abc import Sequence

from proctor.graphs.compose.assemble import composed_task
from proctor.graphs.compose.cast import Cast, Handing
from proctor.graphs.compose.pool import SubtaskPool
from proctor.tasks.task import Task
from tests.graphs.synthetic import TEXTS

POOL = SubtaskPool(TEXTS)
SIZE = (1280, 1024)


def composed(subtasks: Sequence[str], handings: Sequence[Handing] = (), seed: str = "0") -> Task:
    """Return a task made of text subtasks, by their names."""
    composition = Cast(tuple(subtasks), tuple(handings)).composition(POOL, seed)
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
