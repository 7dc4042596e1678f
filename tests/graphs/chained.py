"""Which subtasks of a pool can be chained with others."""

from __future__ import annotations

from proctor.graphs.compose.pool import Pool


def never_used(pool: Pool) -> set[str]:
    """Return the subtasks that take what no other gives and no task begins with."""
    known = pool.initial
    return {one.name for one in pool for kind in one.takes.values() if kind not in known and not pool.giving(kind)}


def standing_alone(pool: Pool) -> set[str]:
    """Return the subtasks that nothing can come before or after."""
    return {
        one.name
        for one in pool
        if not any(pool.giving(kind) for kind in one.takes.values())
        and not any(pool.taking(kind) for kind in one.gives.values())
    }


def never_taken(pool: Pool) -> set[str]:
    """Return the subtasks of which something that they give fits nothing."""
    return {one.name for one in pool for kind in one.gives.values() if not pool.taking(kind)}
