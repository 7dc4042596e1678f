"""The result of an exam, made here alone: what was known before, what was counted, and whose failure made it void."""

from __future__ import annotations

import time
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from proctor.errors import (
    AgentError,
    ComputerError,
    EventFailed,
    HostError,
    ModelError,
    ProctorError,
    SetupFailed,
    SpecError,
)
from proctor.exam.candidate import Candidate
from proctor.exam.failures import failure_modes
from proctor.exam.match_key import action_match
from proctor.exam.side_effects import NOT_LOOKED, SideEffects
from proctor.exam.state import ExamState
from proctor.exam.trouble import Troubles
from proctor.exam.watcher import WatcherFailed
from proctor.graphs.mathematics.complexity import Dimension
from proctor.models.retry import CallFailed
from proctor.models.secrets import redact
from proctor.records import Cause, EpisodeKey, Happening, Result
from proctor.store.shown import find_shown
from proctor.tasks.task import Task
from proctor.tasks.verdict import Verdict

MOST_FRAMES = 12
MOST_TRACE = 8_000
"""Characters of a trace that are kept."""
MOST_SAID = 1_000
OURS: tuple[Cause, ...] = ("defect", "spec")
"""Failures that leave a verdict standing that was found before."""


@dataclass
class Account:
    """What is known of an exam so far; a failure on the way leaves what there is."""

    task: Task
    key: EpisodeKey
    candidate: Candidate = field(default_factory=Candidate)
    retry: int = 0
    began: float = field(default_factory=time.time)
    """Seconds since the epoch."""
    state: ExamState | None = None
    troubles: Troubles | None = None
    verdict: Verdict | None = None
    side_effects: SideEffects = NOT_LOOKED

    @property
    def acted(self) -> bool:
        """Whether the agent has acted on the computer."""
        return self.state is not None and self.state.acted


def plain_result(account: Account) -> Result:
    """Return a result with everything that is known before the exam."""
    task = account.task
    tags = task.tags
    return Result(
        key=account.key,
        retry=account.retry,
        digest=task.digest,
        apps=tags.apps,
        categories=tags.categories,
        level=tags.level,
        domain=tags.domain,
        scenario=tags.scenario,
        demand=tags.demand,
        feasible=tags.feasible,
        twin=task.twin,
        unproven=task.unproven,
        shown=find_shown(task.digest) if task.unproven else (),
        unjudged=task.unjudged,
        begin_after=task.begin_after,
        labels=dict(task.graph.labels) if task.graph else {},
        settings=dict(account.candidate.options),
        started=round(account.began, 3),
    )


def judged_result(account: Account) -> Result:
    """Return the result of an exam that came to a verdict."""
    result, state, verdict = _count(account), account.state, account.verdict
    assert state is not None and verdict is not None
    stop = result.stop
    if account.task.unjudged:
        return replace(result, metrics=_metrics(account, result))
    modes = failure_modes(
        account.task,
        stop,
        verdict.score,
        state.history,
        crashed=state.crashed,
        parse_errors=state.parse_errors,
        damage=bool(account.side_effects.effects),
    )
    metrics = _metrics(account, result)
    return replace(
        result,
        score=verdict.score,
        checkpoints=dict(verdict.checkpoints),
        differs=verdict.differs,
        modes=tuple(modes),
        metrics=metrics,
    )


def void_result(account: Account, error: Exception) -> Result:
    """Return the result of an exam that an error has made void: whose failure it is, what happened, our trace."""
    cause = cause_of(error, acted=account.acted)
    said = str(error) if isinstance(error, ProctorError) else f"{type(error).__name__}: {error}"
    result = replace(_count(account), stop="void", cause=cause, error=redact(said))
    if cause != "defect":
        return result
    said = redact(f"a defect of Proctor; please report it with the trace in the record: {said[:MOST_SAID]}")
    return replace(result, error=said, defect=trace_of(error))


def left_result(account: Account, why: str) -> Result:
    """Return the result of an exam whose client went away before its end."""
    return replace(_count(account), stop="void", cause="client", error=redact(why[:MOST_SAID]))


def lost_result(account: Account, why: str, *, acted: bool, cause: Cause | None) -> Result:
    """Return the result of an episode whose worker was lost; without a cause, by the agent's doing."""
    result = replace(plain_result(account), acted=acted)
    if cause is None:
        return replace(result, stop="agent_error", modes=("agent_crash",), score=0.0, error=why)
    return replace(result, stop="void", cause=cause, error=why)


