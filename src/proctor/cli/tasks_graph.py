"""The graph of a composed task for the terminal: subtasks in layers, and its complexity."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from proctor.graphs.mathematics.capabilities import Capability
from proctor.graphs.mathematics.complexity import UNIT, Dimension
from proctor.plain_text import one_line
from proctor.tasks.task_graph import GraphNode, TaskGraph


def graph_view(graph: TaskGraph) -> Iterator[RenderableType]:
    """Yield what is shown of a graph, one thing below the other."""
    yield Text("\nGraph", style="cyan")
    yield from _layers(graph)
    yield Text("\nComplexity", style="cyan")
    yield _complexity(graph)
    examined = graph.labels.get("capability")
    yield Text(f"  tests {Capability(examined).label.lower()}" if examined else "  tests none of the ten capabilities")


def _layers(graph: TaskGraph) -> Iterator[RenderableType]:
    """Yield the subtasks, those that depend on none first; each with what comes before it."""
    wide = max(len(node.id) for node in graph.nodes)
    for depth, nodes in groupby(sorted(graph.nodes, key=_depth_in(graph)), key=_depth_in(graph)):
        yield Text(f"  depth {depth}", style="dim")
        for node in nodes:
            after = _after(graph, node)
            head = Text.assemble("    ", (one_line(node.id).ljust(wide), "bold"), "  ", one_line(node.app))
            yield head.append(f"  after {one_line(after)}" if after else "", style="dim")
            yield Padding(Text(one_line(node.ask)), (0, 0, 0, 6 + wide), expand=False)


def _depth_in(graph: TaskGraph) -> Callable[[GraphNode], int]:
    return lambda node: graph.dag.depths[node.id]


def _after(graph: TaskGraph, node: GraphNode) -> str:
    """Return what a subtask depends on; in brackets what comes first only to write to one place."""
    needed = graph.dag.predecessors(node.id)
    others = [first for first, later in graph.last if later == node.id and first not in needed]
    return ", ".join([*needed, *(f"({first})" for first in others)])


def _complexity(graph: TaskGraph) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False)
    for justify in ("left", "right", "left", "left"):
        table.add_column(justify=justify)
    for dimension in Dimension:
        count, unit = graph.complexity[dimension], UNIT[dimension]
        table.add_row(f"  {dimension}", str(count), unit, str(graph.complexity.level(dimension)))
    return table
