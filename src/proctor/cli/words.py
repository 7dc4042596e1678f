"""`proctor tasks words`: what a task file can say, with an example of each."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from proctor.cli.plain import escape
from proctor.errors import UnknownName
from proctor.report.terminal import open_console
from proctor.suites.words import TITLES, TaskWord
from proctor.suites.words import words as words_of
from proctor.tasks.call import Kind

KINDS: dict[str, Kind] = {"setup": "setup", "probes": "probe", "checks": "check", "moves": "move"}


@click.command()
@click.argument("names", metavar="[setup|probes|checks|moves|NAME]...", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
def words(names: tuple[str, ...], as_json: bool) -> None:
    """List what a task file can say: setup steps, probes, checks and moves, each with an example.

    \b
    proctor tasks words                 all of them
    proctor tasks words checks          one kind
    proctor tasks words text_is click   some of them
    """
    found = {kind: words_of(kind) for kind in TITLES}
    known = {word.name for listed in found.values() for word in listed}
    for name in names:
        if name not in KINDS and name not in known:
            raise UnknownName("word of task files", name, [*KINDS, *known], listing="proctor tasks words")
    kinds = {KINDS[name] for name in names if name in KINDS}
    for kind, listed in found.items():
        chosen = [word for word in listed if not names or kind in kinds or word.name in names]
        if as_json:
            for word in chosen:
                click.echo(json.dumps({**asdict(word), "usage": word.usage}, ensure_ascii=False))
        elif chosen:
            _show(kind, chosen)


def _show(kind: Kind, listed: list[TaskWord]) -> None:
    console = open_console()
    console.print(f"[cyan]{TITLES[kind].capitalize()}[/] ({len(listed)})\n")
    for word in listed:
        console.print(f"[bold]{escape(word.usage)}[/]", soft_wrap=True)
        console.print(f"  {escape(word.summary)}", soft_wrap=True)
        console.print(f"  [dim]{escape(json.dumps(word.example, ensure_ascii=False))}[/]\n", soft_wrap=True)
