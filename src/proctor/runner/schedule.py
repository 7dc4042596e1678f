"""Holding the episodes of a plan: workers kept busy, void episodes tried again, every result in the record at once."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from proctor.exam.costs import cost_of, why_uncounted
from proctor.exam.result import lost_result
from proctor.records import Cause, Result
from proctor.runner.job import Job
from proctor.runner.plan import Plan
from proctor.runner.worker_pool import Lost
from proctor.runner.workers.worker import Workers, WorkersGone
from proctor.store.folder import conclude
from proctor.store.read import open_episode
from proctor.store.run import RunRecord

MODEL_FAILURES = 5
"""So many void episodes of one agent in a row, all by its model, and it is asked no more: the model is away."""


@dataclass(frozen=True)
class RunEvent:
    """Something that happened in a run, for progress bars and pages."""

    kind: Literal["held", "begun", "retried", "ended"]
    """`held`: an earlier pass left this result; `retried`: it came out void and is tried again."""
    result: Result | None = None
    """None for `begun`."""


@dataclass
class Tally:
    """What a run has come to so far."""

    planned: int
    ended: int = 0
    """Episodes with a last word: scored, or void for good."""
    void: int = 0
    passed: int = 0
    clean: int = 0
    """Those of them that changed nothing else."""
    unclean: int = 0
    """Those of them that did."""
    unknown: int = 0
    """Scored ones in which nobody could look for that."""
    cost_usd: float = 0.0
    stopped: dict[str, str] = field(default_factory=dict)
    """Agents that are asked no more, and why."""
    out_of_money: bool = False
    gone: str = ""
    """Why there is nobody left to hold episodes, once that has shown; what was going on is left unfinished."""
    uncounted: str = ""
    """Why a cost limit cannot be enforced, once that has shown."""

    @property
    def complete(self) -> bool:
        """Whether every planned episode has been held."""
        return self.ended >= self.planned

    def count(self, result: Result) -> None:
        """Take one result in."""
        self.ended += 1
        self.void += result.void
        self.passed += result.passed
        self.clean += result.clean is True
        self.unclean += result.passed and result.clean is False and not result.collateral_unknown
        self.unknown += bool(result.collateral_unknown) and result.score is not None


def carry_out(
    plan: Plan,
    record: RunRecord,
    workers: Workers,
    *,
    heard: Callable[[RunEvent], None] | None = None,
    most_usd: float | None = None,
) -> Tally:
    """Hold what is left of a plan and return what it came to; interrupted, the record holds what was finished.

    Once the run has cost `most_usd`, or it cannot be told what an episode has cost, no further one begins; those going
    on are finished. Where the workers are gone, the tally says why and the run can be resumed.
    """
    return _Run(plan, record, workers, heard or _deaf, most_usd).go()


class _Run:
    """One pass over a plan."""

    def __init__(
        self, plan: Plan, record: RunRecord, workers: Workers, heard: Callable[[RunEvent], None], most_usd: float | None
    ) -> None:
        self._plan, self._record, self._workers, self._heard, self._most_usd = plan, record, workers, heard, most_usd
        self._again: deque[Job] = deque()
        self._model_failures: Counter[str] = Counter()
        self._going_on = 0
        self.tally = Tally(planned=len(plan))

    def go(self) -> Tally:
        held = {result.key: result for result in self._record.final()}
        for result in held.values():
            self.tally.cost_usd += cost_of(result)
            if not result.may_be_repeated(self._plan.rules.retries):
                self.tally.count(result)
                self._heard(RunEvent("held", result))
        waiting = self._plan.jobs(held, self._record.folder)
        try:
            while True:
                self._hand_out(waiting)
                if not self._going_on:
                    break
                for job, outcome in self._workers.finished():
                    self._going_on -= 1
                    self._take(job, outcome if not isinstance(outcome, Lost) else self._lost(job, outcome))
        except WorkersGone as gone:
            self.tally.gone = gone.message
        finally:
            self._workers.close()
            self._record.commit()
        if self.tally.complete:
            self._record.seal()
        return self.tally

    def _hand_out(self, waiting: Iterator[Job]) -> None:
        while self._workers.room and (job := self._next(waiting)) is not None:
            self._workers.give(job)
            self._going_on += 1
            self._heard(RunEvent("begun"))

    def _next(self, waiting: Iterator[Job]) -> Job | None:
        if self._most_usd is not None and self.tally.cost_usd >= self._most_usd:
            self.tally.out_of_money = True
            return None
        if self._most_usd is not None and self.tally.uncounted:
            return None
        while (job := self._again.popleft() if self._again else next(waiting, None)) is not None:
            if job.key.agent not in self.tally.stopped:
                return job
        return None

    def _take(self, job: Job, result: Result) -> None:
        self._record.add(result)
        self.tally.cost_usd += cost_of(result)
        self.tally.uncounted = self.tally.uncounted or why_uncounted(result)
        if result.cause == "model":
            self._model_failures[job.key.agent] += 1
            if self._model_failures[job.key.agent] >= MODEL_FAILURES:
                self.tally.stopped[job.key.agent] = result.error
        elif not result.void:
            self._model_failures[job.key.agent] = 0
        if result.may_be_repeated(self._plan.rules.retries):
            self._again.append(job.again())
            self._heard(RunEvent("retried", result))
            return
        self.tally.count(result)
        self._heard(RunEvent("ended", result))

    def _lost(self, job: Job, lost: Lost) -> Result:
        """Record an episode whose worker died or hung.

        Nothing but the agent and what it brings about is at work in a worker from its first action to its last. So one
        that crashes or hangs then has been brought down by the agent, and the agent has failed; unless it said that a
        watcher of ours was at work. That, and a judge that is lost within its own bounds, whoever ended it, is a defect
        of ours: void, and no second try. A worker that was killed while the agent was at work says nothing: the host
        may have been short of memory by anybody's doing, so that is void, and no second try either.
        """
        header = open_episode(job.folder).header if job.folder.is_dir() else None
        acted = header is not None and header.acted is not None
        judged = header is not None and header.over is not None
        doing = lost.doing or ("it judged" if judged else "the agent was at work" if acted else "")
        cause: Cause | None = "worker"
        if judged or (lost.doing and not lost.killed):
            cause = "defect"
        elif not lost.killed and acted:
            cause = None
        why = f"the worker was lost{f' while {doing}' if doing else ''}: {lost.why}"
        return conclude(job.folder, lost_result(job.account, why, acted=acted, cause=cause))


def _deaf(_event: RunEvent) -> None:
    """Hear nothing."""
