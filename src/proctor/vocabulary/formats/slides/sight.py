"""What slides say and show, in order, and what of a shape a person can read."""

from __future__ import annotations

from collections.abc import Sequence

from proctor.vocabulary.formats.visible import LINE_BREAK, SMALL_MM, Look, can_be_read, is_said, on_page

SIDELINES = ("page", "header", "footer", "date-time", "page-number", "dt", "ftr", "sldNum", "hdr")
"""Places for date, footer, number and header: not what a slide says."""
TITLES = ("title", "ctrTitle")


def shape_on_slide(look: Look, role: str, ground: str | None, size: Sequence[float] | None) -> Look:
    """Return a shape with what can be read in it, `text`, apart from what cannot, `unseen`.

    A title's text is told by its slide, so only its looks are here, as `letters`.

    Args:
        look: The shape with its box, fill and runs.
        role: The place of the layout that it fills; empty for none.
        ground: The colour of the slide, None where it is no plain one.
        size: Width and height of the slide.
    """
    shown, hidden = seen_lines(look, ground, size)
    told = {**look, "text": "\n".join(shown), **({"role": role} if role else {})}
    if hidden:
        told["unseen"] = "\n".join(hidden)
    if size and not on_page(look.get("box_mm"), list(size)):
        told["off_page"] = True
    if role in TITLES:
        letters: list[Look] = []
        for run in told.pop("runs", ()):
            own = {key: value for key, value in run.items() if key != "text"}
            letters += [] if own in letters else [own]
        del told["text"]
        told["letters"] = letters
    return told


def seen_lines(look: Look, ground: str | None, size: Sequence[float] | None) -> tuple[list[str], list[str]]:
    """Return the lines of a shape that can be read, and those that cannot."""
    fill = look.get("fill")
    under = fill if isinstance(fill, str) and fill.startswith("#") else None if fill else ground
    there = not look.get("hidden") and on_page(look.get("box_mm"), list(size) if size else None)
    shown, hidden = "", ""
    for run in look.get("runs", ()):
        if there and can_be_read(run, under) and is_said(run):
            shown += run["text"]
        else:
            hidden += run["text"]
            # What a line says goes on after what cannot be read in it.
            shown += "\n" if run["text"].endswith("\n") else ""
    return _lines(shown), _lines(hidden)


def texts_of(slide: Look) -> list[str]:
    """Return what a slide says besides its title, by paragraphs."""
    if "texts" in slide:
        return list(slide["texts"])
    shapes = (shape for shape in slide["shapes"] if shape.get("role", "") not in TITLES)
    texts = (line.replace(LINE_BREAK, "\n") for shape in shapes for line in shape.get("text", "").split("\n"))
    return [text for text in texts if text]


def pictures_of(slide: Look) -> list[Look]:
    """Return the pictures that a slide shows."""
    if "pictures" in slide:
        return list(slide["pictures"])
    return [
        shape
        for shape in slide["shapes"]
        if shape.get("sha256") and not shape.get("off_page") and not shape.get("hidden") and _is_large(shape)
    ]


def _is_large(shape: Look) -> bool:
    box = shape.get("box_mm")
    return not box or min(box[2:]) >= SMALL_MM


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if line.strip()]
