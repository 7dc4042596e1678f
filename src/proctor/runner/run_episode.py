"""Holding one episode from the lease of a computer to the verdict: what a worker does, whatever happens."""

from __future__ import annotations

import inspect
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from proctor.agents.agent import close, wanted
from proctor.computers import COMPUTERS, open_for
from proctor.computers.computer import Computer
from proctor.computers.settle import read_settling
from proctor.computers.wellness import Wellness
from proctor.errors import HostError
from proctor.models.secrets import redact
from proctor.models.usage import Budget
from proctor.records import Header, NamedAgent, Result, SetTask
from proctor.runner import agent_output, answer_key
from proctor.runner.companion import Companion
from proctor.runner.companions.repeating import Repeating
from proctor.runner.companions.screen import Screen
from proctor.runner.computer_spec import ComputerSpec
from proctor.runner.job import Job, look_for_code
from proctor.runner.open_agent import agent_at_work
from proctor.runner.origin import RecordedActions, going_on
from proctor.runner.outcome import cause_of, counted, plain_result, trace_of, voided
from proctor.runner.play import Examination, examine
from proctor.runner.tools.toolbox import open_toolbox
from proctor.store.episode import EpisodeWriter
from proctor.store.folder import conclude


def run_episode(job: Job, offered: Mapping[str, Any] | None = None, companions: Sequence[Companion] = ()) -> Result:
    """Hold one episode and record it; returns its result, void where nothing can be said about the agent.

    Args:
        job: The episode.
        offered: What its agent is given besides its options, where its constructor names it.
        companions: Who goes along besides those that its rules ask for.

    Raises HostError when the record cannot be written, as on a full disk: then no episode can be held.
    """
    began, clock = time.time(), time.monotonic()
    look_for_code(job)
    writer = EpisodeWriter.begin(job.folder, _header(job, began))
    exam = Examination(job)
    result = plain_result(job, began)
    try:
        with Wellness(job.folder) as wellness:
            _examine(exam, writer, wellness, offered or {}, companions)
    except Exception as error:
        # The worker's boundary: a defect of ours is not the agent's doing, and the run goes on.
        if exam.over or (exam.verdict is not None and cause_of(error, acted=exam.acted) in ("defect", "spec")):
            # The verdict stands, and the trace goes with it.
            result = replace(result, defect=trace_of(error))
        else:
            result = voided(result, error, acted=exam.acted)
    result = replace(counted(result, exam), seconds=round(time.monotonic() - clock, 4))
    verdict = exam.verdict.to_json() if exam.verdict and result.stop != "void" else None
    try:
        return writer.finish(result, verdict, exam.changes)
    except HostError:
        raise
    except Exception as error:
        # Something of the episode could not be put into words; what was written is kept.
        writer.close()
        return conclude(job.folder, voided(plain_result(job, began), error, acted=exam.acted))


def _examine(
    exam: Examination,
    writer: EpisodeWriter,
    wellness: Wellness,
    offered: Mapping[str, Any],
    besides: Sequence[Companion],
) -> None:
    job, rules = exam.job, exam.job.rules
    screen = Screen(writer.folder, video=rules.video)
    opened: list[Computer] = []
    with agent_output.kept(exam, writer.say):
        # The agent comes first: what it wants to see says how its computer is opened.
        agent = agent_at_work(
            job.agent,
            moves=lambda step, miss=0: answer_key.moves(job.task, opened[0], miss=miss)(step),
            prompt=screen.prompt,
            budget=Budget(tokens=rules.tokens, usd=rules.cost_usd),
            offers=lambda: opened[0].capabilities,
            **offered,
        )
        companions: list[Companion] = [screen, *besides]
        if rules.origin:
            recorded = RecordedActions(Path(rules.origin), rules.origin_actions)
            agent = going_on(agent, recorded)
            companions.append(Repeating(recorded, writer))
        try:
            with open_toolbox(rules) as tools, _computer(job, clip_sec=wanted(agent).clip_sec) as computer:
                opened.append(computer)
                computer.settling = read_settling(rules.settle)
                examine(exam, agent, computer, writer, wellness, companions, tools)
        finally:
            _close(agent, writer)


def _computer(job: Job, *, clip_sec: float) -> Computer:
    """Return the computer of an episode; one that is to show the last seconds is told so, where it must be told."""
    spec = ComputerSpec.parse(job.rules.backend)
    given = spec.typed()
    if clip_sec and "clip_sec" in inspect.signature(COMPUTERS.get(spec.name)).parameters:
        given = {"clip_sec": clip_sec, **given}
    return open_for(spec.name, job.task.needs, given)


def _close(agent: object, writer: EpisodeWriter) -> None:
    """Let the agent go; what it raises then is kept, and changes nothing any more."""
    try:
        close(agent)
    except Exception as error:
        writer.note(agent_failed_to_close=redact(f"{type(error).__name__}: {error}"[:1000]))


def _header(job: Job, began: float) -> Header:
    task = job.task
    return Header(
        key=job.key,
        retry=job.retry,
        task=SetTask(
            id=task.id, seed=task.seed, digest=job.digest, instruction=task.instruction, unproven=task.unproven
        ),
        agent=NamedAgent(name=job.agent.name, options=dict(job.agent.options), label=job.agent.label),
        rules=job.rules.to_json(),
        started=began,
    )
