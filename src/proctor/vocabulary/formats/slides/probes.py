"""Probes that look into presentations."""

from __future__ import annotations

from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.formats.office.parse_noise import changed_by_saving
from proctor.vocabulary.formats.slides.parse import read_slides
from proctor.vocabulary.formats.slides.parse_as_written import slides_as_written


@PROBES.register_with(read_slides, whole="file", noise=changed_by_saving)
def slides(context: ProbeContext, path: str) -> dict[str, object]:
    """A presentation, .odp or .pptx: for each slide title, texts, notes, layout, pictures, shapes.

    Both formats give the same form; the order is the one in which the slides are shown, hidden ones included.
    """
    return parsed(path, read_slides, context.read(path), path)


@PROBES.register_with(read_slides)
def slides_before(context: ProbeContext, path: str) -> dict[str, object]:
    """A presentation as it was before the agent began, in the same form."""
    return parsed(path, read_slides, context.before(path), path)


@PROBES.register_with(slides_as_written)
def pptx(context: ProbeContext, path: str) -> dict[str, object]:
    """The slides of a .pptx as written: shapes, paragraphs with alignment, runs with looks."""
    return parsed(path, slides_as_written, context.read(path), path)
