"""A part of many tasks, a different one every day."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Protocol, TypeVar


class _Named(Protocol):
    @property
    def id(self) -> str: ...

    @property
    def seed(self) -> int | None: ...


Kind = TypeVar("Kind", bound=_Named)


def rotate(tasks: Sequence[Kind], count: int, turn: int) -> list[Kind]:
    """Return a part of the tasks; successive turns go through all, neighbours far apart."""
    if count >= len(tasks):
        return list(tasks)
    mixed = sorted(tasks, key=lambda task: (hashlib.sha256(task.id.encode()).hexdigest(), task.seed))
    start = turn * count % len(mixed)
    return [mixed[(start + place) % len(mixed)] for place in range(count)]
