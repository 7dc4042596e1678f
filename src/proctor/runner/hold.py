"""Holding one episode from the lease of a computer to the verdict: what a worker does, whatever happens."""

from __future__ import annotations

import time
import traceback
from dataclasses import asdict, replace
from typing import Any

from proctor.agents import open_agent
from proctor.agents.agent import close
from proctor.computers import open_computer
from proctor.errors import ProctorError
from proctor.models.secrets import redact
from proctor.models.usage import Budget
from proctor.records import Result
from proctor.runner import answer_key, spoken, watching
from proctor.runner.job import Job
from proctor.runner.outcome import cause_of, counted, plain_result
from proctor.runner.play import Examination, examine
from proctor.store.episode import EpisodeWriter
from proctor.tasks.task import Task


def hold(job: Job) -> Result:
    """Hold one episode and record it; returns its result, void where nothing can be said about the agent.

    Raises HostError when the record cannot be written, as on a full disk: then no episode can be held.
    """
    began, clock = time.time(), time.monotonic()
    writer = EpisodeWriter.begin(job.folder, _header(job, began))
    exam = Examination(job)
    result = plain_result(job, began)
    try:
        _hold(exam, writer)
    except ProctorError as error:
        result = replace(result, stop="void", cause=cause_of(error), error=redact(str(error)))
    except Exception:
        # The worker's boundary: a defect of ours is not the agent's doing, and the run goes on.
        result = replace(result, stop="void", cause="worker", error=redact(traceback.format_exc()[-4000:]))
    result = replace(counted(result, exam), seconds=round(time.monotonic() - clock, 4))
    verdict = exam.verdict.to_json() if exam.verdict and result.stop != "void" else None
    return writer.finish(result, verdict, exam.changes)


def _hold(exam: Examination, writer: EpisodeWriter) -> None:
    job = exam.job
    with (
        open_computer(job.rules.backend, **job.task.options()) as computer,
        watching.shown(computer, writer.folder, video=job.rules.video) as address,
        spoken.kept(exam, writer.say),
    ):
        agent = open_agent(
            job.agent,
            moves=answer_key.moves(job.task, computer),
            prompt=watching.prompt_with(address),
            budget=Budget(tokens=job.rules.tokens, usd=job.rules.cost_usd),
        )
        try:
            examine(exam, agent, computer, writer)
        finally:
            close(agent)


def _header(job: Job, began: float) -> dict[str, Any]:
    task: Task = job.task
    return {
        "key": asdict(job.key),
        "retry": job.retry,
        "task": {"id": task.id, "seed": task.seed, "digest": job.digest, "instruction": task.instruction},
        "agent": {"name": job.agent.name, "options": dict(job.agent.options), "label": job.agent.label},
        "rules": job.rules.to_json(),
        "started": began,
    }
