"""The result of an episode: what was known before, what was counted, and whose failure made it void."""

from __future__ import annotations

from dataclasses import replace

from proctor.errors import CheckError, ModelError, ProctorError, SetupFailed, SpecError
from proctor.models.secrets import redact
from proctor.records import Cause, Result
from proctor.runner.failures import failure_modes
from proctor.runner.job import Job
from proctor.runner.matching import action_match
from proctor.runner.play import Examination
from proctor.tasks.graph.complexity import Dimension


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
        labels=dict(job.task.graph.labels) if job.task.graph else {},
        settings=dict(job.agent.options),
        started=round(began, 3),
    )


def counted(result: Result, exam: Examination) -> Result:
    """Add what was counted, as far as the episode came."""
    episode = exam.episode
    if episode is None:
        return result
    prices = [call.cost_usd for call in episode.calls]
    result = replace(
        result,
        stop="void" if result.stop == "void" else episode.stop or "done",
        steps=episode.steps,
        turns=episode.turns,
        parse_errors=episode.parse_errors,
        refused=episode.refused,
        asked=len(episode.ending.asked),
        agent_seconds=round(episode.agent_seconds, 4),
        calls=len(episode.calls),
        input_tokens=sum(call.input_tokens for call in episode.calls),
        output_tokens=sum(call.output_tokens for call in episode.calls),
        cost_usd=None if None in prices else sum(price or 0.0 for price in prices),
        collateral=dict(exam.damage),
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


def _metrics(exam: Examination, result: Result) -> dict[str, float]:
    """Return the other figures of an episode: those of the verdict, and for a composed task what they cost."""
    assert exam.verdict is not None and exam.episode is not None
    figures = dict(exam.verdict.metrics)
    graph = exam.job.task.graph
    if graph is None:
        return figures
    figures |= {str(dimension): float(graph.complexity[dimension]) for dimension in Dimension}
    tokens = result.input_tokens + result.output_tokens
    if result.steps:
        figures["completion_per_action"] = figures["completion"] / result.steps
    if tokens:
        figures["completion_per_token"] = figures["completion"] / tokens
    figures["action_match"] = action_match(exam.job.task.solution, exam.episode.history)
    return figures


def cause_of(error: ProctorError) -> Cause:
    """Return whose failure an error is."""
    match error:
        case SetupFailed():
            return "setup"
        case ModelError():
            return "model"
        case CheckError():
            return "check"
        case SpecError():
            return "worker"
        case _:
            return "computer"
