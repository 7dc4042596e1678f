"""Probes that look at Dia diagrams."""

from __future__ import annotations

from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.apps.dia.parse import MOST_BYTES, dia_diagram


@PROBES.register_with(dia_diagram, whole="file")
def diagram(context: ProbeContext, path: str) -> dict[str, object]:
    """The objects of a Dia diagram with their texts, and which objects its lines connect."""
    return parsed(path, dia_diagram, path, context.read(path, most=MOST_BYTES))
