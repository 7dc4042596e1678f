"""Which subtasks of a pool can be chained with others."""

from __future__ import annotations

from proctor.graphs.compose.pool import SubtaskPool
from proctor.graphs.compose.resource import is_a
from proctor.graphs.compose.subtask import Subtask


def givers(pool: SubtaskPool, kind: str) -> list[Subtask]:
    """Return the subtasks that give something that will do as this kind."""
    return [one for one in pool if any(is_a(given, kind) for given in one.gives.values())]


def takers(pool: SubtaskPool, kind: str) -> list[Subtask]:
    """Return the subtasks for which something of this kind will do."""
    return [one for one in pool if any(is_a(kind, taken) for taken in one.takes.values())]


def never_used(pool: SubtaskPool) -> set[str]:
    """Return the subtasks that take what no other gives and no task begins with."""
    known = pool.initial
    return {one.name for one in pool for kind in one.takes.values() if kind not in known and not givers(pool, kind)}


def standing_alone(pool: SubtaskPool) -> set[str]:
    """Return the subtasks that nothing can come before or after."""
    return {
        one.name
        for one in pool
        if not any(givers(pool, kind) for kind in one.takes.values())
        and not any(takers(pool, kind) for kind in one.gives.values())
    }


def never_taken(pool: SubtaskPool) -> set[str]:
    """Return the subtasks of which something that they give fits nothing."""
    return {one.name for one in pool for kind in one.gives.values() if not takers(pool, kind)}
