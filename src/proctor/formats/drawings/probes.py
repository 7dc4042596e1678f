"""Probes that look at vector drawings: SVG files and Dia diagrams."""

from __future__ import annotations

from typing import Any

from proctor.formats.drawings.reading import MOST_BYTES, drawn
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES


@PROBES.register
def drawing(context: ProbeContext, path: str) -> dict[str, Any]:
    """The shapes of an SVG drawing, bottom to top: kind, id, fill, stroke, text and place in the drawing's units."""
    return parsed(path, drawn, path, context.read(path, most=MOST_BYTES))
