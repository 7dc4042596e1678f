"""Transforms of XML, such as drawings in SVG, also where it is compressed as diagrams of Dia are."""

from __future__ import annotations

import gzip
import re
import zlib
from random import Random

from proctor.prove.transforms.packages import MOST_UNPACKED
from proctor.prove.transforms.shelf import Function, mutant, variant
from proctor.prove.transforms.words import (
    WORD,
    TextChange,
    in_group,
    of_text,
    one_match,
    other_value,
    other_word,
    without_one,
)

FILES = ("*.xml", "*.svg", "*.dia", "*.note", "*.opml", "*.gpx", "*.kml")
_GZIP = b"\x1f\x8b"
_ATTRIBUTE = re.compile(r' (?!xmlns|version|encoding|standalone)[\w:.-]+="([^"<]*\d[^"<]*)"')
_LEAF = re.compile(r"<([A-Za-z][\w:.-]*)\b[^<>]*(?:/>|>[^<>]*</\1>)")
_SHAPE = re.compile(r"<(?:svg:)?(?:rect|text|circle|ellipse|path|image)\b")
_STRAY = '<rect xmlns="http://www.w3.org/2000/svg" x="1" y="1" width="20" height="20" fill="#c00"/>'
_TEXT = re.compile(r">([^<>]*)(?=</)")


def of_markup(change: TextChange) -> Function:
    """Return a change of XML as text as a change of the file, which stays compressed as it was."""

    def of_bytes(data: bytes, draw: Random) -> bytes | None:
        compressed = data.startswith(_GZIP)
        if compressed:
            reader = zlib.decompressobj(wbits=31)
            try:
                data = reader.decompress(data, MOST_UNPACKED)
            except zlib.error:
                return None
            if reader.unconsumed_tail:
                return None
        other = of_text(change)(data, draw) if b"<" in data else None
        return None if other in (None, data) else gzip.compress(other, mtime=0) if compressed else other

    return of_bytes


def _add_comment(text: str, draw: Random) -> str | None:
    return text.rstrip() + "\n<!-- looked over -->\n" if text.rstrip().endswith(">") else None


def _windows_ends(text: str, draw: Random) -> str | None:
    # No reader of XML tells them apart.
    return None if "\r" in text else text.replace("\n", "\r\n")


mutant("a number in an attribute changed", *FILES)(of_markup(in_group(_ATTRIBUTE, other_value)))
mutant("an element dropped", *FILES)(of_markup(without_one(_LEAF)))
mutant("a word between its tags changed", *FILES)(of_markup(in_group(_TEXT, other_word, WORD)))
mutant("an element hidden", "*.svg")(of_markup(one_match(_SHAPE, lambda match, draw: f'{match[0]} display="none"')))
mutant("an element added", "*.svg")(of_markup(one_match(_SHAPE, lambda match, draw: _STRAY + match[0])))
variant("a comment at its end", *FILES, "*.xhb", "*.xspf")(of_markup(_add_comment))
variant("line ends of Windows", "*.xml", "*.svg", "*.xhb", "*.opml", "*.xspf")(of_markup(_windows_ends))
