"""What of a shape on a slide a person can read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from proctor.vocabulary.formats.visible import can_be_read, is_said, on_page


def seen_lines(
    look: Mapping[str, Any], ground: str | None, size: Sequence[float] | None
) -> tuple[list[str], list[str], bool]:
    """Return the lines of a shape that can be read, those that cannot, and whether the shape is on the slide.

    Args:
        look: The shape with its box, fill and runs.
        ground: The colour of the slide, None where it is no plain one.
        size: Width and height of the slide.
    """
    fill = look.get("fill")
    under = fill if isinstance(fill, str) and fill.startswith("#") else None if fill else ground
    there = on_page(look.get("box_mm"), list(size) if size else None)
    shown, hidden = "", ""
    for run in look.get("runs", ()):
        if there and can_be_read(run, under) and is_said(run):
            shown += run["text"]
        else:
            hidden += run["text"]
            # What a line says goes on after what cannot be read in it.
            shown += "\n" if run["text"].endswith("\n") else ""
    return _lines(shown), _lines(hidden), there


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if line.strip()]
