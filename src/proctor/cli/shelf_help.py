"""Help of commands that take a name from a shelf: what lies there, in a line each."""

from __future__ import annotations

import inspect
from typing import Any

import click

from proctor.errors import SpecError
from proctor.plain_text import one_line
from proctor.registry import Registry


class ShelfCommand(click.Command):
    """A command whose help ends with what can be named, which is loaded only then."""

    def __init__(self, *args: Any, shelf: Registry[Any], **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._shelf = shelf

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each name and the first line of what is said of it."""
        with formatter.section("Formats"):
            formatter.write_dl([(one_line(name), one_line(self._summary(name))) for name in self._shelf.names()])

    def _summary(self, name: str) -> str:
        try:
            return (inspect.getdoc(self._shelf.get(name)) or "").partition("\n")[0].rstrip(".")
        except SpecError as error:
            return error.message
