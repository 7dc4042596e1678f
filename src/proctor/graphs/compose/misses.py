"""Near misses of composed tasks: those of subtasks, and orders that lose what is needed later."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from proctor.graphs.compose.composition import Composition
from proctor.graphs.compose.resource import kind_of
from proctor.graphs.compose.subtask import Work
from proctor.graphs.judge.coverage import coverage_rate
from proctor.graphs.mathematics.orders import is_prefix
from proctor.graphs.mathematics.slots import SlotHold, Slots
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.task import NearMiss

NEAR_MISSES = 2
"""How many near misses of its subtasks a task takes over."""


def near_misses(
    composition: Composition, works: Mapping[str, Work], order: Sequence[str], draw: Draw
) -> Iterator[NearMiss]:
    """Yield near misses of some nodes, each made last, when all that does not depend on it is done."""
    dag, admitted = composition.dag, composition.gates
    all_of_them = [(id, miss) for id, work in works.items() for miss in work.near_misses]
    for id, miss in draw.some(all_of_them, min(NEAR_MISSES, len(all_of_them))):
        undone = {id, *dag.names(admitted.descendants[admitted.position(id)])}
        before = [node for node in order if node not in undone]
        yield NearMiss(
            name=f"{id}: {miss.name}" if len(works) > 1 else miss.name,
            moves=(*moves_of(before, works), *miss.moves),
            score=coverage_rate(dag, before),
        )
    if found := overwritten(composition, order):
        *before, late = found
        yield NearMiss(
            name=f"{late}: what it takes was overwritten before",
            moves=moves_of(found, works),
            score=coverage_rate(dag, before),
        )


def overwritten(composition: Composition, order: Sequence[str]) -> tuple[str, ...]:
    """Return a way that seems to work but spoils a slot for its last node; () if there is none.

    Every other node on the way finds what it needs, as a simulation shows.
    """
    dag = composition.dag
    holds = [
        SlotHold(given.kind, node.id, composition.consumers(node.id, port))
        for node in composition.nodes
        for port, given in node.bound.gives.items()
        if kind_of(given.kind).slot
    ]
    writers = {hold.slot: composition.writers(hold.slot) for hold in holds}
    slots = Slots(dag, holds, writers)
    for hold in holds:
        for late in sorted(hold.consumers):
            rest = [id for id in order if id not in {late, *dag.names(dag.descendants[dag.position(late)])}]
            for writer in writers[hold.slot]:
                if writer == hold.producer or writer not in rest:
                    continue
                # As late as what takes from it allows, which must not come before.
                after = [id for id in rest if writer in dag.predecessors(id)]
                way = (*(id for id in rest if id != writer and id not in after), writer, *after, late)
                found = slots.clobbers(way)
                if is_prefix(dag, way) and [one.consumer for one in found] == [late]:
                    return way
    return ()


def moves_of(order: Sequence[str], works: Mapping[str, Work]) -> tuple[Call, ...]:
    """Return the moves of subtasks one after the other."""
    return tuple(move for node in order for move in works[node].moves)
