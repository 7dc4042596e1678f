"""Text from outside for the terminal: no markup and no control character in it is obeyed."""

from __future__ import annotations

import click
from rich import markup

from proctor.plain_text import json_text, printable


def escape(text: str) -> str:
    """Return text that rich prints as it is, with what is not printable replaced."""
    return markup.escape(printable(text))


def tell(text: str) -> None:
    """Print text as it is, without rich, with what is not printable replaced."""
    click.echo(printable(text))


def tell_json(data: object, *, indent: int | None = None) -> None:
    """Print data as JSON for a program to read."""
    click.echo(json_text(data, indent=indent))
