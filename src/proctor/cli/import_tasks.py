"""`proctor tasks import`: other systems' task files, and what it takes to run them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

import click
from rich.table import Table

from proctor.cli.plain import escape
from proctor.plain_text import json_text, printable
from proctor.report.terminal import open_console, print_table
from proctor.suites.foreign.collection import ForeignTask, with_fault_of_files
from proctor.suites.foreign.faults import STATUSES
from proctor.suites.foreign.suite import FORMATS, read_tasks

MEANINGS: Mapping[str, str] = {
    "ready": "run it: proctor run --suite {format}:{folder}",
    "needs asset": "a file that it names is not in --assets",
    "not judged yet": "it names something that Proctor has no counterpart for yet",
    "needs application": "an application that our desktops do not have",
    "needs internet": "it is about live sites, or installs something",
    "needs account": "an account elsewhere",
    "malformed": "the file is wrong",
}
"""What each status says to a person."""


@click.command("import")
@click.argument("format", metavar="|".join(FORMATS), type=click.Choice(list(FORMATS)))
@click.argument("folder", metavar="FOLDER|FILE.json", type=click.Path(path_type=Path))
@click.option(
    "--assets", type=click.Path(path_type=Path), metavar="FOLDER", help="Folder with the files that tasks name."
)
@click.option("--report", is_flag=True, help="Show the status of each task, and the reason. This is the default.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object per task; the totals go to standard error."
)
@click.option(
    "--missing",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write a list of the missing files, by URL, for a downloader.",
)
def import_(format: str, folder: Path, assets: Path | None, report: bool, as_json: bool, missing: Path | None) -> None:
    """Show what is needed to run other systems' tasks, which are read unchanged.

    Each is ready, or the command says what it needs: a file, the internet, an account, an application, or a word that
    Proctor does not have yet. Ready tasks run with `proctor run --suite FORMAT:FOLDER --assets FOLDER`.

    \b
    proctor tasks import osworld evaluation_examples --report
    proctor tasks import osworld evaluation_examples --assets files --json
    proctor tasks import osmap examples --missing missing.json
    """  # fmt: skip
    counts: Counter[str] = Counter()
    listed: list[ForeignTask] = []
    for task in map(with_fault_of_files, read_tasks(format, folder, assets)):
        counts[task.status] += 1
        listed.append(task)
        if as_json:
            click.echo(json_text(task.to_json()))
    kinds = Counter(task.kind for task in listed)
    totals: dict[str, object] = {
        "format": format,
        "tasks": kinds["task"],
        **({"records": dict(kinds)} if set(kinds) > {"task"} else {}),
        **{status: counts[status] for status in reversed(STATUSES)},
    }
    if missing is not None:
        wanted = missing_files(listed)
        missing.write_text(json.dumps(wanted, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        totals["missing files"] = len(wanted)
    if as_json:
        click.echo(json_text(totals), err=True)
        return
    _show(listed, totals, format, folder)


def missing_files(tasks: Iterable[ForeignTask]) -> list[dict[str, object]]:
    """Return what a downloader has to fetch: each address once, its file, and for which tasks."""
    found: dict[str, dict[str, object]] = {}
    for task in tasks:
        for url, name in task.missing.items():
            entry = found.setdefault(url, {"url": url, "file": f"{_safe(task.id)}/{_safe(name)}", "tasks": []})
            needed = entry["tasks"]
            assert isinstance(needed, list)
            needed.append(task.id)
    return list(found.values())


def _safe(name: str) -> str:
    """Return a name that is one step of a path, whatever a task calls its files."""
    plain = name.replace("/", "_").replace("\\", "_").strip(". ")
    return plain or "file"


def _show(tasks: list[ForeignTask], totals: Mapping[str, object], format: str, folder: Path) -> None:
    for task in tasks:
        first = task.reasons[0] if task.reasons else None
        more = f" (and {len(task.reasons) - 1} more)" if len(task.reasons) > 1 else ""
        worst = next((reason for reason in task.reasons if reason.status == task.status), first)
        why = f": {worst}{more}" if worst else ""
        click.echo(printable(f"{task.status:18} {task.domain}/{task.id or task.file.path.name}{why}"))
    table = Table("status", "tasks", "", box=None, pad_edge=False)
    for status in reversed(STATUSES):
        if totals[status]:
            said = MEANINGS[status].format(format=format, folder=folder)
            table.add_row(status, str(totals[status]), escape(said))
    click.echo()
    print_table(open_console(), table)
    kinds = Counter(task.kind for task in tasks)
    others = [f"{kinds[kind]} {kind} records" for kind in sorted(kinds) if kind != "task"]
    click.echo("\n" + ", ".join([f"{kinds['task']} tasks", *others]))
