"""Compositions as plain data, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from proctor.errors import SpecError, UnknownName
from proctor.graphs.compose.composition import Binding, Composition, NodePlan
from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.subtask import Bound
from proctor.graphs.compose.theme import Theme
from proctor.graphs.mathematics.dag import MOST_NODES, Dag


class _Record(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)


class _Resource(_Record):
    kind: str
    value: str
    content: Any = None
    word: str = ""


class _Node(_Record):
    id: str
    subtask: str
    takes: dict[str, _Resource] = Field(default_factory=dict)
    gives: dict[str, _Resource] = Field(default_factory=dict)
    params: dict[str, str] = Field(default_factory=dict)


class _Theme(_Record):
    occasion: str
    place: str
    person: str
    year: int
    name: str = ""


class _Binding(_Record):
    producer: str
    gives: str
    consumer: str
    takes: str


class _Composition(_Record):
    seed: str
    theme: _Theme
    goal: str = ""
    purpose: str = ""
    words: str = ""
    nodes: list[_Node] = Field(min_length=1, max_length=MOST_NODES)
    bindings: list[_Binding] = Field(default_factory=list)
    ordering: list[list[str]] = Field(default_factory=list)


def to_json(composition: Composition) -> dict[str, Any]:
    """Return a composition as plain data; the binding alone names what a node takes from another."""
    handed = {(binding.consumer, binding.takes) for binding in composition.bindings}
    theme = composition.theme
    nodes = [
        {
            "id": node.id,
            "subtask": node.subtask,
            "takes": {port: asdict(taken) for port, taken in node.bound.takes.items() if (node.id, port) not in handed},
            "gives": {port: asdict(given) for port, given in node.bound.gives.items()},
            "params": dict(node.bound.params),
        }
        for node in composition.nodes
    ]
    return {
        "seed": composition.seed,
        "goal": composition.goal,
        "purpose": composition.purpose,
        **({"words": composition.words} if composition.words else {}),
        "theme": {field: getattr(theme, field) for field in ("occasion", "place", "person", "year", "name")},
        "nodes": nodes,
        "bindings": [asdict(binding) for binding in composition.bindings],
        "ordering": [list(pair) for pair in sorted(composition.ordering)],
    }


def from_json(data: Any) -> Composition:
    """Read what `to_json` returned; further fields are left aside.

    Raises:
        SpecError: Names every fault in its form, or the first in what it says.
    """
    try:
        record = _Composition.model_validate(data)
    except ValidationError as error:
        raise SpecError(f"not a composition:{form_faults(error)}", remedy="correct each of them") from error
    bindings = tuple(Binding(**one.model_dump()) for one in record.bindings)
    ids = [node.id for node in record.nodes]
    if any(len(pair) != 2 for pair in record.ordering):
        raise SpecError("an ordering is not a pair of nodes", remedy="name the node that comes first, then the other")
    ordering = frozenset((first, later) for first, later in record.ordering)
    dag = Dag(tuple(ids), frozenset((one.producer, one.consumer) for one in bindings))
    nodes = _bind({node.id: node for node in record.nodes}, dag, bindings)
    composition = Composition(
        seed=record.seed,
        theme=Theme(**record.theme.model_dump()),
        nodes=tuple(nodes[id] for id in ids),
        bindings=bindings,
        ordering=ordering,
        goal=record.goal,
        purpose=record.purpose,
        words=record.words,
    )
    # Looking at it refuses unknown nodes and cycles.
    _ = composition.gates
    return composition


def _bind(records: Mapping[str, _Node], dag: Dag, bindings: Sequence[Binding]) -> dict[str, NodePlan]:
    """Bind the nodes, those that hand something on before those that take it."""
    nodes: dict[str, NodePlan] = {}
    for id in dag.order:
        record = records[id]
        takes = {port: Resource(**taken.model_dump()) for port, taken in record.takes.items()}
        gives = {port: Resource(**given.model_dump()) for port, given in record.gives.items()}
        for binding in bindings:
            if binding.consumer == id:
                given = nodes[binding.producer].bound.gives
                if binding.gives not in given:
                    raise UnknownName(f"output of node {binding.producer!r}", binding.gives, given)
                takes[binding.takes] = given[binding.gives]
        nodes[id] = NodePlan(id=id, subtask=record.subtask, bound=Bound(takes=takes, gives=gives, params=record.params))
    return nodes


def form_faults(error: ValidationError) -> str:
    """Return what is wrong with the form of some data, a line for each fault."""
    faults = [f"{'.'.join(map(str, one['loc'])) or 'it'}: {one['msg'].lower()}" for one in error.errors()]
    return "".join(f"\n  - {fault}" for fault in faults)
