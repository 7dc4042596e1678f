"""The text of PDF files that can be read on their pages."""

from __future__ import annotations

import base64
import io
import re
from html import unescape
from typing import Any

from PIL import Image

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.pictures.parse import describe_image

LIGATURES = str.maketrans({"\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl"})
"""Some programs write joined letters as one sign; they are read as the letters that they are."""
PNG = b"\x89PNG\r\n\x1a\n"
MOST_PIXELS = 1_000_000
FAINTEST = 32
"""How much lighter or darker, of 255, something must be around a word that can be read."""
SMALLEST = 5.0
"""The height of a line of letters, in points, below which nobody reads them."""
_PAGE = re.compile(r'<page width="([\d.]+)" height="([\d.]+)">(.*?)</page>', re.DOTALL)
_WORD = re.compile(r'<word xMin="(-?[\d.]+)" yMin="(-?[\d.]+)" xMax="(-?[\d.]+)" yMax="(-?[\d.]+)">(.*?)</word>')


def preload() -> None:
    """Load what Pillow loads when it meets a picture for the first time."""
    Image.preinit()


def page_texts(printed: str) -> list[str]:
    """Return the text of each page in what `pdftotext` prints, with single blanks between words."""
    # Every page ends with a form feed, the last one too.
    pages = printed.translate(LIGATURES).split("\f")[:-1]
    return [re.sub(r"\s+", " ", page).strip() for page in pages]


def legible(pages: list[str], boxes: str, drawn: str) -> list[str]:
    """Return the texts of pages without the words that do not show.

    `boxes` is where the words are, as `pdftotext -bbox` tells, `drawn` the first pages as pictures (`pdftoppm -png`) in
    base64. Of a page where some words do not show, the others are returned in the order of the file.
    """
    told = [_words(*found) for found in _PAGE.findall(boxes)]
    shown = list(pages)
    for place, (picture, words) in enumerate(zip(_pictures(drawn), told, strict=False)):
        seen = [word for box, word in words if _shows(picture, box) or not re.search(r"\w", word)]
        if place < len(shown) and len(seen) < len(words):
            shown[place] = " ".join(seen).translate(LIGATURES)
    return shown


def page_margins(boxes: str) -> list[dict[str, float]]:
    """Return what of each page is free below its lowest word, in points; all of an empty one."""
    return [
        {
            "height": float(height),
            "below": max(0.0, float(height) * (1 - max((box[3] for box, _ in words), default=0.0))),
        }
        for _, height, inside in _PAGE.findall(boxes)
        for words in [_words("1", height, inside)]
    ]


def pages_as_pictures(drawn: str) -> list[dict[str, object]]:
    """Return what each drawn page shows, as pictures are told."""
    pictures = enumerate(_pictures(drawn), 1)
    return [describe_image(f"page {number}", "PNG", picture.convert("RGB")) for number, picture in pictures]


Box = tuple[float, float, float, float, float]
"""Left, top, right and bottom as shares of the page, and the height in points."""


def _words(width: str, height: str, inside: str) -> list[tuple[Box, str]]:
    wide, high = max(1.0, float(width)), max(1.0, float(height))
    return [
        ((float(a) / wide, float(b) / high, float(c) / wide, float(d) / high, float(d) - float(b)), unescape(word))
        for a, b, c, d, word in _WORD.findall(inside)
    ]


def _pictures(drawn: str) -> list[Image.Image]:
    try:
        data = base64.b64decode(drawn, validate=False)
    except ValueError as error:  # signs of no alphabet of its own, or too few of them
        raise CannotSee("unreadable", "the pages of a PDF file cannot be drawn") from error
    return [_picture(PNG + part) for part in data.split(PNG)[1:]]


def _picture(data: bytes) -> Image.Image:
    with Image.open(io.BytesIO(data), formats=("PNG",)) as image:
        if image.width * image.height > MOST_PIXELS:
            raise CannotSee("refused", "the pages of a PDF file are drawn too large to be looked at")
        return image.convert("L")


def _shows(picture: Image.Image, box: Box) -> bool:
    left, top, right, bottom, height = box
    if height < SMALLEST:
        return False
    start = max(0, int(left * picture.width)), max(0, int(top * picture.height))
    end = min(picture.width, int(right * picture.width) + 1), min(picture.height, int(bottom * picture.height) + 1)
    if end[0] <= start[0] or end[1] <= start[1]:
        return False
    darkest, lightest = _extremes(picture.crop((*start, *end)))
    return lightest - darkest >= FAINTEST


def _extremes(picture: Image.Image) -> tuple[int, int]:
    found: Any = picture.getextrema()
    return int(found[0]), int(found[1])
