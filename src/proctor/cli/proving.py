"""How a proof run looks in a terminal: progress and failures while it runs, a table at the end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from proctor.cli.plain import escape
from proctor.prove.proof import Proof, problems, verdict
from proctor.prove.schedule import prove
from proctor.prove.trial import Outcome, trials
from proctor.report.terminal import open_console, print_table
from proctor.tasks.task import Task


def prove_visibly(
    tasks: Sequence[Task],
    folder: Path,
    *,
    repeats: int,
    near_misses: bool,
    workers: int,
    fresh: bool,
    assets: Path | None,
) -> list[Proof]:
    """Prove tasks with a progress bar; what fails is said at once."""
    console = Console(stderr=True, highlight=False)
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn()
    )  # fmt: skip
    with Progress(*columns, console=console) as progress:
        total = sum(len(list(trials(task, repeats, near_misses=near_misses))) for task in tasks)
        bar = progress.add_task("proving", total=total)

        def heard(task: Task, outcome: Outcome) -> None:
            progress.advance(bar)
            for problem in problems(outcome):
                seed = "" if task.seed is None else f" seed {task.seed}"
                # Feedback quotes what is on a computer: it may hold anything.
                progress.console.print(f"[red]{escape(task.id)}{seed}[/]: {escape(problem)}")

        return prove(
            tasks,
            folder,
            repeats=repeats,
            near_misses=near_misses,
            workers=workers,
            fresh=fresh,
            assets=assets,
            heard=heard,
        )


def show_proofs(proofs: Sequence[Proof], folder: Path) -> None:
    """Print one line for each task, and where the page is."""
    console = open_console()
    table = Table("task", "seed", "", "solution", "idle", "fail", "near misses", "takes", box=None, pad_edge=False)
    for proof in proofs:
        scores = {
            kind: " ".join("void" if o.score is None else f"{o.score:g}" for o in proof.of(kind))
            for kind in ("solution", "idle", "fail", "near_miss")
        }
        table.add_row(
            escape(proof.task.id),
            "" if proof.task.seed is None else str(proof.task.seed),
            f"[{'green' if proof.holds else 'red'}]{proof.state}[/]",
            *scores.values(),
            f"{proof.seconds:.1f} s",
        )
    print_table(console, table)
    flaky = sum(proof.flaky for proof in proofs)
    console.print(f"\n{verdict(proofs)}, {flaky} flaky; page: {escape(str(folder / 'proofs.html'))}", soft_wrap=True)
