"""Checks of one presentation beside another that it should be like."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Annotated, Literal

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
Places = Annotated[list[Annotated[int, Field(ge=1)]], Field(min_length=1)]
CLEARLY = 50
"""How much more of one colour there must be than of the others, of 255."""


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
    only_height: bool = False
    """Whether only the height counts of what holds no text, and of free forms."""
    picture_size: bool = False
    """Whether pictures must be as large, wherever they stand."""
    anywhere: list[str] = []
    """What shapes say whose place does not count."""


@CHECKS.register
def same_slides(of: Seen, other: Seen, compared: Compared | None = None) -> Finding:
    """A presentation equals another in all that is compared: shapes, paragraphs, text, notes."""
    return unless(list(_differences(of, other, compared or Compared()))[:MOST_SAID])


@CHECKS.register
def shape_nearer(
    of: Seen,
    other: Seen,
    edge: Literal["top", "bottom", "right"],
    line_mm: Annotated[float, Field(ge=0)],
    number: Annotated[int, Field(ge=1)] | None = None,
    kind: Literal["picture", "table", "text", "no text"] = "text",
    says: str = "",
) -> Finding:
    """Shapes are nearer to an edge than in another presentation, past a line; others have not moved.

    The line is so far from the top, for `right` from the left. The shapes are those of a kind, on one slide or on all,
    that say this, if anything is given. What says the same in both may be elsewhere unless the slide is given.
    """
    chosen, problems = 0, [f"{of['path']} has other slides, or other shapes on them."] * (not _pairs_up(of, other))
    for place, one, two in _pairs(of, other):
        label = f"Slide {place} of {of['path']}: {short(two['name'] or two['kind'], 40)}"
        if number in (None, place) and all(_is_of(shape, kind, says) for shape in (one, two)):
            chosen += 1
            if not _is_nearer(one["box_mm"], two["box_mm"], edge, line_mm):
                problems.append(f"{label} has not been moved to the {edge}.")
        elif number is None and _holds_text(one) and _text_of(one) == _text_of(two):
            continue
        elif not _same_box(one, two, Compared()):
            problems.append(f"{label} is not where it was, or not as large.")
    if not chosen:
        problems.append(f"{of['path']} has nothing there that could have been moved.")
    return unless(problems[:MOST_SAID])


@CHECKS.register
def slide_numbers_coloured(of: Seen, colour: Literal["red", "green", "blue", "black"]) -> Finding:
    """The number of every slide has a colour, on the slide itself or by its layout."""
    return unless(
        f"The number of slide {number} of {of['path']} is {slide['number_colour'] or 'in no colour of its own'}."
        for number, slide in enumerate(of["slides"], 1)
        if not _is_colour(slide["number_colour"], colour)
    )


@CHECKS.register
def paragraphs_struck(of: Seen, slides: Places, shapes: Places, paragraphs: Places) -> Finding:
    """These paragraphs of these shapes on these slides, counted from 1, are struck through."""
    problems = []
    for number in slides:
        held = of["slides"][number - 1]["shapes"] if number <= len(of["slides"]) else []
        for place in shapes:
            lines = held[place - 1]["paragraphs"] if place <= len(held) else []
            for line in paragraphs:
                runs = lines[line - 1]["runs"] if line <= len(lines) else []
                if not runs or any(run["text"].strip() and run["strike"] != "sngStrike" for run in runs):
                    problems.append(f"Paragraph {line} of shape {place} on slide {number} is not struck through.")
    return unless(problems[:MOST_SAID])


@CHECKS.register
def grounds_near(of: Seen, colour: Annotated[str, Field(pattern=r"^#[0-9a-f]{6}$")]) -> Finding:
    """How close the backgrounds of slides (of `slides`) are to a colour, on average, as the score."""
    far = [_distance(slide["background"], colour) for slide in of["slides"]]
    score = 1 - sum(far) / len(far) if far else 0.0
    said = f"The slides of {of['path']} do not have the background {colour}."
    return right() if score > 0.999 else Finding(max(round(score, 6), 0.0), (said,))


@CHECKS.register
def slides_upright(of: Seen) -> Finding:
    """The slides of a presentation are in portrait format."""
    width, height = of["size_mm"]
    return right() if height > width else wrong(f"The slides of {of['path']} are {width:g} x {height:g} mm.")


@CHECKS.register
def picture_fills_slide(of: Seen, number: Annotated[int, Field(ge=1)] = 1, within_mm: float = 12.7) -> Finding:
    """A picture on a slide, by its number, extends to all its edges, or nearly."""
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


def _differences(of: Look, other: Look, compared: Compared) -> Iterator[str]:
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
    counts = compared.places and not (_text_of(two) and _text_of(one) == _text_of(two) in compared.anywhere)
    if counts and not _same_box(one, two, compared):
        yield f"{label}: {name} is not where it should be, or not as large."
    if compared.picture_size and one["kind"] == two["kind"] == "picture" and not _same_size(one, two, compared):
        yield f"{label}: {name} is not as large as it should be."
    if compared.text and one["cells"] != two["cells"]:
        yield f"{label}: {name} has {_grid(one)}, expected {_grid(two)}."
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


def _grid(shape: Look) -> str:
    return "no cells" if shape["cells"] is None else "{} rows and {} columns".format(*shape["cells"])


def _same_box(one: Look, two: Look, compared: Compared) -> bool:
    mine, theirs = one["box_mm"], two["box_mm"]
    if mine is None or theirs is None:
        # What neither a shape nor its design says nobody can compare.
        return (mine is None) == (theirs is None)
    bare = not (_holds_text(one) or _holds_text(two)) or (one["free"] and two["free"])
    sides = (3,) if compared.only_height and bare else (0, 1, 2) if compared.lenient_height else (0, 1, 2, 3)
    return all(abs(mine[side] - theirs[side]) <= compared.within_mm for side in sides)


def _same_size(one: Look, two: Look, compared: Compared) -> bool:
    mine, theirs = one["box_mm"], two["box_mm"]
    return bool(mine and theirs) and all(abs(mine[side] - theirs[side]) <= compared.within_mm for side in (2, 3))


def _is_nearer(box: list[float] | None, was: list[float] | None, edge: str, line_mm: float) -> bool:
    if box is None or was is None:
        return False
    side = 0 if edge == "right" else 1
    if edge == "top":
        return box[side] < was[side] and box[side] <= line_mm
    return box[side] > was[side] and box[side] >= line_mm


def _is_of(shape: Look, kind: str, says: str) -> bool:
    holds = _holds_text(shape)
    fits = {"text": holds, "no text": not holds}.get(kind, shape["kind"] == kind)
    return fits and (not says or _text_of(shape) == says)


def _holds_text(shape: Look) -> bool:
    return bool(shape["kind"] == "shape")


def _pairs(of: Look, other: Look) -> Iterator[tuple[int, Look, Look]]:
    """Yield the shapes of two presentations, each with its counterpart and the number of the slide."""
    for place, (mine, theirs) in enumerate(zip(of["slides"], other["slides"], strict=False), 1):
        for one, two in zip(mine["shapes"], theirs["shapes"], strict=False):
            yield place, one, two


def _pairs_up(of: Look, other: Look) -> bool:
    counts = [[len(slide["shapes"]) for slide in each["slides"]] for each in (of, other)]
    return counts[0] == counts[1]


def _distance(one: str | None, other: str) -> float:
    """Return how far two colours lie apart, as a share of black from white."""
    if one is None or not re.fullmatch("#[0-9a-f]{6}", one):
        return 1.0
    parts = ([int(each[at : at + 2], 16) for at in (1, 3, 5)] for each in (one, other))
    return math.dist(*parts) / math.dist((0, 0, 0), (255, 255, 255))


def _is_colour(colour: str | None, name: str) -> bool:
    """Tell whether a colour is, by a clear margin, what people call by a name."""
    if colour is None or not re.fullmatch("#[0-9a-f]{6}", colour):
        return False
    parts = dict(zip(("red", "green", "blue"), (int(colour[at : at + 2], 16) for at in (1, 3, 5)), strict=True))
    if name == "black":
        return all(part < CLEARLY for part in parts.values())
    return all(parts[name] > part + CLEARLY for other, part in parts.items() if other != name)


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
