"""Transforms of XML, drawings in SVG among it, and of XML that is compressed as diagrams of Dia are."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Callable
from random import Random

from proctor.prove.transforms.packages import MOST_UNPACKED, one_of, other_value
from proctor.prove.transforms.shelf import mutant, variant
from proctor.prove.transforms.words import WORD, decode, other_word

FILES = ("*.xml", "*.svg", "*.dia", "*.note", "*.opml", "*.gpx", "*.kml")
_GZIP = b"\x1f\x8b"
_ATTRIBUTE = re.compile(r'(?<= )(?!xmlns|version|encoding|standalone)([\w:.-]+)="([^"<]*\d[^"<]*)"')
_LEAF = re.compile(r"<([A-Za-z][\w:.-]*)\b[^<>]*(?:/>|>[^<>]*</\1>)")
_TEXT = re.compile(r">([^<>]*)(?=</)")


def rewritten_text(data: bytes, change: Callable[[str], str | None]) -> bytes | None:
    """Return XML changed as text, compressed as it was."""
    compressed = data.startswith(_GZIP)
    if compressed:
        reader = zlib.decompressobj(wbits=31)
        try:
            data = reader.decompress(data, MOST_UNPACKED)
        except zlib.error:
            return None
        if reader.unconsumed_tail:
            return None
    text = decode(data)
    if text is None or "<" not in text:
        return None
    other = change(text)
    if other is None or other == text:
        return None
    return gzip.compress(other.encode(), mtime=0) if compressed else other.encode()


@mutant("a number in an attribute changed", *FILES)
def attribute_changed(data: bytes, draw: Random) -> bytes | None:
    """Put another number into an attribute."""
    return rewritten_text(
        data,
        lambda text: one_of(text, _ATTRIBUTE, draw, lambda m: f'{m.group(1)}="{other_value(m.group(2), draw)}"'),
    )


@mutant("an element dropped", *FILES)
def element_dropped(data: bytes, draw: Random) -> bytes | None:
    """Leave out one element that holds no others."""
    return rewritten_text(data, lambda text: one_of(text, _LEAF, draw, lambda match: ""))


@mutant("a word between its tags changed", *FILES)
def word_changed(data: bytes, draw: Random) -> bytes | None:
    """Put another word in place of one between tags."""

    def change(text: str) -> str | None:
        found = [match for match in _TEXT.finditer(text) if WORD.search(match.group(1))]
        if not found:
            return None
        match = draw.choice(found)
        return text[: match.start(1)] + (other_word(match.group(1), draw) or "") + text[match.end(1) :]

    return rewritten_text(data, change)


@variant("a comment at its end", *FILES, "*.xhb", "*.xspf")
def comment(data: bytes, draw: Random) -> bytes | None:
    """Add a comment behind the last element."""
    return rewritten_text(
        data, lambda text: text.rstrip() + "\n<!-- looked over -->\n" if text.rstrip().endswith(">") else None
    )


@variant("line ends of Windows", "*.xml", "*.svg", "*.xhb", "*.opml", "*.xspf")
def line_ends(data: bytes, draw: Random) -> bytes | None:
    """End lines as Windows does, which no reader of XML tells apart."""
    return rewritten_text(data, lambda text: None if "\r" in text else text.replace("\n", "\r\n"))
