"""The bar of a command that takes long, where somebody watches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


class Advance(Protocol):
    """Says that one more is done."""

    def __call__(self, note: str = "") -> None:
        """Move the bar, with what there is to say so far."""


@contextmanager
def show_bar(what: str, total: int) -> Iterator[Advance]:
    """Show a bar; nothing where nobody watches."""
    named = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[note]}"))
    console = Console(stderr=True)
    with Progress(
        *named, TimeRemainingColumn(), console=console, transient=True, disable=not console.is_terminal
    ) as progress:
        bar = progress.add_task(what, total=total, note="")
        yield lambda note="": progress.update(bar, advance=1, note=note)
