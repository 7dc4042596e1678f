"""`proctor prove`: show on real computers that tasks can be done, and only by doing them."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

import click

from proctor.cli.choose_tasks import Choice, choices, default_workers, selection_options, suite_name
from proctor.cli.options import FOLDER, preset
from proctor.cli.proof_output import prove_visibly, show_proofs
from proctor.computers.images import folders
from proctor.plain_text import json_text
from proctor.prove.page import page
from proctor.prove.proof import summary
from proctor.store.files import write_whole
from proctor.tasks.task import Task

Kind = TypeVar("Kind", Task, Choice)


@click.command()
@selection_options
@preset("--seeds", type=click.IntRange(1), default=1, help="How many seeds of each template.")
@preset("--repeats", type=click.IntRange(1), default=3, help="How often the solution is tried.")
@click.option(
    "--quick", is_flag=True, help="Leave out near misses, other ways, cheats and mutants: sooner done, no whole proof."
)
@preset(
    "--strict/--lenient",
    default=True,
    help="Whether a mutant that survives, or a variant that is rejected, leaves a task unproven.",
)
@click.option("-n", "--workers", type=click.IntRange(1), help="Tasks side by side; half the cores otherwise.")
@click.option("--sample", type=click.IntRange(1), help="Prove only this many, another choice every day.")
@click.option("--out", type=FOLDER, help="Folder for the outcomes and the page.")
@click.option("--fresh", is_flag=True, help="Begin again even if the last run was interrupted.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for a program to read.")
def prove(
    names: tuple[str, ...],
    suite: str,
    filters: dict[str, tuple[str, ...]],
    seeds: int,
    quick: bool,
    workers: int | None,
    sample: int | None,
    out: Path | None,
    as_json: bool,
    **how: Any,
) -> None:
    """Prove tasks on real computers.

    A task is proven when its solution scores 1 each time and leaves nothing else changed, doing nothing scores 0,
    giving up without having looked scores 0, every other way scores 1, every near miss scores what it must, no
    cheat succeeds, and judging twice agrees. The end state of a solution is then changed piece by piece:
    mutants must not count and variants must; what does not go as it must is listed, and with --lenient only listed.

    TASK is a name in the suite or a task file of your own. A run that was interrupted goes on where it was;
    tasks that have changed since are tried again.

    \b
    proctor prove --suite tour                  the eight tasks of the first start
    proctor prove sign-the-letter --seeds 5     one task of suite core, five times different
    proctor prove mine/task.json                a task of your own
    proctor prove mine                          all of a folder of them
    """
    found, assets = choices(suite, names, filters, range(seeds))
    if sample:
        found = rotate(found, sample, date.today().toordinal())
    chosen = [choice.write() for choice in found]
    name = suite_name(suite, names, chosen)
    folder = out or folders.data_folder() / "proofs" / (name if not names else "chosen")
    workers = workers or default_workers()
    proofs = prove_visibly(chosen, folder, whole=not quick, workers=workers, assets=assets, **how)
    result = summary(proofs)
    write_whole(folder, "proofs.html", page(f"Proofs of {name}", proofs).encode())
    write_whole(folder, "proofs.json", json_text(result, indent=2).encode())
    if as_json:
        click.echo(json_text(result))
    else:
        show_proofs(proofs, folder)
    sys.exit(0 if all(proof.holds for proof in proofs) else 1)


def rotate(tasks: Sequence[Kind], count: int, turn: int) -> list[Kind]:
    """Return a part of the tasks; successive turns go through all, neighbours far apart."""
    if count >= len(tasks):
        return list(tasks)
    mixed = sorted(tasks, key=lambda task: (hashlib.sha256(task.id.encode()).hexdigest(), task.seed))
    start = turn * count % len(mixed)
    return [mixed[(start + place) % len(mixed)] for place in range(count)]
