"""The bar of a command that takes long, where somebody watches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


@contextmanager
def show_bar(what: str, total: int) -> Iterator[Callable[..., None]]:
    """Show a bar where somebody watches; yield what moves it, with a note on what came out."""
    named = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[note]}"))
    console = Console(stderr=True)
    with Progress(
        *named, TimeRemainingColumn(), console=console, transient=True, disable=not console.is_terminal
    ) as progress:
        bar = progress.add_task(what, total=total, note="")
        yield lambda note="": progress.update(bar, advance=1, note=note)
