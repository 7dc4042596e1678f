"""Probes that look at the notes of Gnote."""

from __future__ import annotations

from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.apps.gnote.parse import GNOTE_FOLDER, gnote_notes
from proctor.vocabulary.apps.notes.parse import MOST_NOTE_BYTES, MOST_NOTES, together


@PROBES.register_with(gnote_notes, whole="store")
def gnote(context: ProbeContext) -> dict[str, object]:
    """The notes of Gnote: title, text without the title, and the notebook they are filed in."""
    if context.info(GNOTE_FOLDER) is None:
        raise CannotSee("absent", "Gnote has no notes")
    names = [
        entry.path.rpartition("/")[2]
        for entry in context.entries(GNOTE_FOLDER)
        if entry.path.endswith(".note") and entry.kind == "file"
    ]
    if len(names) > MOST_NOTES:
        raise CannotSee("refused", f"Gnote has more than the {MOST_NOTES} notes that are looked at")
    files = [context.read(f"{GNOTE_FOLDER}/{name}", most=MOST_NOTE_BYTES) for name in names]
    notes = parsed("Gnote", gnote_notes, together("Gnote", files), [len(each) for each in files], names)
    return {"path": "Gnote", "notes": notes}
