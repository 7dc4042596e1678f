"""Office packages, ZIP archives of XML parts: taking apart, packing, and variants of all."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable

from proctor.prove.transforms.shelf import Function, variant
from proctor.prove.transforms.words import TextChange, decode

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


def in_part(part: str, change: TextChange) -> Function:
    """Return a change of one part of a package, found by a pattern, as a change of the file."""
    return lambda data, draw: rewritten(data, part, lambda text: change(text, draw))


def _of_parts(change: Callable[[Parts], bytes | None]) -> Function:
    return lambda data, draw: None if (parts := unpack(data)) is None else change(parts)


@variant("packed again", *PACKAGES)
@_of_parts
def _pack_again(parts: Parts) -> bytes:
    """Pack it without compression, the parts in another order."""
    first = {FIRST: parts.pop(FIRST)} if FIRST in parts else {}
    return pack({**first, **dict(reversed(parts.items()))}, zipfile.ZIP_STORED)


@variant("without its preview picture", *OPEN)
@_of_parts
def _drop_preview(parts: Parts) -> bytes | None:
    kept = {name: part for name, part in parts.items() if not name.startswith("Thumbnails/")}
    manifest = "META-INF/manifest.xml"
    if manifest in kept:
        kept[manifest] = re.sub(rb'<manifest:file-entry[^>]*"Thumbnails/[^>]*/>', b"", kept[manifest])
    return pack(kept) if len(kept) < len(parts) else None


@variant("saved by another program at another time", *PACKAGES)
@_of_parts
def _change_metadata(parts: Parts) -> bytes:
    for name in ("meta.xml", "docProps/core.xml", "docProps/app.xml"):
        if name in parts:
            said = re.sub(rb"(<meta:generator>)[^<]*", rb"\1Another Office 1.0", parts[name])
            said = re.sub(
                rb"(<(?:dc:date|dcterms:modified|dcterms:created)[^>]*>)[^<]*", rb"\g<1>2026-03-12T11:11:11Z", said
            )
            said = re.sub(rb"(<Application>)[^<]*", rb"\1Another Office", said)
            parts[name] = re.sub(rb"(<meta:editing-cycles>)[^<]*", rb"\g<1>77", said)
    return pack(parts)
