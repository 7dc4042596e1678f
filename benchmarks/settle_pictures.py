"""A stale view beside the screen that was there, for looking at."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageDraw

from proctor.observations.box import Box


def side_by_side(seen: Image.Image, later: Image.Image, boxes: Sequence[Box]) -> Image.Image:
    """Return two pictures beside each other, with boxes drawn in both."""
    width, height = seen.size
    both = Image.new("RGB", (2 * width + 8, height), "red")
    both.paste(seen, (0, 0))
    both.paste(later, (width + 8, 0))
    pen = ImageDraw.Draw(both)
    for x, y, wide, tall in boxes:
        for left in (0, width + 8):
            pen.rectangle((left + x - 2, y - 2, left + x + wide + 1, y + tall + 1), outline="red", width=2)
    return both
