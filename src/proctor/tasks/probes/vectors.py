"""Probes that look at vector drawings: SVG files and Dia diagrams."""

from __future__ import annotations

from typing import Any

from proctor.tasks.formats.vectors import MOST_BYTES, dia_diagram, drawn
from proctor.tasks.reader.client import parsed
from proctor.tasks.scene import Scene
from proctor.tasks.shelves import PROBES


@PROBES.register
def drawing(scene: Scene, path: str) -> dict[str, Any]:
    """The shapes of an SVG drawing, bottom to top: kind, id, fill, stroke, text and place in the drawing's units."""
    return parsed(path, drawn, path, scene.read(path, most=MOST_BYTES))


@PROBES.register
def diagram(scene: Scene, path: str) -> dict[str, Any]:
    """The objects of a Dia diagram with their texts, and which objects its lines connect."""
    return parsed(path, dia_diagram, path, scene.read(path, most=MOST_BYTES))
