"""Text from outside for the terminal: no markup and no control character in it is obeyed."""

from __future__ import annotations

import click
from rich import markup

from proctor.plain_text import printable


def escape(text: str) -> str:
    """Return text that rich prints as it is, with what is not printable replaced."""
    return markup.escape(printable(text))


def tell(text: str) -> None:
    """Print text as it is, without rich, with what is not printable replaced."""
    click.echo(printable(text))
