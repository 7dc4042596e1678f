"""Running one episode: the agent and its computer are opened, the exam is held and recorded, whatever happens."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from pathlib import Path

from proctor.agents.agent import Agent, Driver, close
from proctor.computers import COMPUTERS, open_for
from proctor.computers.computer import Computer
from proctor.exam.exam import Exam
from proctor.exam.header import write_header
from proctor.exam.key_hand import Perform
from proctor.exam.watcher import Watcher
from proctor.models.secrets import redact
from proctor.models.usage import Budget
from proctor.records import Result
from proctor.runner import agent_output, answer_key
from proctor.runner.computer_spec import ComputerSpec
from proctor.runner.job import Job, look_for_code
from proctor.runner.loop import examine
from proctor.runner.open_agent import agent_at_work
from proctor.runner.origin import RecordedActions, going_on
from proctor.runner.reactions import Reactions
from proctor.runner.watchers.repeat import RepeatWatcher
from proctor.runner.watchers.screen import ScreenWatcher
from proctor.store.episode import EpisodeWriter


def run_episode(job: Job, offered: Mapping[str, object] | None = None, watchers: Sequence[Watcher] = ()) -> Result:
    """Run one episode and record it.

    Returns its result, void where nothing can be said about the agent.

    Args:
        job: The episode.
        offered: What its agent is given besides its options, where its constructor names it.
        watchers: Who goes along besides those that its rules ask for.

    Raises HostError when the record cannot be written, as on a full disk: then no episode can be run.
    """
    look_for_code(job)
    candidate, rules = job.candidate, job.rules
    writer = EpisodeWriter.begin(job.folder, write_header(job.task, job.key, candidate, rules, retry=job.retry))
    screen = ScreenWatcher(writer.folder, video=rules.video)
    along: list[Watcher] = [screen, *watchers]
    with Exam(
        job.task,
        lambda: _computer(job, clip_sec=candidate.want.clip_sec),
        rules,
        candidate=candidate,
        recorder=writer,
        watchers=along,
        key=job.key,
        retry=job.retry,
        run=job.run.name,
        assets=job.assets,
    ) as exam:
        with agent_output.keep_output(exam, writer.say, speaks=bool(rules.confirm)):
            _run(exam, job, along, screen, offered or {})
        exam.end()
    result = exam.end()
    if exam.unwritten is not None:
        raise exam.unwritten
    return result


def _run(exam: Exam, job: Job, along: list[Watcher], screen: ScreenWatcher, offered: Mapping[str, object]) -> None:
    # The agent comes first: what it wants to see says how its computer is opened.
    try:
        agent = _open_agent(exam, job, screen, offered)
        if job.rules.origin:
            recorded = RecordedActions(Path(job.rules.origin), job.rules.origin_actions)
            agent = going_on(agent, recorded)
            along.append(RepeatWatcher(recorded, exam.recorder))
        exam.candidate.meet(agent)
    except Exception as error:
        exam.fail(error)
        return
    try:
        examine(exam, agent)
    finally:
        _close(agent, exam)


def _open_agent(exam: Exam, job: Job, screen: ScreenWatcher, offered: Mapping[str, object]) -> Agent | Driver:
    rules = job.rules

    def moves(step: Perform, miss: int = 0, reacts: bool = True, everything: bool = False) -> None:
        reactions = Reactions.of(job.task, rules.disturb, lambda: exam.state.happenings) if reacts else None
        answer_key.moves(job.task, exam.computer, miss=miss, everything=everything, reactions=reactions)(step)

    return agent_at_work(
        job.agent,
        moves=moves,
        prompt=screen.prompt,
        budget=Budget(tokens=rules.tokens, usd=rules.cost_usd),
        offers=lambda: exam.computer.capabilities,
        **offered,
    )


def _computer(job: Job, *, clip_sec: float) -> Computer:
    """Return the computer of an episode.

    One that is to show the last seconds is told so, where it must be told.
    """
    spec = ComputerSpec.parse(job.rules.backend)
    given = spec.constructor_options()
    if clip_sec and "clip_sec" in inspect.signature(COMPUTERS.get(spec.name)).parameters:
        given = {"clip_sec": clip_sec, **given}
    return open_for(spec.name, job.task.needs, given)


def _close(agent: object, exam: Exam) -> None:
    """Let the agent go; what it raises then is kept, and changes nothing any more."""
    try:
        close(agent)
    except Exception as error:
        exam.recorder.note(agent_failed_to_close=redact(f"{type(error).__name__}: {error}"[:1000]))
