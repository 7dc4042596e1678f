"""Proving many tasks: sittings on fresh computers, side by side in worker processes, resumable."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proctor.computers import open_for
from proctor.computers.images import store
from proctor.errors import ProctorError
from proctor.prove.attempt import attempt
from proctor.prove.ledger import Ledger, key
from proctor.prove.ledger import Trials as Planned
from proctor.prove.proof import Proof
from proctor.prove.trial import QUIET, Outcome, Trial, trials
from proctor.runner.worker_pool import Lost, WorkerPool
from proctor.store.lock import RunLock
from proctor.tasks.task import Task

LOCK = "lock"
MOST_TRACE = 8_000
PATIENCE_SEC = 600.0
"""A sitting that takes longer than this, and than its task allows, hangs."""


@dataclass(frozen=True)
class Sitting:
    """Trials that share one computer, in order.

    Only those without a move do: doing nothing and giving up do not touch the computer, and judging changes nothing,
    which the sitting itself shows. Everything else has a computer of its own.
    """

    task: Task
    trials: tuple[Trial, ...]
    assets: Path | None = None


def sittings(task: Task, every: Sequence[Trial], assets: Path | None = None) -> list[Sitting]:
    """Return the sittings that the trials of a task take."""
    quiet = tuple(trial for trial in every if trial.kind in QUIET)
    others = [Sitting(task, (trial,), assets) for trial in every if trial not in quiet]
    return [*others, *([Sitting(task, quiet, assets)] if quiet else [])]


def in_rounds(planned: Iterable[Sitting]) -> list[Sitting]:
    """Return sittings in the order in which an interrupted proof says most about all tasks.

    First come the solutions with their mutants, doing nothing and giving up, then other ways and cheats, then near
    misses and repeats of solutions.
    """
    return sorted(planned, key=lambda sitting: _round_of(sitting.trials[0]))


def _round_of(trial: Trial) -> int:
    if trial.kind in ("other_way", "cheat"):
        return 1
    return 2 if trial.kind == "near_miss" or trial.number else 0


def prove(
    tasks: Sequence[Task],
    folder: Path,
    *,
    repeats: int = 3,
    whole: bool = True,
    strict: bool = True,
    workers: int = 1,
    fresh: bool = False,
    assets: Path | None = None,
    backend: str = "sandbox",
    heard: Callable[[Task, Outcome], None] | None = None,
    plan: Sequence[Planned] | None = None,
) -> list[Proof]:
    """Prove tasks and return their proofs in the same order.

    Args:
        tasks: What is to be proven.
        folder: Where the outcomes are kept.
        repeats: How often each solution is tried.
        whole: Whether near misses, other ways, cheats and mutants are tried too.
        strict: Whether a mutant that survives, or a variant that is rejected, leaves a task unproven.
        workers: How many sittings are held side by side.
        fresh: Whether to begin again though the last run was interrupted.
        assets: The folder of the tasks' assets.
        backend: The kind of computer.
        heard: Is told of each outcome as it comes in.
        plan: What is tried with which task, in place of what a proof consists of.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lock = RunLock(folder / LOCK)
    try:
        names = sorted({task.image for task in tasks}) if backend == "sandbox" else []
        images = {name: store.find(name).digest for name in names}
        every = plan or [(task, list(trials(task, repeats, whole=whole))) for task in tasks]
        ledger = Ledger.open(folder, every, images=images, fresh=fresh)
        planned = in_rounds(sitting for task, its in every for sitting in sittings(task, its, assets))
        patience = max([PATIENCE_SEC, *(sitting.task.limits.seconds for sitting in planned)])
        with open_pool(workers, patience) as pool:
            hold(planned, ledger, pool, backend, heard)
        ledger.finish()
    finally:
        lock.release()
    return [Proof(task, tuple(ledger.outcomes[key(task, trial)] for trial in its), strict) for task, its in every]


def open_pool(workers: int, patience_sec: float = PATIENCE_SEC) -> WorkerPool:
    """Return worker processes that hold sittings."""
    return WorkerPool("proctor.prove.schedule:prove_sitting", workers, patience_sec=patience_sec)


def hold(
    planned: Sequence[Sitting],
    ledger: Ledger,
    pool: WorkerPool,
    backend: str,
    heard: Callable[[Task, Outcome], None] | None = None,
) -> None:
    """Hold the sittings whose outcomes are not known yet; all of them are in the ledger afterwards."""
    to_hold = []
    for sitting in planned:
        held = [ledger.outcomes.get(key(sitting.task, trial)) for trial in sitting.trials]
        if None in held:
            to_hold.append(sitting)
        elif heard:
            for outcome in filter(None, held):
                heard(sitting.task, outcome)
    for (sitting, _), result in pool.do((sitting, backend) for sitting in to_hold):
        for outcome in _outcomes(sitting, result):
            ledger.add(sitting.task, outcome)
            if heard:
                heard(sitting.task, outcome)


def prove_sitting(job: tuple[Sitting, str]) -> list[Outcome]:
    """Hold one sitting on a fresh computer; what fails before its first trial is the outcome of all."""
    sitting, backend = job
    try:
        with open_for(backend, sitting.task.needs) as computer:
            return attempt(sitting.task, sitting.trials, computer, assets=sitting.assets)
    except ProctorError as error:
        return [_void(trial, f"{type(error).__name__}: {error}") for trial in sitting.trials]
    except Exception:
        # The worker's boundary: one task that brings a defect to light does not cost the others their proofs.
        said = f"a defect of Proctor; please report it: {traceback.format_exc(limit=-12)[:MOST_TRACE]}"
        return [_void(trial, said) for trial in sitting.trials]


def _outcomes(sitting: Sitting, result: Any) -> list[Outcome]:
    if isinstance(result, Lost):
        return [_void(trial, f"the worker was lost: {result.why}") for trial in sitting.trials]
    outcomes: list[Outcome] = result
    return outcomes


def _void(trial: Trial, error: str) -> Outcome:
    return Outcome(trial, None, 0.0, error=error)
