"""Office packages: a ZIP archive of XML parts, taken apart and packed again, and variants of all of them."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from random import Random

from proctor.prove.transforms.shelf import variant
from proctor.prove.transforms.words import decode, other_number, other_word

PACKAGES = ("*.ods", "*.odt", "*.odp", "*.odg", "*.ott", "*.ots", "*.xlsx", "*.docx", "*.pptx")
OPEN = ("*.ods", "*.odt", "*.odp", "*.odg", "*.ott", "*.ots")
MOST_UNPACKED = 64 * 2**20
MOST_PARTS = 2000
FIRST = "mimetype"
"""The part of an OpenDocument that comes first and is not compressed."""

Parts = dict[str, bytes]


def unpack(data: bytes) -> Parts | None:
    """Return the parts of a package by name; None where it is none, or too large."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            listed = package.infolist()
            names = {info.filename for info in listed}
            if len(listed) > MOST_PARTS or len(names) < len(listed) or sum(i.file_size for i in listed) > MOST_UNPACKED:
                return None
            return {info.filename: package.read(info) for info in listed}
    # What zipfile raises for broken archives is not bounded by its own error.
    except Exception:
        return None


def pack(parts: Parts, compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a package of parts, in their order."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as package:
        for name, data in parts.items():
            how = zipfile.ZIP_STORED if name == FIRST else compression
            package.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), data, how)
    return out.getvalue()


def rewritten(data: bytes, part: str, change: Callable[[str], str | None]) -> bytes | None:
    """Return a package with its first part that a pattern finds and that can be changed, changed."""
    parts = unpack(data)
    if parts is None:
        return None
    for name in sorted(filter(re.compile(part).fullmatch, parts)):
        text = decode(parts[name])
        changed = None if text is None else change(text)
        if changed is not None and changed != text:
            return pack({**parts, name: changed.encode()})
    return None


def one_of(text: str, pattern: re.Pattern[str], draw: Random, change: Callable[[re.Match[str]], str]) -> str | None:
    """Return a text with one match of a pattern, drawn, put differently."""
    found = list(pattern.finditer(text))
    if not found:
        return None
    match = draw.choice(found)
    return text[: match.start()] + change(match) + text[match.end() :]


def other_value(text: str, draw: Random) -> str:
    """Return another text in place of one: another number, another word, or one letter more."""
    return other_number(text, draw) or other_word(text, draw) or text + "q"


@variant("packed again", *PACKAGES)
def packed_again(data: bytes, draw: Random) -> bytes | None:
    """Pack it without compression, the parts in another order."""
    parts = unpack(data)
    if parts is None:
        return None
    first = {FIRST: parts.pop(FIRST)} if FIRST in parts else {}
    return pack({**first, **dict(reversed(parts.items()))}, zipfile.ZIP_STORED)


@variant("without its preview picture", *OPEN)
def without_preview(data: bytes, draw: Random) -> bytes | None:
    """Leave out the small picture that file managers show."""
    parts = unpack(data)
    if parts is None or not any(name.startswith("Thumbnails/") for name in parts):
        return None
    kept = {name: part for name, part in parts.items() if not name.startswith("Thumbnails/")}
    manifest = "META-INF/manifest.xml"
    if manifest in kept:
        kept[manifest] = re.sub(rb'<manifest:file-entry[^>]*"Thumbnails/[^>]*/>', b"", kept[manifest])
    return pack(kept)


@variant("saved by another program at another time", *PACKAGES)
def other_metadata(data: bytes, draw: Random) -> bytes | None:
    """Name another program, another time and other counts in what is said about it."""
    parts = unpack(data)
    if parts is None:
        return None
    for name in ("meta.xml", "docProps/core.xml", "docProps/app.xml"):
        if name in parts:
            said = re.sub(rb"(<meta:generator>)[^<]*", rb"\1Another Office 1.0", parts[name])
            said = re.sub(
                rb"(<(?:dc:date|dcterms:modified|dcterms:created)[^>]*>)[^<]*", rb"\g<1>2026-03-12T11:11:11Z", said
            )
            said = re.sub(rb"(<Application>)[^<]*", rb"\1Another Office", said)
            parts[name] = re.sub(rb"(<meta:editing-cycles>)[^<]*", rb"\g<1>77", said)
    return pack(parts)
