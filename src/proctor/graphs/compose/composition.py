"""Subtasks put together by their resources into one task, before it is put into words."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from proctor.graphs.compose.subtask import Bound
from proctor.graphs.compose.theme import Theme
from proctor.graphs.mathematics.dag import Dag


@dataclass(frozen=True, slots=True)
class Binding:
    """What one subtask gives is what another takes."""

    producer: str
    gives: str
    consumer: str
    takes: str


@dataclass(frozen=True, kw_only=True, slots=True)
class NodePlan:
    """One subtask of a composition."""

    id: str
    """Short and stable within the composition, such as `a`."""
    subtask: str
    """Its name in the pool."""
    bound: Bound


@dataclass(frozen=True, kw_only=True)
class Composition:
    """A graph of bound subtasks about one theme."""

    seed: str
    """What it was drawn with; the same seed, pool and constraints give the same composition."""
    theme: Theme
    nodes: tuple[NodePlan, ...]
    bindings: tuple[Binding, ...] = ()
    ordering: frozenset[tuple[str, str]] = field(default_factory=frozenset)
    """Pairs that must follow one another only so that no single-slot resource is replaced too early."""
    goal: str = ""
    """The name of the goal that it serves."""
    purpose: str = ""
    """What somebody is after who asks for all of this, in one sentence."""
    words: str = ""
    """The instruction, where it was not left to rules."""

    @cached_property
    def dag(self) -> Dag:
        """The dependencies, as resources give them."""
        edges = frozenset((binding.producer, binding.consumer) for binding in self.bindings)
        return Dag(tuple(node.id for node in self.nodes), edges)

    @cached_property
    def gates(self) -> Dag:
        """The dependencies and the ordering together: every order of it can be carried out."""
        return self.dag.with_edges(self.ordering)

    def consumers(self, id: str, port: str) -> frozenset[str]:
        """Return the nodes that take what a node gives there."""
        return frozenset(one.consumer for one in self.bindings if (one.producer, one.gives) == (id, port))

    def writers(self, slot: str) -> list[str]:
        """Return the nodes that put something into a slot."""
        return [node.id for node in self.nodes if any(given.kind == slot for given in node.bound.gives.values())]

    def node(self, id: str) -> NodePlan:
        """Return a node by its id."""
        return next(node for node in self.nodes if node.id == id)
