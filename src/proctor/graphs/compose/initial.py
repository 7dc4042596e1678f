"""What is there when a composed task begins, drawn from what the task is about."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

from proctor.graphs.compose.contents import MEMBERS, SORT_OF, lines_about, rows_about
from proctor.graphs.compose.resource import Resource, is_a, kind_of
from proctor.graphs.compose.theme import Theme
from proctor.tasks.draw import Draw

COLOURS = ("red", "green", "blue", "orange", "purple", "teal")


@dataclass(frozen=True, slots=True)
class _Form:
    topics: tuple[str, ...]
    folder: str = ""
    """Where files of the kind are kept; empty for what is not a file."""
    ending: str = ""


_LISTS = ("guest list", "shopping list", "checklist", "rota", "timetable", "address list", "minutes", "packing list")
_TABLES = ("expenses", "price list", "ticket sales", "stock list", "donations", "room plan")
_PICTURES = ("entrance photo", "group photo", "stage photo", "map", "logo", "poster picture")
_TALKS = ("welcome", "interview", "rehearsal", "opening speech", "announcement")
_LETTERS = ("invitation", "thank-you letter", "programme", "flyer", "house rules", "application")
_REMARKS = ("ideas", "open questions", "phone numbers", "arrangements", "things to bring")

_FORMS = {
    "folder": _Form(("papers", "pictures", "receipts", "drafts"), "Documents"),
    "text_file": _Form(_LISTS, "Documents", ".txt"),
    "table_file": _Form(_TABLES, "Documents", ".csv"),
    "code_file": _Form(("backup", "cleanup", "file count", "greeting"), "Documents", ".sh"),
    "spreadsheet": _Form(_TABLES, "Documents", ".ods"),
    "document": _Form(_LETTERS, "Documents", ".odt"),
    "slides": _Form(("talk", "presentation", "slide show", "overview"), "Documents", ".odp"),
    "pdf": _Form(_LETTERS, "Documents", ".pdf"),
    "image": _Form(_PICTURES, "Pictures", ".png"),
    "audio": _Form(_TALKS, "Music", ".wav"),
    "video": _Form(_TALKS, "Videos", ".mp4"),
    "archive": _Form(("old papers", "old files", "photo collection"), "Downloads", ".zip"),
    "web_page": _Form(("announcement", "directions", "programme", "press report"), "Downloads", ".html"),
    "database": _Form(("members", "bookings", "inventory"), "Documents", ".db"),
    "drawing": _Form(("site plan", "seating plan", "sign", "emblem"), "Pictures", ".svg"),
    "note": _Form(_REMARKS),
    "reminder": _Form(_REMARKS),
    "event": _Form(("planning meeting", "dress rehearsal", "delivery", "clearing up")),
    "letter": _Form(("question", "offer", "confirmation", "cancellation")),
    "message": _Form(_REMARKS),
    "contact": _Form(("caretaker", "caterer", "printer", "driver")),
    "setting": _Form(("alarm", "theme", "time zone")),
    "clipboard_text": _Form(_REMARKS),
    "wallpaper": _Form(_PICTURES),
    "playing_track": _Form(_TALKS),
}

INITIAL_KINDS = frozenset(
    kind for kind in ("file", *_FORMS) if not kind_of(kind).slot and kind not in ("message", "setting")
)
"""Kinds that may be there from the beginning; the others come from a subtask only."""


def initial_resource(kind: str, draw: Draw, theme: Theme, taken: Collection[str] = ()) -> Resource:
    """Draw something of a kind whose name is not taken."""
    kind = "text_file" if kind == "file" else kind
    # Tables of one theme have the same headings, so that they can be joined.
    fitting = [topic for topic in _FORMS[kind].topics if SORT_OF.get(topic) == theme.table]
    topics = draw.some(fitting or _FORMS[kind].topics, len(fitting or _FORMS[kind].topics))
    topic, value = next((topic, value) for topic, value in _names(kind, topics, theme) if value not in taken)
    return Resource(kind, value, content=_content(kind, _plain(topic), draw, theme), word=f"the {topic}")


def start_resource(name: str, kind: str, topic: str, draw: Draw, theme: Theme) -> Resource:
    """Return what a goal begins with, under its own name.

    Its content is plain data: lines of text, or for tables and databases rows of which the first has the headings; for
    folders and archives the lines of each member by name; for pictures, sound and films what they are made of.
    """
    value = next(value for _, value in _names(kind, [name], theme))
    return Resource(kind, value, content=_content(kind, topic, draw, theme, name), word=f"the {name}")


def _plain(topic: str) -> str:
    return topic.rstrip(" 0123456789")


def _names(kind: str, topics: list[str], theme: Theme) -> Iterator[tuple[str, str]]:
    """Yield topics and names made of them, numbered once all have been used."""
    form = _FORMS[kind]
    for number in count(1):
        for topic in topics:
            named = topic if number == 1 else f"{topic} {number}"
            if form.folder:
                yield named, f"{form.folder}/{theme.slug}-{named.replace(' ', '-')}{form.ending}"
            else:
                yield named, theme.entitle(named)


def _content(kind: str, topic: str, draw: Draw, theme: Theme, name: str = "") -> Any:
    if kind in ("table_file", "spreadsheet", "database"):
        return rows_about(topic, draw)
    if topic in MEMBERS:
        return {member: lines_about(sort, draw, theme) for member, sort in MEMBERS[topic].items()}
    if kind in ("folder", "archive"):
        return {f"{each.replace(' ', '-')}.txt": lines_about(each, draw, theme) for each in draw.some(_LISTS, 3)}
    if kind in ("image", "wallpaper"):
        size = draw.choice(((640, 480), (800, 600), (1024, 768)))
        return {"width": size[0], "height": size[1], "colour": draw.choice(COLOURS)}
    if kind in ("audio", "video", "playing_track"):
        return {"seconds": draw.randint(6, 20), "title": f"{(name or topic).capitalize()}, {theme.title}"}
    if kind == "code_file":
        return ["#!/bin/sh", *(f'echo "{line}"' for line in lines_about(topic, draw, theme))]
    if is_a(kind, "contact"):
        return [draw.person(), f"{draw.choice(COLOURS)}@example.org"]
    lines = lines_about(topic, draw, theme, name)
    # What has a title needs no heading.
    return lines[1:] if kind in ("letter", "note", "reminder") and lines[0].endswith(theme.title) else lines
