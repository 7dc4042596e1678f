"""The result of an episode: what was known before, what was counted, and whose failure made it void."""

from __future__ import annotations

import traceback
from collections import Counter
from dataclasses import replace

from proctor.errors import AgentError, ComputerError, HostError, ModelError, ProctorError, SetupFailed, SpecError
from proctor.graphs.mathematics.complexity import Dimension
from proctor.models.secrets import redact
from proctor.records import Cause, Result
from proctor.runner.companion import CompanionFailed
from proctor.runner.failures import failure_modes
from proctor.runner.job import Job
from proctor.runner.match_key import action_match
from proctor.runner.play import Examination
from proctor.runner.state import EpisodeState

MOST_FRAMES = 12
MOST_TRACE = 8_000
"""Characters of a trace that are kept."""
MOST_SAID = 1_000
MOST_STRATEGY = 80
GAME = "game"
"""The goal of an agent that tries to score without doing the work."""


def plain_result(job: Job, began: float) -> Result:
    """Return a result with everything that is known before the episode."""
    tags = job.task.tags
    return Result(
        key=job.key,
        retry=job.retry,
        digest=job.digest,
        apps=tags.apps,
        categories=tags.categories,
        level=tags.level,
        domain=tags.domain,
        scenario=tags.scenario,
        demand=tags.demand,
        feasible=tags.feasible,
        twin=job.task.twin,
        unproven=job.task.unproven,
        labels=dict(job.task.graph.labels) if job.task.graph else {},
        settings=dict(job.agent.options),
        started=round(began, 3),
    )


def counted(result: Result, exam: Examination) -> Result:
    """Add what was counted, as far as the episode came."""
    episode = exam.state
    if episode is None:
        return result
    prices = [call.cost_usd for call in episode.calls]
    stop = episode.stop or "done"
    if exam.troubles is not None and exam.troubles.broke:
        stop = "broke_the_computer"
        result = replace(result, error=result.error or redact(exam.troubles.broke))
    result = replace(
        result,
        stop="void" if result.stop == "void" else stop,
        acted=episode.acted,
        defect=result.defect or _defect(exam, episode),
        steps=episode.steps,
        turns=episode.turns,
        parse_errors=episode.parse_errors,
        refused=episode.refused,
        stale=episode.stale,
        asked=len(episode.ending.asked),
        agent_seconds=round(episode.agent_seconds, 4),
        calls=len(episode.calls),
        input_tokens=sum(call.input_tokens for call in episode.calls),
        output_tokens=sum(call.output_tokens for call in episode.calls),
        cached_tokens=sum(call.cached_tokens for call in episode.calls),
        cache_write_tokens=sum(call.cache_write_tokens for call in episode.calls),
        cost_usd=None if None in prices else sum(price or 0.0 for price in prices),
        collateral=dict(exam.damage),
        flags=dict(Counter(flag.rule for flag in episode.flags)),
        goal=GAME if _games(exam.agent) else "",
        strategy=_strategy(exam.agent),
        error=result.error or redact(episode.error),
    )
    if result.stop == "void" or exam.verdict is None:
        return result
    modes = failure_modes(
        exam.job.task,
        result.stop,
        exam.verdict.score,
        episode.history,
        crashed=episode.crashed,
        parse_errors=episode.parse_errors,
        damage=bool(exam.damage),
    )
    return replace(result, score=exam.verdict.score, modes=tuple(modes), metrics=_metrics(exam, result))


def _games(agent: object) -> bool:
    """Tell whether an agent says of itself that it is not after doing the work."""
    goal = getattr(agent, "goal", "")
    return isinstance(goal, str) and goal == GAME


def _strategy(agent: object) -> str:
    strategy = getattr(agent, "strategy", "") if _games(agent) else ""
    return strategy[:MOST_STRATEGY] if isinstance(strategy, str) else ""


def _defect(exam: Examination, episode: EpisodeState) -> str:
    """Return the trace of a defect that showed without making the episode void."""
    found = [exam.troubles.defect if exam.troubles else "", *episode.defects]
    return redact(next(filter(None, found), "")[:MOST_TRACE])


def _metrics(exam: Examination, result: Result) -> dict[str, float]:
    """Return the other figures of an episode: those of the verdict, and for a composed task what they cost."""
    assert exam.verdict is not None and exam.state is not None
    figures = {**exam.verdict.metrics, **exam.state.figures}
    graph = exam.job.task.graph
    if graph is None:
        return figures
    figures |= {str(dimension): float(graph.complexity[dimension]) for dimension in Dimension}
    tokens = result.input_tokens + result.output_tokens
    if result.steps:
        figures["completion_per_action"] = figures["completion"] / result.steps
    if tokens:
        figures["completion_per_token"] = figures["completion"] / tokens
    figures["action_match"] = action_match(exam.job.task.solution, exam.state.history)
    return figures


def voided(result: Result, error: Exception, *, acted: bool) -> Result:
    """Return the result of an episode that an error has made void: whose failure it is, what happened, our trace."""
    cause = cause_of(error, acted=acted)
    said = str(error) if isinstance(error, ProctorError) else f"{type(error).__name__}: {error}"
    if cause != "defect":
        return replace(result, stop="void", cause=cause, error=redact(said))
    said = f"a defect of Proctor; please report it with the trace in the record: {said}"
    said = redact(said[:MOST_SAID])
    return replace(result, stop="void", cause=cause, error=said, defect=trace_of(error), acted=acted)


def trace_of(error: Exception) -> str:
    """Return where a defect showed, as far as the record keeps it."""
    # Where the companion failed, and not who asked it.
    if isinstance(error, CompanionFailed) and isinstance(error.__cause__, Exception):
        error = error.__cause__
    return redact("".join(traceback.format_exception(error, limit=-MOST_FRAMES))[:MOST_TRACE])


def cause_of(error: Exception, *, acted: bool) -> Cause:
    """Return whose failure an error is that nobody could handle, by whether the agent had acted before.

    Trouble with the computer that comes later has been turned into a verdict, so whatever comes here then is ours.
    """
    match error:
        case ModelError():
            return "model"
        case HostError():
            return "host"
        case SpecError():
            return "spec"
        case SetupFailed() | AgentError() if not acted:
            return "setup"
        case ComputerError() if not acted:
            return "computer"
        case _:
            return "defect"
