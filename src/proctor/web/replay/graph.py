"""The graph of a composed task, laid out to be drawn: subtasks in layers, edges past them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from proctor.store.paths import RunPaths
from proctor.web.files import read_json, read_object

MOST_NODES = 200
MOST_EDGES = 1000
MOST_TEXT = 1000

_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)
_SWEEPS = 4
_BEND = 0.35
"""The room that an edge takes in a layer it passes through; a subtask takes 1."""

Edge = tuple[str, str]
Slot = str | tuple[str, str, int]
"""What has a place in a layer: a subtask, or an edge on its way through."""
Place = tuple[float, float]
"""Across and down."""


@dataclass(frozen=True)
class GraphShape:
    """Which subtasks there are, and what comes before what."""

    nodes: Mapping[str, dict[str, str]]
    edges: tuple[Edge, ...]
    last: tuple[Edge, ...]
    """What must come later only because both write to one place."""

    @classmethod
    def read(cls, data: object) -> GraphShape | None:
        """Return the graph in a task file; None when it has none that can be drawn."""
        graph = data.get("graph") if isinstance(data, dict) else None
        listed = graph.get("nodes") if isinstance(graph, dict) else None
        if not isinstance(graph, dict) or not isinstance(listed, list) or not 0 < len(listed) <= MOST_NODES:
            return None
        nodes = {
            node["id"]: {name: _short(node.get(name)) for name in ("id", "app", "ask", "subtask")}
            for node in listed
            if isinstance(node, dict) and isinstance(node.get("id"), str)
        }
        if len(nodes) < len(listed):
            return None
        edges, last = (_edges(graph.get(name, []), nodes) for name in ("edges", "last"))
        return None if edges is None or last is None else cls(nodes, edges, last)

    def depths(self) -> dict[str, int] | None:
        """Return how deep each subtask lies, from 0; None when they go round in a circle."""
        found: dict[str, int] = {}
        before = {node: [first for first, later in self.edges if later == node] for node in self.nodes}
        while len(found) < len(self.nodes):
            ready = [node for node in self.nodes if node not in found and all(one in found for one in before[node])]
            if not ready:
                return None
            found |= {node: 1 + max((found[one] for one in before[node]), default=-1) for node in ready}
        return found


def graph_of(episode: Path, digest: str) -> dict[str, object] | None:
    """Return what is to be drawn for the episode in a folder, by its task; None without a graph."""
    if not _DIGEST.fullmatch(digest):
        return None
    shape = GraphShape.read(read_json(RunPaths(episode.parents[4]).task(digest)))
    drawn = lay_out(shape) if shape else None
    verdict = read_object(episode / "verdict.json")
    return drawn and {
        **drawn,
        "completed": list(_evidence_of(verdict, "progress", "completed")),
        "seen": _apps_seen(verdict),
    }


def lay_out(shape: GraphShape) -> dict[str, object] | None:
    """Return subtasks and edges with their places; a layer is 1 high, a subtask 1 wide."""
    depths = shape.depths()
    if depths is None:
        return None
    places = _places(_layers(shape, depths))
    nodes = [{**node, "depth": depths[id] + 1, "at": places[id]} for id, node in shape.nodes.items()]
    edges = [
        {
            "from": first,
            "to": later,
            "past": [places[first, later, on] for on in range(depths[first] + 1, depths[later])],
        }
        for first, later in shape.edges
    ]
    last = [{"from": first, "to": later, "past": [], "last": True} for first, later in shape.last]
    return {"nodes": nodes, "edges": [*edges, *last]}


def _layers(shape: GraphShape, depths: Mapping[str, int]) -> list[list[Slot]]:
    layers: list[list[Slot]] = [[] for _ in range(max(depths.values()) + 1)]
    for node, depth in depths.items():
        layers[depth].append(node)
    above: dict[Slot, list[Slot]] = {}
    for first, later in shape.edges:
        way: list[Slot] = [first, *((first, later, on) for on in range(depths[first] + 1, depths[later])), later]
        for depth, slot in enumerate(way[1:-1], depths[first] + 1):
            layers[depth].append(slot)
        for one, other in pairwise(way):
            above.setdefault(other, []).append(one)
    below: dict[Slot, list[Slot]] = {}
    for slot, others in above.items():
        for other in others:
            below.setdefault(other, []).append(slot)
    places = _places(layers)
    for sweep in range(_SWEEPS):
        near, order = (above, range(1, len(layers))) if sweep % 2 == 0 else (below, range(len(layers) - 2, -1, -1))
        for depth in order:
            layers[depth].sort(key=lambda slot: _middle(slot, near, places))
            places |= _places_in(layers[depth], depth)
    return layers


def _middle(slot: Slot, near: Mapping[Slot, Sequence[Slot]], places: Mapping[Slot, Place]) -> float:
    """Return where a slot would best lie, from those it is bound to; where it is when there are none."""
    others = [places[other][0] for other in near.get(slot, ())] or [places[slot][0]]
    return sum(others) / len(others)


def _places(layers: Sequence[Sequence[Slot]]) -> dict[Slot, Place]:
    return {slot: place for depth, layer in enumerate(layers) for slot, place in _places_in(layer, depth).items()}


def _places_in(layer: Sequence[Slot], depth: int) -> dict[Slot, Place]:
    widths = [1.0 if isinstance(slot, str) else _BEND for slot in layer]
    found: dict[Slot, Place] = {}
    left = -sum(widths) / 2
    for slot, width in zip(layer, widths, strict=True):
        found[slot] = (round(left + width / 2, 3), float(depth))
        left += width
    return found


def _edges(data: object, nodes: Mapping[str, object]) -> tuple[Edge, ...] | None:
    if not isinstance(data, list) or len(data) > MOST_EDGES:
        return None
    found: dict[Edge, None] = {}
    for edge in data:
        if (
            not isinstance(edge, list)
            or len(edge) != 2
            or not all(isinstance(one, str) and one in nodes for one in edge)
        ):
            return None
        found[edge[0], edge[1]] = None
    return tuple(found)


def _apps_seen(verdict: object) -> dict[str, str]:
    """Return in which application each completed subtask was done."""
    return {node: _short(app) for node, app in _evidence_of(verdict, "apps").items()}


def _evidence_of(verdict: object, *names: str) -> dict[str, object]:
    """Return what the judge kept of the graph; what is completed last may be in no step."""
    found = verdict
    for name in ("evidence", "graph", *names):
        found = found.get(name) if isinstance(found, dict) else None
    return {str(node): held for node, held in found.items()} if isinstance(found, dict) else {}


def _short(text: object) -> str:
    whole = text if isinstance(text, str) else ""
    return whole if len(whole) <= MOST_TEXT else f"{whole[:MOST_TEXT]}…"