def _count(account: Account) -> Result:
    """Return a result with what was counted, as far as the exam came."""
    result, state, candidate = plain_result(account), account.state, account.candidate
    if state is None:
        return result
    prices = [call.cost_usd for call in state.calls]
    broke = account.troubles.broke if account.troubles is not None else ""
    sights, recovered, recovery = _count_disturbances(state.happenings)
    return replace(
        result,
        stop="broke_the_computer" if broke else state.stop or "done",
        acted=state.acted,
        defect=_defect(account, state),
        steps=state.own_steps,
        turns=state.turns,
        parse_errors=state.parse_errors,
        refused=state.refused,
        stale=state.stale,
        asked=len(state.ending.asked),
        calls=len(state.calls),
        input_tokens=sum(call.input_tokens for call in state.calls),
        output_tokens=sum(call.output_tokens for call in state.calls),
        cached_tokens=sum(call.cached_tokens for call in state.calls),
        cache_write_tokens=sum(call.cache_write_tokens for call in state.calls),
        cost_usd=None if None in prices else sum(price or 0.0 for price in prices),
        collateral=account.side_effects.counts,
        besides=account.side_effects.worst,
        collateral_unknown="" if broke else account.side_effects.unknown,
        flags=dict(Counter(flag.rule for flag in state.flags)),
        events=_count_events(state.happenings),
        missed=tuple(each.name for each in state.happenings if each.needed and each.missed),
        disturbed=sights,
        recovered=recovered,
        recovery=recovery,
        goal=candidate.goal,
        strategy=candidate.strategy,
        error=redact(broke or state.error),
    )


def _count_events(happenings: Sequence[Happening]) -> dict[str, int]:
    """Return how many events happened, were not seen, failed or did not happen."""
    happened = [each for each in happenings if each.happened]
    counts = {
        "happened": len(happened),
        "unseen": sum(each.answered is None for each in happened),
        "failed": sum(bool(each.failed) for each in happenings),
        "missed": sum(bool(each.missed) for each in happenings),
    }
    return {name: count for name, count in counts.items() if count}


def _count_disturbances(happenings: Sequence[Happening]) -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
    """Return by kind how many came into sight, after how many the agent was back, and in how many actions."""
    disturbances = [each for each in happenings if each.disturbance]
    back = [each for each in disturbances if each.recovery is not None]
    sights = dict.fromkeys((each.disturbance for each in disturbances), 0)
    for each in disturbances:
        sights[each.disturbance] += each.seen is not None
    actions: dict[str, int] = {}
    for each in back:
        actions[each.disturbance] = actions.get(each.disturbance, 0) + (each.recovery or 0)
    return sights, dict(Counter(each.disturbance for each in back)), actions


def _defect(account: Account, state: ExamState) -> str:
    """Return the trace of a defect that showed without making the exam void."""
    found = [account.troubles.defect if account.troubles else "", *state.defects]
    return redact(next(filter(None, found), "")[:MOST_TRACE])


def _metrics(account: Account, result: Result) -> dict[str, float]:
    """Return the other figures of an exam: those of the verdict, and for a composed task what they cost."""
    assert account.verdict is not None and account.state is not None
    figures = {**account.verdict.metrics, **account.state.figures}
    graph = account.task.graph
    if graph is None:
        return figures
    figures |= {str(dimension): float(graph.complexity[dimension]) for dimension in Dimension}
    tokens = result.input_tokens + result.output_tokens
    if result.steps:
        figures["completion_per_action"] = figures["completion"] / result.steps
    if tokens:
        figures["completion_per_token"] = figures["completion"] / tokens
    figures["action_match"] = action_match(account.task.solution, account.state.history)
    return figures


def trace_of(error: Exception) -> str:
    """Return where a defect showed, as far as the record keeps it."""
    # Where the watcher failed, and not who asked it.
    if isinstance(error, WatcherFailed) and isinstance(error.__cause__, Exception):
        error = error.__cause__
    return redact("".join(traceback.format_exception(error, limit=-MOST_FRAMES))[:MOST_TRACE])


def cause_of(error: Exception, *, acted: bool) -> Cause:
    """Return whose failure an error is that nobody could handle, by whether the agent had acted before.

    Trouble with the computer that comes later has been turned into a verdict, so whatever comes here then is ours.
    """
    match error:
        case CallFailed(kind="filtered"):
            return "filtered"
        case ModelError():
            return "model"
        case HostError():
            return "host"
        case SpecError():
            return "spec"
        case EventFailed():
            return "setup"
        case SetupFailed() | AgentError() if not acted:
            return "setup"
        case ComputerError() if not acted:
            return "computer"
        case _:
            return "defect"


def final_result(account: Account, failure: Exception | None, left: str) -> Result:
    """Return the result of an exam that is over, failed or was left in its middle."""
    if failure is None:
        return left_result(account, left) if left else judged_result(account)
    if account.verdict is not None and cause_of(failure, acted=account.acted) in OURS:
        # The verdict stands, and the trace goes with it.
        return replace(judged_result(account), defect=trace_of(failure))
    return void_result(account, failure)


def clock_result(result: Result, seconds: float, agent_seconds: float, costs: dict[str, float]) -> Result:
    """Return a result with its time, the agent's part of it, and what it took of the machine."""
    return replace(result, seconds=round(seconds, 4), agent_seconds=round(agent_seconds, 4), costs=costs)
