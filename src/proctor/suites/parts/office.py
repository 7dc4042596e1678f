"""What subtasks in LibreOffice do: open a file, save it elsewhere, export it, close everything."""

from __future__ import annotations

import re
from collections.abc import Sequence

from proctor.errors import SpecError
from proctor.graphs.compose.resource import Resource
from proctor.suites.parts.programs import base, full, quote_path, start_program
from proctor.tasks.call import Call
from proctor.tasks.shelves import hand

Moves = tuple[Call, ...]
PATIENCE_SEC = 90.0
"""LibreOffice starts slowly, and where much else is going on more slowly still."""

WRITER, CALC, IMPRESS = "writer", "calc", "impress"
_TYPED = re.compile(r"(?!.*(--|\.\.|\b[A-Z]{2}[a-z]|\bi\b))[A-Z0-9][\w ,.:'?!-]*")


def office(part: str, *files: Resource) -> Moves:
    """Start a part of LibreOffice, with a file or a new one, and wait until it can be worked on."""
    window = base(files[0]) if files else "LibreOffice"
    return (*begin_office(part, *files, window=window), ready(part))


def begin_office(part: str, *files: Resource, window: str) -> Moves:
    """Start a part of LibreOffice and wait for some window, which may be a dialog."""
    named = " ".join(quote_path(file) for file in files)
    return (*_order(f"soffice {named or f'--{part}'}"), hand.await_window(window, timeout_sec=PATIENCE_SEC))


def ready(part: str) -> Call:
    """Wait until LibreOffice answers, which it does not while it works.

    Only its window is looked for: what a tree that is read very early lacks, it may lack for good.
    """
    return hand.await_element(f"LibreOffice {part.capitalize()}", role="frame", app="soffice", timeout_sec=PATIENCE_SEC)


def saved_as(resource: Resource, *asked: str) -> Moves:
    """Save under another name, and agree to what the dialogs propose that come up on the way."""
    agreed = ((hand.await_window(title, timeout_sec=PATIENCE_SEC), hand.press("Return")) for title in asked)
    return (
        hand.press("ctrl+shift+s"),
        hand.await_window("/^Save( As)?$/", timeout_sec=PATIENCE_SEC),
        hand.press("ctrl+a"),
        hand.type(full(resource)),
        hand.press("alt+s"),
        hand.await_window("/^Save( As)?$/", gone=True, timeout_sec=PATIENCE_SEC),
        *(move for moves in agreed for move in moves),
        hand.await_saved(resource.value, timeout_sec=PATIENCE_SEC),
        # Its name is in the title only once LibreOffice is done with it.
        hand.await_window(base(resource), timeout_sec=PATIENCE_SEC),
    )


def exported_as_pdf(part: str, resource: Resource) -> Moves:
    """Export as PDF by the button that asks for nothing but a name."""
    return (
        hand.click("Export Directly as PDF", role="push button", app="soffice", timeout_sec=PATIENCE_SEC),
        hand.await_window("/^Export$/", timeout_sec=PATIENCE_SEC),
        hand.press("ctrl+a"),
        hand.type(full(resource)),
        *_press_button("Export", "Export"),
        hand.await_saved(resource.value, timeout_sec=PATIENCE_SEC),
        ready(part),
    )


def choose_file(part: str, dialog: str, resource: Resource, button: str) -> Moves:
    """Choose a file in a dialog that asks for one to be read."""
    return (
        hand.await_window(f"/^{dialog}$/", timeout_sec=PATIENCE_SEC),
        # A line for the name opens with its first stroke.
        hand.type(full(resource)),
        *_press_button(button, dialog),
        ready(part),
    )


def quit_office() -> Moves:
    """Close LibreOffice altogether."""
    return (hand.press("ctrl+q"), hand.await_window("LibreOffice", gone=True, timeout_sec=PATIENCE_SEC))


def merely_copied(source: Resource, target: Resource) -> Moves:
    """Copy a file as it is by a command, which is tempting and gives it only its name."""
    command = f"cp {quote_path(source)} {quote_path(target)}"
    return (*_order(command), hand.await_file(target.value))


def fit_to_type(lines: Sequence[str]) -> None:
    """See that LibreOffice, which corrects what one types, will leave these as they are.

    Raises:
        SpecError: It may not.
    """
    for line in lines:
        if not _TYPED.fullmatch(line):
            raise SpecError(f"LibreOffice may correct {line!r} when it is typed", remedy="give it something plainer")


def _order(command: str) -> Moves:
    """Give a command as `start_program` does, with more patience, as LibreOffice takes all there is."""
    *begin, _, _ = start_program(command, "")
    return (*begin, hand.await_window("Application Finder", gone=True, timeout_sec=PATIENCE_SEC))


def _press_button(button: str, dialog: str) -> Moves:
    """Click a button and wait until its dialog is gone."""
    window = f"/^{dialog}$/"
    return (
        hand.click(f"/^{button}$/", role="push button", window=window, timeout_sec=PATIENCE_SEC),
        hand.await_window(window, gone=True, timeout_sec=PATIENCE_SEC),
    )
