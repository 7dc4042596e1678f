"""Folders of mail programs that are one file each (mbox), as Thunderbird writes them."""

from __future__ import annotations

import re

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.letters import parse as letters

MOST_LETTERS = 5_000
STRUCK = 0x8
"""In the status that Mozilla's programs write: thrown away, and still in the file."""
_BEGINS = re.compile(rb"^From .*\n", re.MULTILINE)
_STATUS = re.compile(rb"^X-Mozilla-Status: *([0-9a-fA-F]{1,8})", re.MULTILINE)


def preload() -> None:
    """Load what letters are read with."""
    letters.preload()


def mbox_letters(data: bytes, path: str) -> dict[str, object]:
    """Return the letters in a file of a mail program, each with whether it is `struck` off."""
    data = data.replace(b"\r\n", b"\n")
    marks = list(_BEGINS.finditer(data))
    if data.strip() and (not marks or data[: marks[0].start()].strip()):
        raise CannotSee("unreadable", f"{path} is not a folder of letters")
    if len(marks) > MOST_LETTERS:
        raise CannotSee("refused", f"{path} holds more than {MOST_LETTERS:,} letters")
    ends = [mark.start() for mark in marks[1:]] + [len(data)]
    found = []
    for mark, end in zip(marks, ends, strict=False):
        held = data[mark.end() : end]
        status = _STATUS.search(held.partition(b"\n\n")[0])
        struck = bool(status and int(status[1], 16) & STRUCK)
        found.append({**letters.letter(re.sub(rb"(?m)^>(>*From )", rb"\1", held)), "struck": struck})
    return {"path": path, "letters": found}
