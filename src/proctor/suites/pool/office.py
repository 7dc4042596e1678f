"""What subtasks in LibreOffice do: open a file, save it under another name, export it, close everything."""

from __future__ import annotations

import shlex

from proctor.suites.pool.doing import base, full, started
from proctor.tasks.call import Call
from proctor.tasks.graph.resource import Resource
from proctor.tasks.moves import hand

Moves = tuple[Call, ...]
PATIENCE_SEC = 90.0
"""LibreOffice starts slowly, and where much else is going on more slowly still."""

WRITER, CALC, IMPRESS = "writer", "calc", "impress"
_SHOWN = {WRITER: "document text", CALC: "document spreadsheet", IMPRESS: "document presentation"}
"""The role of what each part shows once it can be worked on."""


def office(part: str, *files: Resource) -> Moves:
    """Start a part of LibreOffice, with a file or with something new, and wait until it can be worked on."""
    window = base(files[0]) if files else "LibreOffice"
    return (*begun(part, *files, window=window), ready(part))


def begun(part: str, *files: Resource, window: str) -> Moves:
    """Start a part of LibreOffice and wait for some window, which may be a dialog."""
    named = " ".join(shlex.quote(file.value) for file in files)
    return (*_ordered(f"soffice {named or f'--{part}'}"), hand.await_window(window, timeout_sec=PATIENCE_SEC))


def ready(part: str) -> Call:
    """Wait until what is open is shown."""
    return hand.await_element(role=_SHOWN[part], app="soffice", timeout_sec=PATIENCE_SEC)


def saved_as(resource: Resource, *, foreign: bool = False) -> Moves:
    """Save under another name; a format that is not LibreOffice's own is asked about."""
    keep = (hand.await_window("Confirm File Format", timeout_sec=PATIENCE_SEC), hand.press("Return")) if foreign else ()
    return (
        hand.press("ctrl+shift+s"),
        *_named("/^Save( As)?$/", resource, "Save"),
        *keep,
        hand.await_saved(resource.value, timeout_sec=PATIENCE_SEC),
        # Its name is in the title only once LibreOffice is done with it.
        hand.await_window(base(resource), timeout_sec=PATIENCE_SEC),
    )


def exported_as_pdf(resource: Resource) -> Moves:
    """Export as PDF by the button that asks for nothing but a name."""
    return (
        hand.click("Export Directly as PDF", role="push button", app="soffice", timeout_sec=PATIENCE_SEC),
        *_named("/^Export$/", resource, "Save"),
        hand.await_saved(resource.value, timeout_sec=PATIENCE_SEC),
    )


def chosen(dialog: str, resource: Resource, button: str) -> Moves:
    """Choose a file in a dialog that asks for one to be read."""
    return _named(dialog, resource, button)


def quitted() -> Moves:
    """Close LibreOffice altogether."""
    return (hand.press("ctrl+q"), hand.await_window("LibreOffice", gone=True, timeout_sec=PATIENCE_SEC))


def merely_copied(source: Resource, target: Resource) -> Moves:
    """Copy a file as it is by a command, which is tempting and gives it only its name."""
    command = f"cp {shlex.quote(source.value)} {shlex.quote(target.value)}"
    return (*_ordered(command), hand.await_file(target.value))


def _ordered(command: str) -> Moves:
    """Give a command as `started` does, with more patience: it goes on while LibreOffice takes all there is."""
    *begin, _, _ = started(command, "")
    return (*begin, hand.await_window("Application Finder", gone=True, timeout_sec=PATIENCE_SEC))


def _named(dialog: str, resource: Resource, button: str) -> Moves:
    return (
        hand.await_window(dialog, timeout_sec=PATIENCE_SEC),
        hand.press("ctrl+a"),
        hand.type(full(resource)),
        # While the dialog looks the folder up, it takes no Enter.
        hand.click(button, role="push button", within={"role": "file chooser", "app": "soffice"}),
        hand.await_window(dialog, gone=True, timeout_sec=PATIENCE_SEC),
    )
