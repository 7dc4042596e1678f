"""What a run came to, shown at its end with what to look at next."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape

from proctor.cli.report import write_page
from proctor.report.reading import read_runs
from proctor.report.summary import summarise
from proctor.report.text import print_report


def show_run(folder: Path, *, as_json: bool) -> None:
    """Show what a run came to, and what to look at next."""
    report = summarise(*read_runs([folder]))
    page = write_page(report, folder / "report" / "index.html")
    if as_json:
        click.echo(json.dumps({"run": str(folder), **report.plain()}, ensure_ascii=False, allow_nan=False))
        return
    console = Console(highlight=False)
    print_report(report, console)
    console.print()
    for what, how in {
        "the page": str(page),
        "see every step": f"{_as_typed()} view {folder}",
        "more figures": f"{_as_typed()} report {folder} --compare",
        "your own model": f"{_as_typed()} run --suite tour --agent prompted --model PROVIDER/NAME",
    }.items():
        console.print(f"  {what:<16} [bold]{escape(how)}[/]", soft_wrap=True)


def _as_typed() -> str:
    """Return how this command can be called again: it may stand in a virtual environment that is not activated."""
    called = Path(sys.argv[0])
    found = shutil.which("proctor")
    if called.name != "proctor" or (found and Path(found).resolve() == called.resolve()):
        return "proctor"
    return str(called)
