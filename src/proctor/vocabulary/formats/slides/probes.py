"""Probes that look into presentations."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.formats.office.parse_noise import changed_by_saving
from proctor.vocabulary.formats.slides.parse import read_slides
from proctor.vocabulary.formats.slides.parse_as_written import slides_as_written
from proctor.vocabulary.formats.slides.parse_media import picture_of_slide, sound_of_slide
from proctor.vocabulary.formats.sound.parse import listen
from proctor.vocabulary.formats.visible import Look

Number = Annotated[int, Field(ge=1)]


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
    """The slides of a .pptx as saved: shapes, paragraphs with alignment, runs with formatting."""
    return parsed(path, slides_as_written, context.read(path), path)


@PROBES.register_with(picture_of_slide)
def slide_picture(context: ProbeContext, path: str, number: Number = 1, behind: bool = False) -> Look:
    """The first picture on a slide of a .pptx, as `picture` returns it, or the one `behind` all else."""
    return parsed(path, picture_of_slide, context.read(path), path, number, behind)


@PROBES.register_with(sound_of_slide, listen)
def slide_sound(context: ProbeContext, path: str, number: Number = 1) -> Look:
    """The sound on a slide of a .pptx, as `sound` returns it, whether embedded or linked."""
    found = parsed(path, sound_of_slide, context.read(path), path, number)
    linked = found.get("linked")
    return parsed(linked, listen, linked, context.read(linked)) if linked else found
