"""The graph that a composed task is judged by, made from its composition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from proctor.graphs.compose.composition import Composition, NodePlan
from proctor.graphs.compose.resource import Resource, kind_of
from proctor.graphs.compose.subtask import Subtask, Work
from proctor.graphs.judge.progress import PATIENCE
from proctor.graphs.language.clauses import lone_clause, open_clause
from proctor.graphs.language.phrases import asks
from proctor.graphs.mathematics.dag import Edge
from proctor.tasks.task_graph import GraphNode, TaskGraph


def graph_of(
    composition: Composition, parts: Mapping[str, Subtask], works: Mapping[str, Work], order: tuple[str, ...]
) -> TaskGraph:
    """Return the graph of a composition, whose solution goes about it in this order."""
    return TaskGraph(
        nodes=tuple(_graph_node(composition, node, parts[node.id], works[node.id]) for node in composition.nodes),
        edges=tuple(sorted(composition.dag.edges)),
        last=tuple(sorted(_last(composition))),
        ordering=tuple(sorted(composition.ordering)),
        order=order,
        patience=max(PATIENCE, 3 * max(_actions(work) for work in works.values())),
    )


def _graph_node(composition: Composition, node: NodePlan, subtask: Subtask, work: Work) -> GraphNode:
    return GraphNode(
        id=node.id,
        subtask=node.subtask,
        app=subtask.app,
        ask=lone_clause(node, asks(subtask)[0]),
        check=work.check,
        lasts=not any(_may_give_way(composition, node, port) for port in node.bound.gives),
        moves=len(work.moves),
        wording=open_clause(asks(subtask)[0]),
        version=subtask.version,
        takes=dict(subtask.takes),
        gives=dict(subtask.gives),
        parameters={**_names(node.bound.takes), **_names(node.bound.gives), **node.bound.params},
    )


def _names(things: Mapping[str, Resource]) -> dict[str, str]:
    return {port: thing.value for port, thing in things.items()}


def _may_give_way(composition: Composition, node: NodePlan, port: str) -> bool:
    """Tell whether what a node puts into a slot may give way to something else later."""
    slot = node.bound.gives[port].kind
    others = [one for one in composition.writers(slot) if one != node.id]
    return kind_of(slot).slot and bool(others) and bool(composition.consumers(node.id, port))


def _last(composition: Composition) -> Iterator[Edge]:
    """Yield which node puts something into a slot before another one whose content is to stay there."""
    for node in composition.nodes:
        for port, given in node.bound.gives.items():
            if kind_of(given.kind).slot and not composition.consumers(node.id, port):
                yield from ((other, node.id) for other in composition.writers(given.kind) if other != node.id)


def _actions(work: Work) -> int:
    return sum(int(move.arguments.get("times", 1)) for move in work.moves)
