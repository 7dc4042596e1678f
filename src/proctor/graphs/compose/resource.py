"""Resources: what a subtask takes and gives, typed by kinds."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from proctor.errors import UnknownName


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of resource."""

    name: str
    parent: str = ""
    """The kind it is a special case of; where that is taken, this one will do."""
    noun: str = ""
    """What people call such a thing."""
    kept: bool = False
    """Whether it lies in an application that keeps such things, and not in a file."""
    slot: bool = False
    """Whether there is only one of it, so that a later one replaces it, as on the clipboard."""


_KINDS = (
    Kind("file", noun="file"),
    Kind("folder", noun="folder"),
    Kind("text_file", "file", "text file"),
    Kind("table_file", "text_file", "CSV file"),
    Kind("code_file", "text_file", "script"),
    Kind("spreadsheet", "file", "spreadsheet"),
    Kind("document", "file", "document"),
    Kind("slides", "file", "presentation"),
    Kind("pdf", "file", "PDF"),
    Kind("image", "file", "picture"),
    Kind("audio", "file", "recording"),
    Kind("video", "file", "film"),
    Kind("archive", "file", "archive"),
    Kind("web_page", "file", "web page"),
    Kind("database", "file", "database"),
    Kind("drawing", "file", "drawing"),
    Kind("note", noun="note", kept=True),
    Kind("reminder", noun="reminder", kept=True),
    Kind("event", noun="appointment"),
    Kind("letter", noun="e-mail", kept=True),
    Kind("sent_letter", noun="e-mail that was sent", kept=True),
    Kind("message", noun="message"),
    Kind("contact", noun="contact"),
    Kind("setting", noun="setting", kept=True),
    Kind("clipboard_text", noun="clipboard text", slot=True),
    Kind("wallpaper", noun="wallpaper", slot=True),
    Kind("playing_track", noun="track that plays", slot=True),
)
KINDS = {kind.name: kind for kind in _KINDS}


def kind_of(name: str) -> Kind:
    """Return a kind; raises UnknownName with a suggestion."""
    if name not in KINDS:
        raise UnknownName("kind of resource", name, KINDS)
    return KINDS[name]


@lru_cache(maxsize=4096)  # composing asks it thousands of times
def is_a(kind: str, wanted: str) -> bool:
    """Tell whether something of one kind will do where another is taken."""
    while kind:
        if kind == wanted:
            return True
        kind = kind_of(kind).parent
    return False


@dataclass(frozen=True, slots=True)
class Resource:
    """One thing that subtasks pass on."""

    kind: str
    value: str
    """What names it: a path below the home folder for files and folders, otherwise its text or title."""
    content: Any = field(default=None, compare=False)
    """What is in it, as plain data, as far as it is known before anybody works: lines, rows, names of members."""
    word: str = ""
    """What people call it in this task, such as `the guest list`; its kind's noun otherwise."""

    def __post_init__(self) -> None:
        kind_of(self.kind)
