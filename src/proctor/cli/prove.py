"""`proctor tasks prove`: show on real computers that tasks can be done, and only by doing them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import click

from proctor.cli.choose_tasks import Filters, choices, default_workers, selection_options, suite_name
from proctor.cli.options import FOLDER, preset
from proctor.cli.proof_output import prove_visibly, show_proofs
from proctor.cli.prove_disturbances import plan_disturbed, prove_disturbed
from proctor.computers.images import folders
from proctor.errors import SpecError
from proctor.plain_text import json_text
from proctor.prove.facts import facts
from proctor.prove.page import page
from proctor.prove.proof import Proof, summary
from proctor.prove.rotate import rotate
from proctor.store.files import write_whole
from proctor.store.shown import keep_shown
from proctor.suites import is_foreign
from proctor.suites.foreign.suite import every_task
from proctor.tasks.task import Task

NotTried = dict[str, object]
"""A task that was not tried: what it is called, how it stands, and why."""


@click.command()
@selection_options
@preset("--seeds", type=click.IntRange(1), default=1, help="How many variants of each task.")
@preset("--repeats", type=click.IntRange(1), default=3, help="How many times to repeat the solution.")
@click.option(
    "--quick", is_flag=True, help="Skip near misses, other ways, cheats and mutants: faster, but not a full proof."
)
@preset(
    "--strict/--lenient",
    default=True,
    help="Whether a mutant that passes, or a variant that fails, leaves a task unproven.",
)
@click.option(
    "-n", "--workers", type=click.IntRange(1), help="How many tasks at the same time.  [default: half the cores]"
)
@click.option("--sample", type=click.IntRange(1), help="Only N tasks, a different selection every day.")
@click.option(
    "--disturb",
    metavar="KIND[+KIND...]|all[,seed=N]",
    help="Prove disturbances instead: each kind on --sample of the tasks that it fits.",
)
@click.option("--out", type=FOLDER, help="Folder for the results and the page.")
@click.option("--fresh", is_flag=True, help="Start over even if the last proof was interrupted.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for a program to read.")
def prove(
    names: tuple[str, ...],
    suite: str,
    filters: dict[str, tuple[str, ...]],
    seeds: int,
    quick: bool,
    workers: int | None,
    sample: int | None,
    disturb: str | None,
    out: Path | None,
    as_json: bool,
    **how: Any,
) -> None:
    """Prove on real computers that tasks can be done, and only by doing them.

    A task is proven when its solution scores 1 every time and changes nothing else, doing nothing scores 0, giving up
    at once scores 0, every other way scores 1, every near miss scores what it should, no cheat succeeds, and judging
    twice gives the same result. The finished work is then changed piece by piece: mutants must fail and variants must
    pass. Exceptions are listed; with --lenient the task counts as proven all the same.

    Other systems' tasks have no answer key. It is shown that doing nothing and giving up score 0, that judging twice
    agrees, that no spoilt file upsets the check, and, where it compares with a file, that this file scores 1 and
    changes to it do not. Those that something is missing for are named. Results of later runs say what was shown.

    TASK is a name in the suite or a task file of your own. An interrupted proof continues where it stopped; tasks that
    have changed are tried again.

    With --disturb, something comes in between: who answers it must score 1, who takes no notice must not always, unless
    the kind is declared harmless.

    \b
    proctor tasks prove --suite tour                  the eight tasks of the first run
    proctor tasks prove sign-the-letter --seeds 5     one task of suite core, in five variants
    proctor tasks prove mine/task.json                a task of your own
    proctor tasks prove mine                          every task in a folder
    proctor tasks prove --disturb all --sample 20     each kind of disturbance on 20 tasks
    proctor tasks prove --suite osworld:examples --assets files
    """
    chosen, others, assets = choose(suite, names, filters, range(seeds), None if disturb else sample)
    name = suite_name(suite, names, chosen) if chosen else suite.partition(":")[0]
    folder = out or folders.data_folder() / "proofs" / (name if not names else "chosen")
    workers = workers or default_workers()
    if disturb:
        plan = plan_disturbed(chosen, disturb, sample, date.today().toordinal())
        sys.exit(not prove_disturbed(plan, out or folder / "disturbed", workers, fresh=how["fresh"], as_json=as_json))
    proofs = prove_visibly(chosen, folder, whole=not quick, workers=workers, assets=assets, **how)
    result = {**summary(proofs), **({"not_tried": others} if others else {})}
    keep(proofs, result, folder, f"Proofs of {name}")
    click.echo(json_text(result)) if as_json else show_proofs(proofs, others, folder)
    sys.exit(0 if all(proof.complete for proof in proofs) else 1)


def keep(proofs: Sequence[Proof], result: object, folder: Path, title: str) -> None:
    """Write the page and the figures, and what later runs say of tasks without an answer key."""
    for proof in proofs:
        if proof.task.unproven:
            keep_shown(proof.task.digest, facts(proof))
    write_whole(folder, "proofs.html", page(title, proofs).encode())
    write_whole(folder, "proofs.json", json_text(result, indent=2).encode())


def choose(
    suite: str, names: tuple[str, ...], filters: Filters, seeds: range, sample: int | None
) -> tuple[list[Task], list[NotTried], Path | None]:
    """Return the tasks to prove, those that something is missing for, and their folder."""
    every = every_task(suite) if is_foreign(suite) and not names else ()
    others = [task.to_json() for task in every if task.make is None]
    if others and len(others) == len(every):
        return [], others, None
    found, assets = choices(suite, names, filters, seeds)
    if sample:
        found = rotate(found, sample, date.today().toordinal())
    chosen = []
    for choice in found:
        try:
            chosen.append(choice.write())
        except SpecError as error:
            if not every:
                raise
            broken = f"needs asset: {error.message}"
            others.append({"task": choice.id, "status": "needs asset", "reasons": [broken]})
    return chosen, others, assets
