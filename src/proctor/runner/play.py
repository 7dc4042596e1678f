"""Examining an agent on a started computer: setup, the episode itself, rest, judgement, side effects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace

from proctor.agents.agent import Agent, Driver, wanted
from proctor.computers.computer import Computer
from proctor.computers.wellness import Wellness
from proctor.env import Env, offered_actions
from proctor.records import Brief, ChangedPath, Tool
from proctor.runner.companion import Companion
from proctor.runner.companions.usual import usual
from proctor.runner.episode import Episode
from proctor.runner.job import Job
from proctor.runner.model_user import user_of
from proctor.runner.recorder import Recorder
from proctor.runner.state import EpisodeState
from proctor.runner.surroundings import flag_what_was_written, prepare, side_effects
from proctor.runner.tools.toolbox import Toolbox
from proctor.runner.trouble import Troubles
from proctor.tasks.judge import judge
from proctor.tasks.prepare import conclude, words_of
from proctor.tasks.verdict import Verdict
from proctor.tasks.watch import Watch


@dataclass
class Examination:
    """What is known of an episode so far; a failure on the way leaves what there is."""

    job: Job
    state: EpisodeState | None = None
    verdict: Verdict | None = None
    changes: list[ChangedPath] = field(default_factory=list)
    damage: Counter[str] = field(default_factory=Counter)
    """Side effects by severity."""
    troubles: Troubles | None = None
    agent: object = None
    """Whose goal and strategy go into the result."""
    over: bool = False
    """Whether all of it is done; what fails then, such as closing the computer, changes nothing about the agent."""

    @property
    def acted(self) -> bool:
        """Whether the agent has acted on the computer."""
        return self.state is not None and self.state.acted


def examine(
    exam: Examination,
    agent: Agent | Driver,
    computer: Computer,
    recorder: Recorder,
    wellness: Wellness | None = None,
    companions: Sequence[Companion] = (),
    tools: Toolbox | None = None,
) -> None:
    """Fill in an examination; raises the errors that make it void. Companions beside those of the rules go first."""
    wellness = wellness or Wellness()
    wellness.gauge = getattr(computer, "processor_seconds", None)
    job, task = exam.job, exam.job.task
    told = brief(job, agent, computer, tools.offers if tools else ())
    recorder.note(computer=computer.facts(), brief=told, sees=wanted(agent).parts)
    env = Env(
        computer,
        told,
        # A record without pictures could not be replayed; the agent is shown what it wants all the same.
        want=replace(wanted(agent), screenshot=True),
        prepare=lambda machine: _prepare(machine, job, env, recorder),
    )

    troubles = exam.troubles = Troubles(computer, wellness, recorder)
    watch = Watch(task.graph) if task.graph else None
    gone_with = [*companions, *usual(job, env, recorder, watch, troubles)]
    episode = Episode(env, user_of(job, computer), job.rules, companions=gone_with, troubles=troubles, tools=tools)
    exam.state, exam.agent = episode.state, agent
    episode.play(agent)
    _judge(exam, episode.state, computer, watch)
    if episode.state.flags:
        recorder.note(flags=tuple(episode.state.flags))
    exam.over = True


def _prepare(computer: Computer, job: Job, env: Env, recorder: Recorder) -> None:
    """Set the task up; where only the prepared computer knows what is asked, the agent is told that."""
    prepare(computer, job, recorder)
    if words := words_of(job.task, computer):
        env.brief = replace(env.brief, instruction=words)
        recorder.note(brief=env.brief)


def _judge(exam: Examination, episode: EpisodeState, computer: Computer, watch: Watch | None) -> None:
    """Let the computer come to rest and judge it, and what else was changed, as far as all that can still be seen."""
    job, task = exam.job, exam.job.task
    heard = exam.troubles if episode.acted else None
    if not exam.troubles or not exam.troubles.broke:  # a broken one does not come to rest
        with heard.heard() if heard else nullcontext():
            conclude(task, computer)
    exam.verdict = judge(task, computer, episode.ending, watch, heard)
    with heard.heard(broken=True) if heard else nullcontext():
        exam.changes, exam.damage = side_effects(job, computer)
        flag_what_was_written(episode, job, computer, exam.changes)


def brief(job: Job, agent: Agent | Driver, computer: Computer, tools: tuple[Tool, ...] = ()) -> Brief:
    """Return what an agent is told of a task."""
    task, rules = job.task, job.rules
    wordings = (task.instruction, *task.paraphrases)
    return Brief(
        instruction=wordings[job.key.paraphrase],
        actions=offered_actions(computer, rules.actions, getattr(agent, "uses", ())),
        size=computer.size,
        max_steps=rules.steps or task.limits.steps,
        intent=task.intent,
        seconds=rules.seconds_for(task.limits.seconds),
        seed=job.key.seed * 1000 + job.key.sample,
        tools=tools,
    )
