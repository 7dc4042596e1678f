"""What a run came to, shown at its end with what to look at next."""

from __future__ import annotations

import shlex
import shutil
import sys
from dataclasses import asdict
from pathlib import Path

import click
from rich.text import Text

from proctor.cli.plain import escape
from proctor.cli.report import write_page
from proctor.plain_text import json_text, one_line
from proctor.report.endings import endings
from proctor.report.read_runs import read_runs
from proctor.report.summary import summarise
from proctor.report.terminal import open_console
from proctor.report.text import print_report
from proctor.store.run import RunRecord


def show_run(record: RunRecord, *, as_json: bool) -> None:
    """Show what a run came to, why episodes of it say nothing or crashed, and what to look at next."""
    folder = record.folder
    report = summarise(*read_runs([folder]))
    found = endings(record.final())
    page = write_page(report)
    if as_json:
        ends = [asdict(ending) for ending in found]
        click.echo(json_text({"run": str(folder), **report.plain(), "endings": ends}))
        return
    console = open_console()
    print_report(report, console)
    console.print()
    for ending in found:
        console.print(Text(one_line(ending.words(folder)), "red"), soft_wrap=True)
    if found:
        console.print()
    for what, how in {
        "the page": shlex.quote(str(page)),
        "see every step": command("view", folder),
        "more figures": f"{command('report', folder)} --compare",
        "evaluate yours": f"{command('run')} --help",
    }.items():
        console.print(f"  {what:<16} [bold]{escape(how)}[/]", soft_wrap=True)


def command(verb: str, *arguments: Path | str) -> str:
    """Return how this command is called again with other arguments, quoted for the shell."""
    return " ".join([shlex.quote(_as_typed()), verb, *(shlex.quote(str(argument)) for argument in arguments)])


def _as_typed() -> str:
    """Return the command's name, or its path if its virtual environment is not activated."""
    called = Path(sys.argv[0])
    found = shutil.which("proctor")
    if called.name != "proctor" or (found and Path(found).resolve() == called.resolve()):
        return "proctor"
    return str(called)
