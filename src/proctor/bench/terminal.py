"""What measuring shows on a terminal: what is measured next, and the figures in the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click
from rich.console import Console
from rich.table import Table

from proctor.bench.measure import Figure, to_json
from proctor.report.terminal import open_console, print_table


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """Yield what is told which part is measured next; without a terminal, each is a line."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda text: click.echo(f"measuring: {text}", err=True)
        return
    with console.status("") as status:
        yield lambda text: status.update(f"measuring: {text}")


def print_figures(figures: list[Figure], title: str, *, as_json: bool) -> None:
    """Print figures as a table, or for a program to read."""
    if as_json:
        click.echo(to_json(figures))
        return
    table = Table("what", "measured", "reach", "", title=title, title_justify="left")
    for figure in figures:
        # As many decimals as tell something.
        digits = 1 if figure.value is not None and abs(figure.value) < 20 else 0
        shown = "-" if figure.value is None else f"{figure.value:.{digits}f} {figure.unit}"
        colour = {True: "green", False: "yellow", None: "dim"}[figure.reached]
        goal = f"{figure.goal:.0f} {figure.unit}" if figure.goal is not None else ""
        table.add_row(figure.what, f"[{colour}]{shown}[/]", goal, f"[dim]{figure.note}[/]")
    print_table(open_console(), table)
