"""Files within archives, each read as what it is, without unpacking the archive to a disk."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from typing import Literal

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.archives.parse import member_content
from proctor.vocabulary.formats.books.parse import epub_content
from proctor.vocabulary.formats.documents.parse import read_document
from proctor.vocabulary.formats.film import parse as film
from proctor.vocabulary.formats.pictures import parse as pictures
from proctor.vocabulary.formats.slides.parse_as_written import slides_as_written
from proctor.vocabulary.formats.sound import parse as sound
from proctor.vocabulary.formats.spreadsheets import parse as spreadsheets
from proctor.vocabulary.formats.text.parse import decode
from proctor.vocabulary.formats.visible import Look

MemberLook = Literal["text", "document", "spreadsheet", "pptx", "picture", "sound", "film", "epub"]
MOST_COPIED = 8 * 2**20
"""Bytes of a member that are handed on as they are."""


def preload() -> None:
    """Load what members are read with."""
    for each in (pictures, sound, spreadsheets):
        each.preload()


def look_at_member(path: str, data: bytes, member: str, look: MemberLook) -> Look:
    """Return what a file in an archive holds, looked at as one of its kind."""
    label = f"{member} in {path}"
    return _LOOKS[look](member_content(path, data, member), label)


def member_copy(path: str, data: bytes, member: str) -> str:
    """Return a file in an archive in base64."""
    content = member_content(path, data, member)
    if len(content) > MOST_COPIED:
        raise CannotSee("refused", f"{member} in {path} has {len(content):,} bytes, more than are looked at")
    return base64.b64encode(content).decode()


_LOOKS: Mapping[str, Callable[[bytes, str], Look]] = {
    "text": lambda data, label: {"path": label, "text": decode(data, label)},
    "document": read_document,
    "spreadsheet": spreadsheets.read_spreadsheet,
    "pptx": slides_as_written,
    "picture": lambda data, label: pictures.describe(label, data),
    "sound": lambda data, label: sound.listen(label, data),
    "film": lambda data, label: film.watch(label, data),
    "epub": epub_content,
}
