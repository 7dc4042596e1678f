"""`proctor tasks prove --disturb`: what comes in between hinders only those who do not answer it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from rich.table import Table

from proctor.cli.proof_output import follow_proofs
from proctor.exam.disturbances.wish import DisturbanceWish
from proctor.plain_text import json_text
from proctor.prove.disturbances import KindProof, by_kind, fits, trials_with
from proctor.prove.ledger import Trials
from proctor.prove.rotate import rotate
from proctor.prove.schedule import prove
from proctor.report.terminal import open_console, print_table
from proctor.store.files import write_whole
from proctor.tasks.task import Task


def plan_disturbed(tasks: Sequence[Task], disturb: str, sample: int | None, turn: int) -> list[Trials]:
    """Return what is tried: each kind with some of the tasks that it fits, other ones every day."""
    wish = DisturbanceWish.parse(disturb)
    wish.refuse_for(tasks)
    plan: list[Trials] = []
    for number, kind in enumerate(wish.kinds):
        fitting = [task for task in tasks if fits(kind, task)]
        chosen = rotate(fitting, sample, turn + number) if sample else fitting
        plan += [(task, trials_with(kind.name, wish.seed)) for task in chosen]
    return plan


def prove_disturbed(plan: Sequence[Trials], folder: Path, workers: int, *, fresh: bool, as_json: bool) -> bool:
    """Prove disturbances, print what came of each, and tell whether all are as they must be."""
    total = sum(len(trials) for _, trials in plan)
    with follow_proofs(total) as heard:
        proofs = prove([], folder, workers=workers, fresh=fresh, heard=heard, plan=plan)
    found = by_kind(proofs)
    result = {"kinds": [each.to_json() for each in found]}
    write_whole(folder, "disturbances.json", json_text(result, indent=2).encode())
    if as_json:
        click.echo(json_text(result))
    else:
        _show(found)
    return all(each.holds for each in found)


def _show(found: Sequence[KindProof]) -> None:
    console = open_console()
    table = Table("disturbance", "", "solved with an answer", "not solved without", box=None, pad_edge=False)
    for each in found:
        table.add_row(
            each.kind.name,
            f"[{'green' if each.holds else 'red'}]{each.state}[/]",
            f"{each.solutions} of {len(each.answered)}",
            f"{each.failures} of {len(each.ignored)}",
        )
    print_table(console, table)
