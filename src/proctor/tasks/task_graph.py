"""The graph of a composed task: its subtasks, what each depends on, and how each is judged."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Annotated

from pydantic import AfterValidator, Field

from proctor import taxonomy
from proctor.errors import SpecError, UnknownName
from proctor.graphs.judge.consistency import Consistency, consistency
from proctor.graphs.judge.progress import PATIENCE
from proctor.graphs.mathematics.capabilities import DISJOINT, capabilities
from proctor.graphs.mathematics.complexity import Complexity, measure
from proctor.graphs.mathematics.dag import Dag
from proctor.graphs.mathematics.orders import is_order
from proctor.tasks.call import Call, FrozenDict, freeze
from proctor.tasks.model import PlainModel, Text
from proctor.tasks.shelf import Problem
from proctor.tasks.shelves import problems as call_problems

Edge = tuple[str, str]
"""The id of a node, and the id of one that comes after it."""


Kinds = Annotated[dict[Text, Text], AfterValidator(freeze)]


class GraphNode(PlainModel):
    """One subtask of a task."""

    id: Text
    subtask: Text
    """Its name in the pool."""
    app: str
    ask: Text
    """What it asks for, in plain words."""
    check: Call
    lasts: bool = True
    """Whether its output is still there at the end; the content of the clipboard may be replaced."""
    moves: Annotated[int, Field(ge=0)]
    """How many moves of the solution belong to it; none where the task has no solution."""
    wording: str = ""
    """What it asks for in any task: names and numbers are in braces."""
    version: Annotated[int, Field(ge=1)] = 1
    """Of the subtask."""
    takes: Kinds = FrozenDict()
    """Kinds of what it takes, by the name in braces."""
    gives: Kinds = FrozenDict()
    """Kinds of what it gives, likewise."""
    parameters: Annotated[dict[Text, str], AfterValidator(freeze)] = FrozenDict()
    """What stands for the names in braces, and for what it takes and gives."""


class TaskGraph(PlainModel):
    """Subtasks and their dependencies."""

    nodes: Annotated[tuple[GraphNode, ...], Field(min_length=1)]
    edges: tuple[Edge, ...] = ()
    """Pairs of nodes: the output of the first is the input of the second."""
    last: tuple[Edge, ...] = ()
    """Pairs of nodes that write to the same place: the second must come later, because its output has to stay."""
    ordering: tuple[Edge, ...] = ()
    """Pairs of nodes: the first must come first, so that nothing in a place that only one thing has is lost unused."""
    order: tuple[str, ...]
    """The order in which the solution does them."""
    patience: Annotated[int, Field(ge=1)] = PATIENCE
    """The task fails after this many actions without completing a subtask."""

    @cached_property
    def dag(self) -> Dag:
        """The dependencies by resources, from which complexity and coverage are counted."""
        return Dag(tuple(node.id for node in self.nodes), frozenset(self.edges))

    @cached_property
    def gates(self) -> Dag:
        """What must be completed before a node is examined."""
        return self.dag.with_edges(self.last)

    @cached_property
    def order_gates(self) -> Dag:
        """The dependencies and all that must come first: every order of it can be carried out."""
        return self.gates.with_edges(self.ordering)

    def consistency(self, ties: Sequence[Collection[str]], seen: Mapping[str, str] | None = None) -> Consistency:
        """Compare an order of completion with the best; `seen` says of nodes where else they were done."""
        return consistency(self.dag, {**self.apps, **(seen or {})}, ties, ordering=self.ordering, after=self.last)

    @property
    def apps(self) -> Mapping[str, str]:
        """The application of each node."""
        return {node.id: node.app for node in self.nodes}

    @cached_property
    def complexity(self) -> Complexity:
        """Its five complexities."""
        known = taxonomy.APPLICATIONS
        return measure(self.dag, {node.id: known[node.app].category for node in self.nodes})

    @cached_property
    def labels(self) -> Mapping[str, str]:
        """How it is classified: its level in each dimension, the capability it examines, its shape."""
        labels = {str(dimension): str(level) for dimension, level in self.complexity.levels().items()}
        labels["shape"] = "chain" if self.complexity.width == 1 else "graph"
        for one in capabilities(self.complexity, DISJOINT):  # one at most
            labels["capability"] = str(one)
        return labels

    def node(self, id: str) -> GraphNode:
        """Return a node by its id; raises UnknownName."""
        for node in self.nodes:
            if node.id == id:
                return node
        raise UnknownName("node", id, [node.id for node in self.nodes])

    def problems(self, moves: int) -> Iterator[Problem]:
        """Yield everything wrong with it, in a task whose solution has so many moves."""
        for place, node in enumerate(self.nodes):
            at = ("graph", "nodes", place)
            if node.app not in taxonomy.APPLICATIONS:
                error = UnknownName("application", node.app, taxonomy.APPLICATIONS)
                yield Problem((*at, "app"), f"{error.message}; {error.remedy}")
            yield from call_problems(node.check, (*at, "check"), "check")
        try:
            admitted = self.order_gates
        except SpecError as error:
            yield Problem(("graph",), error.message)
            return
        if not is_order(admitted, self.order):
            yield Problem(("graph", "order"), "it is not an order of all nodes that the edges admit")
        if sum(node.moves for node in self.nodes) != moves or (moves and not all(node.moves for node in self.nodes)):
            yield Problem(
                ("graph", "nodes"), f"their moves, one at least, do not add up to the {moves} of the solution"
            )
