"""Setup steps that open spreadsheets in LibreOffice Calc."""

from __future__ import annotations

from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP

LEAST_WIDTH = 400
"""Pixels of a window that is more than a stub."""


@SETUP.register
def calc(context: SetupContext, path: str) -> None:
    """Open a spreadsheet in LibreOffice Calc and wait until its window has its size and settles."""
    name = path.rpartition("/")[2]
    context.computer.launch(["libreoffice", "--norestore", "--nologo", "--calc", path], window=name, timeout_sec=90)
    # Calc's window is there, as a small stub, before there is anything in it.
    context.computer.wait_for(
        lambda computer: any(name in window.title and window.box.width >= LEAST_WIDTH for window in computer.windows()),
        what=f"the window of {name} in Calc",
        timeout_sec=60,
    )
    context.computer.settle(timeout_sec=20)
