"""Checks on presentations, in whichever format they are saved.

Where texts are compared, typographic quotes, dashes, dots and blanks count as the plain ones, and the amount of blanks
does not matter. Slides are counted from 1, hidden ones included.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import Field

from proctor.tasks.compare import different_lines
from proctor.tasks.findings import Finding, right, unless, wrong
from proctor.tasks.model import PlainModel
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.tasks.words import short
from proctor.vocabulary.formats.documents.paragraphs import tidy
from proctor.vocabulary.formats.slides.sight import pictures_of, texts_of

Number = Annotated[int, Field(ge=1)]
Texts = Annotated[list[Annotated[str, Field(min_length=1)]], Field(min_length=1)]
Colour = Annotated[str, Field(pattern="^#[0-9a-f]{6}$")]


class SlideContent(PlainModel):
    """What a slide is expected to say."""

    title: str
    bullets: tuple[str, ...] = ()
    notes: str = ""


@CHECKS.register
def slide_count(of: Seen, count: Annotated[int, Field(ge=0)]) -> Finding:
    """A presentation has this many slides."""
    slides = len(of["slides"])
    return right() if slides == count else wrong(f"{of['path']} has {slides} slides, expected {count}.")


@CHECKS.register
def slides_are(of: Seen, slides: list[SlideContent]) -> Finding:
    """The slides have exactly this content in this order, whatever their look: titles, points, notes."""
    found = [_slide_text(each["title"], texts_of(each), each["notes"]) for each in of["slides"]]
    wanted = [_slide_text(each.title, list(each.bullets), each.notes) for each in slides]
    return unless(different_lines(of["path"], "\n".join(found), "\n".join(wanted)))


@CHECKS.register
def slide_titles_are(of: Seen, titles: list[str]) -> Finding:
    """The titles of the slides are these, in this order; other content does not matter."""
    found = "\n".join(tidy(slide["title"]) or "(no title)" for slide in of["slides"])
    wanted = "\n".join(tidy(title) or "(no title)" for title in titles)
    return unless(different_lines(f"{of['path']}, titles", found, wanted))


@CHECKS.register
def slide_title(of: Seen, number: Number, title: str) -> Finding:
    """A slide has this title."""
    return _judge(of, number, "title", title, lambda held: tidy(held) == tidy(title))


@CHECKS.register
def slide_text_has(of: Seen, number: Number, texts: Texts) -> Finding:
    """All of these texts are on a slide, in its title, a bullet point or a shape."""
    slide = _slide(of, number)
    held = [] if slide is None else [tidy(text) for text in (slide["title"], *texts_of(slide))]
    return unless(
        f"Slide {number} of {of['path']} does not say {short(text)}."
        for text in texts
        if not any(tidy(text) in each for each in held)
    )


@CHECKS.register
def slide_text_lacks(of: Seen, number: Number, texts: Texts) -> Finding:
    """None of these texts is on a slide, which must exist."""
    slide = _slide(of, number)
    if slide is None:
        return wrong(_no_slide(of, number))
    held = [tidy(text) for text in (slide["title"], *texts_of(slide))]
    return unless(
        f"Slide {number} of {of['path']} says {short(text)}."
        for text in texts
        if any(tidy(text) in each for each in held)
    )


@CHECKS.register
def slide_notes_are(of: Seen, number: Number, notes: str) -> Finding:
    """The speaker's notes of a slide are these; line breaks count as blanks."""
    return _judge(of, number, "notes", notes, lambda held: tidy(held) == tidy(notes))


@CHECKS.register
def notes_have(of: Seen, number: Number, text: str) -> Finding:
    """The speaker's notes of a slide contain this."""
    return _judge(of, number, "notes", text, lambda held: tidy(text) in tidy(held))


@CHECKS.register
def slide_background(
    of: Seen, number: Number, colour: Colour, within: Annotated[int, Field(ge=0, le=255)] = 8
) -> Finding:
    """A slide has a plain background of this colour, each of red, green and blue within a tolerance."""

    def near(held: str | None) -> bool:
        pairs = zip(_rgb(held), _rgb(colour), strict=True) if held else ()
        return bool(held) and all(abs(found - wanted) <= within for found, wanted in pairs)

    return _judge(of, number, "background", colour, near)


@CHECKS.register
def slide_layout(of: Seen, number: Number, layout: str) -> Finding:
    """A slide has this layout: `blank`, `title only`, `title slide`, `title and content`..."""
    return _judge(of, number, "layout", layout, lambda held: held == layout)


@CHECKS.register
def slides_hidden(of: Seen, numbers: list[Number]) -> Finding:
    """Exactly these slides are hidden."""
    found = [place for place, slide in enumerate(of["slides"], 1) if slide["hidden"]]
    return (
        right() if found == sorted(numbers) else wrong(f"Hidden slides of {of['path']}: {found}, expected {numbers}.")
    )


@CHECKS.register
def slide_transition(of: Seen, number: Number, has: bool = True) -> Finding:
    """A slide has a transition of any kind, or none."""
    slide = _slide(of, number)
    if slide is None:
        return wrong(_no_slide(of, number))
    state = "a transition" if slide["transition"] else "no transition"
    return right() if bool(slide["transition"]) == has else wrong(f"Slide {number} of {of['path']} has {state}.")


@CHECKS.register
def slide_comes_in(of: Seen, number: Number, by: str) -> Finding:
    """A slide has this transition, as its format calls it."""
    return _judge(of, number, "transition", by, lambda held: bool(held == by))


@CHECKS.register
def picture_on_slide(of: Seen, number: Number, picture: Seen) -> Finding:
    """A slide shows a picture; its size and position do not matter.

    It is the file that `digest` looked at, byte for byte, or the one that `picture` did, pixel for pixel: what is
    pasted, and not inserted, is saved anew.
    """
    slide = _slide(of, number)
    if slide is None:
        return wrong(_no_slide(of, number))
    known = {key: value for key, value in picture.items() if key in ("sha256", "digest") and value}
    if any(each.get(key) == value for each in pictures_of(slide) for key, value in known.items()):
        return right()
    held = len(pictures_of(slide))
    return wrong(f"Slide {number} of {of['path']} has {held} pictures, and {picture['path']} is not among them.")


@CHECKS.register
def slides_format(of: Seen, format: Literal["odp", "pptx"]) -> Finding:
    """A presentation is saved in this format, whatever its name ends in."""
    return right() if of["format"] == format else wrong(f"{of['path']} is saved as {of['format']}, expected {format}.")


def _slide(of: Any, number: int) -> dict[str, Any] | None:
    return of["slides"][number - 1] if number <= len(of["slides"]) else None


def _no_slide(of: Any, number: int) -> str:
    return f"{of['path']} has {len(of['slides'])} slides, and no slide {number}."


def _judge(of: Any, number: int, what: str, wanted: str, fits: Callable[[Any], bool]) -> Finding:
    slide = _slide(of, number)
    if slide is None:
        return wrong(_no_slide(of, number))
    said = f"The {what} of slide {number} of {of['path']}: {short(slide[what] or 'none')}, expected {short(wanted)}."
    return right() if fits(slide[what]) else wrong(said)


def _slide_text(title: str, texts: list[str], notes: str) -> str:
    # Lines that end in a break of their own look like those that end a point.
    lines = [tidy(line) for text in texts for line in text.split("\n")]
    told = [f"# {tidy(title)}", *(f"- {line}" for line in lines if line)]
    return "\n".join([*told, f"(notes: {tidy(notes)})"] if notes.strip() else told)


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
