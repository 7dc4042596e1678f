"""Probes that look at letters in files: folders of mail programs, and single ones."""

from __future__ import annotations

from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.formats.letters.parse import letter
from proctor.vocabulary.formats.letters.parse_mbox import mbox_letters
from proctor.vocabulary.formats.visible import Look


@PROBES.register_with(mbox_letters)
def mail_file(context: ProbeContext, path: str) -> Look:
    """The emails in a file in which a mail program stores a folder (mbox)."""
    return parsed(path, mbox_letters, context.read(path), path)


@PROBES.register_with(letter)
def first_letter(context: ProbeContext, path: str) -> Look:
    """The first email, by file name, in a folder with one file per email (`Maildir/new`)."""
    files = sorted(entry.path for entry in context.entries(path) if entry.kind == "file")
    if not files:
        raise CannotSee("absent", f"there is no letter in {path}")
    return {"path": path, **parsed(files[0], letter, context.read(files[0]))}
