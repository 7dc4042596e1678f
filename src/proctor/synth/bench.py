"""Where trials of proposals are held: a worker process with fresh computers, for one thread."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from proctor.computers.images import store
from proctor.errors import HostError, ProctorError
from proctor.prove.ledger import Ledger, key
from proctor.prove.schedule import hold, open_pool, sittings
from proctor.prove.trial import Outcome, Trial
from proctor.runner.worker_pool import WorkerPool
from proctor.tasks.task import Task

LOST = "the worker was lost"
HUNG = f"{LOST}: it did not end"
"""What a proposal may well bring about; a worker that dies twice is the machine's doing."""


class SynthesisStopped(ProctorError):
    """Somebody ended the synthesis; what is finished is kept."""


@dataclass
class TrialBench:
    """Holds trials of one task after the other, and keeps their outcomes in a folder of each."""

    backend: str = "sandbox"
    stop: threading.Event = field(default_factory=threading.Event)
    """Set by whoever ends the synthesis."""
    _pool: WorkerPool | None = field(default=None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_ended: object) -> None:
        self.close()

    def close(self) -> None:
        """End its worker, and the computer with it."""
        if self._pool is not None:
            self._pool.close()
            self._pool = None

    def ledger(self, task: Task, every: Sequence[Trial], folder: Path) -> Ledger:
        """Return the ledger of a task's trials; what was held of them before is in it."""
        images = {task.image: store.find(task.image).digest} if self.backend == "sandbox" else {}
        folder.mkdir(parents=True, exist_ok=True)
        return Ledger.open(folder, [(task, every)], images=images, fresh=False)

    def hold(self, task: Task, some: Sequence[Trial], ledger: Ledger) -> list[Outcome]:
        """Return the outcomes of some trials; raises HostError where this machine stands in their way."""
        if self.stop.is_set():
            raise SynthesisStopped("it was stopped")
        if self._pool is None:
            self._pool = open_pool(1)
        hold(sittings(task, some), ledger, self._pool, self.backend)
        outcomes = [ledger.outcomes[key(task, trial)] for trial in some]
        troubled = [outcome for outcome in outcomes if is_trouble(outcome)]
        if not troubled:
            return outcomes
        # Once more: a machine may have been too busy, and a proposal is not to answer for that.
        for outcome in troubled:
            del ledger.outcomes[key(task, outcome.trial)]
        hold(sittings(task, [outcome.trial for outcome in troubled]), ledger, self._pool, self.backend)
        outcomes = [ledger.outcomes[key(task, trial)] for trial in some]
        if failed := next((each for each in outcomes if is_trouble(each) and not each.error.startswith(HUNG)), None):
            raise HostError(
                f"computers fail: {failed.error}", remedy="run `proctor doctor`, then the same command again"
            )
        return outcomes


def is_trouble(outcome: Outcome) -> bool:
    """Tell whether a trial came to nothing that may not be the proposal's doing."""
    return outcome.score is None and outcome.error.startswith(("HostError", "ImageError", LOST))
