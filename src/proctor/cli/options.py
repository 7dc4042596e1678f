"""Options that are given to commands together, and taken from what a command was given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

import click

Command = Callable[..., object]
Decorator = Callable[[Command], Command]
FOLDER = click.Path(file_okay=False, path_type=Path)
FOUND = click.Path(exists=True, path_type=Path)
FOUND_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
preset = partial(click.option, show_default=True)
"""An option whose default is shown."""
ONLY = click.option(
    "--only",
    multiple=True,
    metavar="NAME=VALUE",
    help="Only episodes of this task, person, agent (patterns), app, verdict (passed, failed, unjudged, void), review "
    "(done, not-done, undecided, none), since or until a day; repeatable: values of the same name are alternatives, "
    "different names must all match.",
)
"""For commands that take a collection of runs."""


def with_options(*options: Decorator) -> Decorator:
    """Return what gives a command options, which its help lists in this order."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def take_fields(kind: type, given: dict[str, object]) -> dict[str, Any]:
    """Take what a dataclass has fields for out of what a command was given, and return it."""
    return {each.name: given.pop(each.name) for each in fields(kind) if each.name in given}


form_options = with_options(
    click.option(
        "--format",
        "form",
        default="",
        metavar="NAME",
        help="Format of the data (see `proctor offline forms`).  [default: recognized by its columns]",
    ),
    click.option(
        "--boxes", default="", help="How boxes are written, such as xyxy or xywh-unit.  [default: as the format says]"
    ),
)
"""How samples are written down."""
