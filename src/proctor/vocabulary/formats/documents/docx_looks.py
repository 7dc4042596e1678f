"""How the paragraphs of a Word document look besides their letters, and what else lies in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from proctor.vocabulary.formats.guarded_xml import Element
from proctor.vocabulary.formats.office.parse_ooxml import related_part
from proctor.vocabulary.formats.office.parse_xml import PackageParts, children, get, number
from proctor.vocabulary.formats.visible import Look

_SPACES = {
    ("w:ind", "w:left"): "left_mm", ("w:ind", "w:right"): "right_mm", ("w:ind", "w:firstLine"): "first_line_mm",
    ("w:spacing", "w:before"): "above_mm", ("w:spacing", "w:after"): "below_mm",
}  # fmt: skip
SINGLE = 240
"""How a paragraph says that its lines stand as close as they do by themselves."""


def paragraph_look(find: Callable[..., Element | None], own: Element | None) -> Look:
    """Return what is set of a paragraph besides its letters: distances and ground.

    `find` returns a property of the paragraph or of its style; each of its attributes is inherited by itself.
    """
    look: Look = {
        name: round(number(get(find(own, tag, having=attribute), attribute)) * 25.4 / 1440, 1)
        for (tag, attribute), name in _SPACES.items()
    }
    line = number(get(find(own, "w:spacing", having="w:line"), "w:line"))
    look["line_height"] = "" if line in (0, SINGLE) else f"{round(line / SINGLE * 100)}%"
    shade = get(find(own, "w:shd"), "w:fill")
    look["ground"] = f"#{shade.lower()}" if len(shade) == 6 else None
    lines = {each.tag.partition(":")[2]: get(each, "w:val") for each in children(find(own, "w:pBdr"))}
    look["border"] = {side: kind for side, kind in lines.items() if kind not in ("", "nil", "none")}
    return look


def things_in(parts: PackageParts, main: str, body: Element) -> dict[str, list[Look]]:
    """Return what lies in a text besides its paragraphs: notes, marks, fields."""
    marks = [get(mark, "w:name") for mark in body.iter("w:bookmarkStart")]
    return {
        "notes": [*_notes(parts, main, "footnote"), *_notes(parts, main, "endnote")],
        "bookmarks": [{"name": name} for name in marks if not name.startswith("_")],
        "settings": list(_settings(parts, main)),
        "fields": [{"kind": " ".join((each.text or "").split())} for each in body.iter("w:instrText")],
    }


def _settings(parts: PackageParts, main: str) -> Iterator[Look]:
    """Yield what holds for all of a text: that it is locked, records changes, or has a ground."""
    path = related_part(parts, main, "settings")
    for each in children(parts.xml(path) if path else None, "w:documentProtection", "w:trackRevisions"):
        name = {"w:trackRevisions": "records changes"}.get(each.tag, "protected")
        if get(each, "w:enforcement", "1") not in ("0", "false") and get(each, "w:val", "1") not in ("0", "false"):
            yield {"name": name, "how": get(each, "w:edit")}
    for ground in children(parts.xml(main), "w:background"):
        yield {"name": "ground", "how": f"#{get(ground, 'w:color').lower()}"}


def _notes(parts: PackageParts, main: str, kind: str) -> list[Look]:
    path = related_part(parts, main, f"{kind}s")
    listed = children(parts.xml(path) if path else None, f"w:{kind}")
    return [{"kind": kind, "text": _text(note)} for note in listed if not note.get("w:type")]


def _text(element: Element) -> str:
    return "".join(each.text or "" for each in element.iter("w:t"))
