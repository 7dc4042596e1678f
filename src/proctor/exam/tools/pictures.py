"""Pictures in what tools answer: whatever a server sends is read, bounded and made anew before anybody is shown it."""

from __future__ import annotations

import base64
import binascii
import io

from PIL import Image

from proctor.observations.encode import png

MOST_PICTURES = 4
"""Of one answer that are shown; the others are named."""
MOST_PIXELS = 50_000_000
"""Of one picture that is read at all."""
LARGEST = (1600, 1600)
"""What a larger picture is made to fit."""
FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
BEGINNING = "data:image/png;base64,"


def read_picture(data: str) -> tuple[str, tuple[int, int]] | None:
    """Return a picture as a data URL of a PNG, and its size as it came; None for what cannot be shown."""
    try:
        with Image.open(io.BytesIO(base64.b64decode(data, validate=True)), formats=FORMATS) as image:
            size = image.size
            if size[0] * size[1] > MOST_PIXELS:
                return None
            image.draft("RGB", LARGEST)
            seen = image.convert("RGBA")
    except (binascii.Error, OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        return None
    seen.thumbnail(LARGEST)
    # What is transparent is white, as on a page.
    whole = Image.new("RGB", seen.size, "white")
    whole.paste(seen, mask=seen.getchannel("A"))
    return BEGINNING + base64.b64encode(png(whole)).decode("ascii"), size
