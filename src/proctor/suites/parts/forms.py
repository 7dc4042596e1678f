"""Text files of lines such as `Closing time: 20:00`: filled in by hand and by code, and judged."""

from __future__ import annotations

import re
from collections.abc import Sequence

from proctor.home import HOME
from proctor.suites.parts.programs import start_program
from proctor.tasks.call import Call
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import Admission

Moves = tuple[Call, ...]
SAVED_AGAIN = (
    "blanks at the ends of lines",
    "its last line ended or not",
    "an empty line at its end",
    "two blanks between two words",
    "a mark of its encoding in front",
)
_WRITE = """
import pathlib

file, begins, line = pathlib.Path({path!r}), {begins!r}, {line!r}
lines = file.read_text().splitlines() if file.exists() else []
places = [at for at, each in enumerate(lines) if each.startswith(begins)]
if places:
    lines[places[0] : places[0] + 1] = [line] if line else []
else:
    lines.append(line)
file.parent.mkdir(parents=True, exist_ok=True)
file.write_text("\\n".join(lines) + "\\n")
"""


def line_written(path: str, begins: str, line: str) -> Call:
    """Put a line in place of the one that begins so, or at the end, by code; empty to remove it."""
    return hand.run_code(_WRITE.format(path=path, begins=begins, line=line), "python")


def line_typed(number: int, line: str) -> Moves:
    """Type a line over the one of this number, from 0, in the editor in front, and save."""
    down = (hand.press("Down", times=number),) if number else ()
    return (hand.press("ctrl+Home"), *down, hand.press("shift+End"), hand.type(line), hand.press("ctrl+s"))


def open_text(path: str) -> Moves:
    """Open a text in the editor."""
    return start_program(f'mousepad "{HOME}/{path}"', path.rpartition("/")[2])


def open_as_new(path: str, new: str) -> Moves:
    """Open a text and save it under a new name."""
    title = new.rpartition("/")[2]
    return (
        *open_text(path),
        hand.press("ctrl+shift+s"),
        hand.await_window("Save As"),
        hand.press("ctrl+a"),
        hand.type(f"{HOME}/{new}"),
        hand.click("Save", role="push button", window="Save As"),
        hand.await_window("Save As", gone=True),
        hand.await_window(title),
    )


def reads(path: str, *lines: str, never: Sequence[str] = ()) -> Call:
    """Return the check that a text has lines, each a pattern for all of it, and lacks others."""
    return expect.lines_match(see.text(path), every=[whole_line(each) for each in lines], none=[*never])


def whole_line(pattern: str) -> str:
    """Return a pattern for a whole line, whatever its case, blanks and full stop."""
    spaced = re.sub(" +", r"\\s+", pattern)
    return rf"(?i)^[\ufeff\s]*{spaced}\s*\.?\s*$"


def text_as_it_was_sent(path: str) -> tuple[Admission, ...]:
    """Return what a proof may report of a text that must be equal to what was sent."""
    why = "What was sent is to be what lies in the folder."
    return tuple(Admission(which=f"{path}: {each}", why=why) for each in SAVED_AGAIN)
