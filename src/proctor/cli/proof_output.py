"""How a proof run looks in a terminal: progress and failures while it runs, a table at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from proctor.cli.plain import escape
from proctor.prove.facts import facts, facts_in_words
from proctor.prove.proof import Proof, columns, mutants_caught, mutation_words, problems, variants_kept, verdict
from proctor.prove.schedule import prove
from proctor.prove.trial import Outcome, trials
from proctor.report.terminal import open_console, print_table
from proctor.tasks.task import Task


def prove_visibly(tasks: Sequence[Task], folder: Path, *, repeats: int, whole: bool, **how: Any) -> list[Proof]:
    """Prove tasks with a progress bar; what fails is said at once."""
    total = sum(len(list(trials(task, repeats, whole=whole))) for task in tasks)
    with follow_proofs(total) as heard:
        return prove(tasks, folder, repeats=repeats, whole=whole, heard=heard, **how)


@contextmanager
def follow_proofs(total: int) -> Iterator[Callable[[Task, Outcome], None]]:
    """Show a progress bar of so many trials, and give what is to be told of each."""
    console = Console(stderr=True, highlight=False)
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn()
    )  # fmt: skip
    with Progress(*columns, console=console) as progress:
        bar = progress.add_task("proving", total=total)

        def hear(task: Task, outcome: Outcome) -> None:
            progress.advance(bar)
            for problem in problems(outcome):
                seed = "" if task.seed is None else f" seed {task.seed}"
                seed += f" ({task.source.file})" if task.source and task.source.file else ""
                # Feedback quotes what is on a computer: it may hold anything.
                progress.console.print(f"[red]{escape(task.id)}{seed}[/]: {escape(problem)}")

        yield hear


def show_proofs(proofs: Sequence[Proof], others: Sequence[Mapping[str, object]], folder: Path) -> None:
    """Print one line for each task, where the page is, and what could not be tried."""
    console = open_console()
    kinds = columns(proofs)
    heads = ("task", "seed", "", *kinds.values(), "mutants caught", "variants kept", "takes")
    table = Table(*heads, box=None, pad_edge=False)
    for proof in proofs:
        scores = {
            kind: " ".join("void" if o.score is None else f"{o.score:g}" for o in proof.of(kind)) for kind in kinds
        }
        table.add_row(
            escape(proof.task.id),
            "" if proof.task.seed is None else str(proof.task.seed),
            f"[{'green' if proof.holds else 'red'}]{proof.state}[/]",
            *scores.values(),
            mutants_caught(proof),
            variants_kept(proof),
            f"{proof.seconds:.1f} s",
        )
    print_table(console, table)
    flaky = sum(proof.flaky for proof in proofs)
    for proof in proofs:
        for problem in proof.tally.problems() if proof.tally else ():
            console.print(f"[yellow]{escape(proof.task.id)}[/]: {escape(problem)}", soft_wrap=True)
        if proof.task.unproven and (held := facts(proof)):
            console.print(f"{escape(proof.task.id)}: {'; '.join(held)}", soft_wrap=True)
    console.print(f"\n{mutation_words(proofs)}", soft_wrap=True)
    if said := facts_in_words(proofs):
        console.print(escape(said), soft_wrap=True)
    console.print(f"{verdict(proofs)}, {flaky} flaky; page: {escape(str(folder / 'proofs.html'))}", soft_wrap=True)
    _show_others(others, console)


def _show_others(others: Sequence[Mapping[str, object]], console: Console) -> None:
    """Say which tasks of a folder could not be tried, and what each needs."""
    for task in others:
        reasons = task["reasons"] if isinstance(task["reasons"], list) else []
        why = next((reason for reason in reasons if reason.startswith(str(task["status"]))), task["status"])
        where = escape(str(task.get("file") or task["task"]))
        console.print(f"[yellow]{where}[/]: not tried: {escape(str(why))}", soft_wrap=True)
