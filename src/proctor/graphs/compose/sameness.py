"""When two compositions are the same: a digest that they share then, and otherwise do not."""

from __future__ import annotations

import hashlib
import json
from typing import Literal

from proctor.graphs.compose.composition import Composition
from proctor.graphs.mathematics.dag import Dag
from proctor.graphs.mathematics.isomorphism import canonical_form

Distinct = Literal["parameters", "graph"]
"""What tells compositions apart: everything that is chosen, or subtasks and how they are joined."""


def digest(composition: Composition, distinct: Distinct = "parameters") -> bytes:
    """Return 16 bytes that compositions share when only names and the order of nodes differ."""
    text = _with_parameters(composition) if distinct == "parameters" else _graph_alone(composition)
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


def _with_parameters(composition: Composition) -> str:
    """Say what each node does to what; as things have names, that says how nodes are joined too."""
    nodes = [
        [
            node.subtask,
            sorted(node.bound.params.items()),
            sorted((port, taken.value) for port, taken in node.bound.takes.items()),
            sorted((port, given.value) for port, given in node.bound.gives.items()),
        ]
        for node in composition.nodes
    ]
    return json.dumps(sorted(nodes), separators=(",", ":"))


def _graph_alone(composition: Composition) -> str:
    """Return the form of a graph in which what is handed on, and as what, has nodes as well."""
    labels = {node.id: node.subtask for node in composition.nodes}
    edges = set()
    joined = set()
    for binding in composition.bindings:
        hand = f"{binding.producer}.{binding.gives}>{binding.consumer}.{binding.takes}"
        labels[hand] = f"{binding.gives}>{binding.takes}"
        edges |= {(binding.producer, hand), (hand, binding.consumer)}
        joined.add((binding.consumer, binding.takes))
    for node in composition.nodes:
        for port, taken in node.bound.takes.items():
            if (node.id, port) not in joined:
                there, hand = f"={taken.value}", f">{node.id}.{port}"
                labels |= {there: taken.kind, hand: f">{port}"}
                edges |= {(there, hand), (hand, node.id)}
    return canonical_form(Dag(tuple(labels), frozenset(edges)), labels).digest()
