"""Setup steps for Drawing: a picture opened past what it asks at its first start."""

from __future__ import annotations

from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP

DRAWING_SETTINGS = {"last-version": "'1.0.2'", "maximized": "true", "show-labels": "true"}


@SETUP.register
def open_in_drawing(context: SetupContext, path: str) -> None:
    """Open a picture in Drawing, maximised, with the names of its tools shown."""
    for key, value in DRAWING_SETTINGS.items():
        context.command(["gsettings", "set", "com.github.maoschanz.drawing", key, value])
    context.computer.launch(["drawing", path], window="Drawing", timeout_sec=60)
