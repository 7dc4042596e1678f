"""Setup steps that write the notes of Gnote."""

from __future__ import annotations

from typing import Annotated
from xml.sax.saxutils import escape

from pydantic import Field

from proctor.tasks.model import PlainModel
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP
from proctor.vocabulary.apps.gnote.parse import GNOTE_FOLDER
from proctor.vocabulary.apps.notes.constants import WRITTEN, fixed_id


class WrittenNote(PlainModel):
    """A note with its title; `notebook` is the one it is filed in, if any."""

    title: Annotated[str, Field(min_length=1)]
    text: str = ""
    notebook: str = ""


@SETUP.register_before_use
def gnote_notes(context: SetupContext, notes: list[WrittenNote]) -> None:
    """Write the notes in Gnote."""
    for number, note in enumerate(notes):
        context.computer.write_file(f"{GNOTE_FOLDER}/{fixed_id(number)}.note", gnote_xml(note).encode())


def gnote_xml(note: WrittenNote) -> str:
    """Return a note as Gnote keeps it."""
    tags = f"<tags><tag>system:notebook:{escape(note.notebook)}</tag></tags>" if note.notebook else ""
    space = "http://beatniksoftware.com/tomboy"
    moment = f"{WRITTEN}.000000Z"
    return (
        f'<?xml version="1.0" encoding="utf-8"?>\n<note version="0.3" xmlns:link="{space}/link" '
        f'xmlns:size="{space}/size" xmlns="{space}"><title>{escape(note.title)}</title>'
        f'<text xml:space="preserve"><note-content version="0.1">{escape(note.title)}\n\n{escape(note.text)}'
        f"</note-content></text><last-change-date>{moment}</last-change-date>"
        f"<last-metadata-change-date>{moment}</last-metadata-change-date><create-date>{moment}</create-date>"
        f"<cursor-position>0</cursor-position><width>450</width><height>360</height>{tags}</note>\n"
    )
