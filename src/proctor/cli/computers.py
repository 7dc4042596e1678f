"""`proctor computers`: which kinds of computers there are, and one of them to look at."""

from __future__ import annotations

import json
from dataclasses import asdict

import click
from rich.table import Table

from proctor.cli.lazy import Lazy, LazyGroup
from proctor.cli.plain import escape
from proctor.computers.kinds import ListedComputer, list_computers
from proctor.errors import UnknownName
from proctor.report.terminal import open_console, print_table

COMMANDS = {
    "open": Lazy("proctor.cli.desktop:desktop", "Open a desktop and keep it until Ctrl-C."),
    "demo": Lazy("proctor.cli.demo:demo", "Watch a desktop being operated, from start to end."),
}


@click.group(cls=LazyGroup, lazy=COMMANDS)
def computers() -> None:
    """List the kinds of computers, and open one to look at.

    \b
    proctor computers list              the kinds, and which can be opened here
    proctor computers list qemu         one of them with its options
    proctor computers open --vnc        a desktop of your own
    """


@computers.command("list")
@click.argument("name", metavar="[NAME]", default="")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
def list_(name: str, as_json: bool) -> None:
    """List the kinds of computers that `--computer` takes, or the options of one of them.

    \b
    proctor computers list
    proctor computers list sandbox
    """
    found = list_computers()
    if name and not (found := [each for each in found if each.name == name]):
        raise UnknownName("computer backend", name, [each.name for each in list_computers()])
    if as_json:
        for each in found:
            click.echo(json.dumps(asdict(each)))
    elif name:
        _show(found[0])
    else:
        table = Table("computer", "state here", "options", box=None, pad_edge=False)
        for each in found:
            state = "[green]ready[/]" if each.usable else escape("; ".join(lack.what for lack in each.lacks))
            table.add_row(each.name, state, ", ".join(option.name for option in each.options))
        print_table(open_console(), table)
        click.echo("\nYours: module:Class. What this machine lacks, and how to fix it: proctor doctor")


def _show(kind: ListedComputer) -> None:
    console = open_console()
    console.print(f"[bold]{kind.name}[/]  {escape(kind.remark)}\n")
    table = Table("option", "value", "default", "meaning", box=None, pad_edge=False)
    for option in kind.options:
        default = "(required)" if option.required else option.default
        table.add_row(option.name, *map(escape, (option.form, default, option.meaning)))
    print_table(console, table)
    example = next((option for option in kind.options if option.default), None)
    if example:
        click.echo(f"\nsuch as: --computer {kind.name},{example.name}={example.default}")
