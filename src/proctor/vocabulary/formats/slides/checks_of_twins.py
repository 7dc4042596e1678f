"""Checks of one presentation beside another that it should be like."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from proctor.tasks.findings import Finding, right, unless, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.tasks.words import short
from proctor.vocabulary.formats.visible import Look

LETTERS = ("font", "size", "bold", "italic", "underline", "colour", "strike")
"""What is told of letters; each has a switch of its name."""
DRAWN_BY_LEVEL = ("align", "level", "mark")
MOST_SAID = 20


class Compared(BaseModel):
    """What of two presentations is compared."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    count: bool = True
    """The number of slides."""
    places: bool = True
    """Where shapes stand and how large they are."""
    text: bool = True
    font: bool = True
    size: bool = True
    bold: bool = True
    italic: bool = True
    underline: bool = True
    colour: bool = True
    strike: bool = True
    align: bool = True
    level: bool = True
    """How far paragraphs are indented."""
    mark: bool = True
    """What stands before the points of lists."""
    background: bool = True
    notes: bool = True
    within_mm: Annotated[float, Field(ge=0)] = 0.3
    """How far places may be off."""
    lenient_height: bool = False
    """Whether the height of shapes does not count: programs work it out anew."""


@CHECKS.register
def same_slides(of: Seen, other: Seen, compared: Compared | None = None) -> Finding:
    """A presentation is like another in all that is compared: shapes, paragraphs, letters, notes."""
    return unless(list(_differences(of, other, compared or Compared()))[:MOST_SAID])


@CHECKS.register
def slides_upright(of: Seen) -> Finding:
    """The slides of a presentation are higher than wide."""
    width, height = of["size_mm"]
    return right() if height > width else wrong(f"The slides of {of['path']} are {width:g} x {height:g} mm.")


@CHECKS.register
def picture_fills_slide(of: Seen, number: Annotated[int, Field(ge=1)] = 1, within_mm: float = 12.7) -> Finding:
    """A picture on a slide, by its number, reaches to all its edges, or near."""
    slides = of["slides"]
    if number > len(slides):
        return wrong(f"{of['path']} has no slide {number}.")
    width, height = of["size_mm"]
    for shape in slides[number - 1]["shapes"]:
        box = shape["box_mm"]
        if shape["kind"] == "picture" and box:
            off = (box[0], box[1], box[0] + box[2] - width, box[1] + box[3] - height)
            if all(abs(each) <= within_mm for each in off):
                return right()
    return wrong(f"No picture fills slide {number} of {of['path']}.")


def _differences(of: Any, other: Any, compared: Compared) -> Iterator[str]:
    mine, theirs = of["slides"], other["slides"]
    if compared.count and len(mine) != len(theirs):
        yield f"{of['path']} has {len(mine)} slides, expected {len(theirs)}."
    for number, (one, two) in enumerate(zip(mine, theirs, strict=False), 1):
        label = f"Slide {number} of {of['path']}"
        if compared.background and one["background"] != two["background"]:
            shown = two["background"] or "that of its design"
            yield f"{label} has the background {one['background'] or 'of its design'}, expected {shown}."
        if compared.notes and _single(one["notes"]) != _single(two["notes"]):
            yield f"{label} has the notes {short(one['notes'])}, expected {short(two['notes'])}."
        if len(one["shapes"]) != len(two["shapes"]):
            yield f"{label} has {len(one['shapes'])} shapes, expected {len(two['shapes'])}."
            continue
        for shape, wanted in zip(one["shapes"], two["shapes"], strict=True):
            yield from _different_shapes(label, shape, wanted, compared)


def _different_shapes(label: str, one: Look, two: Look, compared: Compared) -> Iterator[str]:
    name = short(two["name"] or _text_of(two) or two["kind"], 40)
    if compared.places and not _same_box(one["box_mm"], two["box_mm"], compared):
        yield f"{label}: {name} is not where it should be, or not as large."
    if _text_of(one) != _text_of(two):
        if compared.text:
            yield f"{label}: {name} says {short(_text_of(one))}, expected {short(_text_of(two))}."
        return
    for look in LETTERS:
        if getattr(compared, look) and list(_letters(one, look)) != list(_letters(two, look)):
            yield f"{label}: the {look} of the letters of {name} is not what it should be."
    for look in DRAWN_BY_LEVEL:
        if getattr(compared, look) and _by_paragraph(one, look) != _by_paragraph(two, look):
            yield f"{label}: the {look} of the paragraphs of {name} is not what it should be."


def _same_box(one: list[float] | None, two: list[float] | None, compared: Compared) -> bool:
    if one is None or two is None:
        # What a shape does not say itself is that of its design.
        return (one is None) == (two is None)
    pairs = list(zip(one, two, strict=True))[: 3 if compared.lenient_height else 4]
    return all(abs(a - b) <= compared.within_mm for a, b in pairs)


def _text_of(shape: Look) -> str:
    return "\n".join(paragraph["text"] for paragraph in shape["paragraphs"]).strip()


def _letters(shape: Look, look: str) -> Iterator[tuple[str, object]]:
    """Yield the letters of a shape, each with how it looks, however they are cut into runs."""
    for paragraph in shape["paragraphs"]:
        for run in paragraph["runs"]:
            # What is off is written out by some programs and left out by others.
            for letter in run["text"]:
                if not letter.isspace():
                    yield letter, run[look] or None


def _by_paragraph(shape: Look, look: str) -> list[object]:
    told = [each for each in shape["paragraphs"] if each["text"].strip()]
    usual = {"align": ("l", None), "level": (0,), "mark": ("", None)}[look]
    return [None if each[look] in usual else each[look] for each in told]


def _single(text: str) -> str:
    return " ".join(text.split())
