"""Notes of Gnote."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from proctor.vocabulary.apps.notes.parse import apart
from proctor.vocabulary.formats.guarded_xml import parse_xml

GNOTE_FOLDER = ".local/share/gnote"
MARKS = re.compile(r"bold|italic|strikethrough|highlight|monospace|underline|(size:)?(small|large|huge)")
NOTEBOOK_TAG = "system:notebook:"


def gnote_notes(data: bytes, sizes: list[int], names: list[str]) -> list[dict[str, object]]:
    """Return the notes from their files, one after the other in `data`."""
    read = [gnote_note(content, name) for content, name in zip(apart(data, sizes), names, strict=True)]
    return [note for note in read if note is not None]


def gnote_note(data: bytes, label: str) -> dict[str, object] | None:
    """Return one note; None for the templates that new notes are made of."""
    root = _bare(parse_xml(data, label))
    tags = [(tag.text or "").strip() for tag in root.iter("tag")]
    if "system:template" in tags:
        return None
    content = next(root.iter("note-content"), None)
    title = (root.findtext("title") or "").strip()
    lines = "".join(content.itertext()).split("\n") if content is not None else []
    if lines and lines[0].strip() == title:
        lines = lines[1:]
    filed = [tag.removeprefix(NOTEBOOK_TAG) for tag in tags if tag.startswith(NOTEBOOK_TAG)]
    # A note belongs to one notebook; with the tags of two it is in neither of them alone.
    return {
        "title": title,
        "text": "\n".join(lines).strip("\n"),
        "notebook": " and ".join(dict.fromkeys(filed)),
        "uid": label.removesuffix(".note"),
        "tags": sorted({tag for tag in tags if not tag.startswith(NOTEBOOK_TAG)}),
        "looks": _looks(content) if content is not None else [],
        "pinned": (root.findtext("pinned") or "").strip().casefold() == "true",
    }


def _looks(content: Element) -> list[dict[str, str]]:
    """Return which words of a note are set apart (bold, struck through, larger), and how."""
    return [
        {"kind": part.tag, "words": "".join(part.itertext())} for part in content.iter() if MARKS.fullmatch(part.tag)
    ]


def _bare(root: Element) -> Element:
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    return root
