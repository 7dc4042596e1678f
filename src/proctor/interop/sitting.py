"""One task on one computer, stepped from outside and judged at its end: what every door for trainers stands on."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from proctor.actions.action import Action, Answer, AskUser, Fail, SignalAction
from proctor.computers import open_for
from proctor.computers.blame import TROUBLE, blame
from proctor.computers.computer import Computer
from proctor.computers.settle import read_settling
from proctor.env import SHOWN_OUTPUT, Env, StepResult, offered_actions
from proctor.errors import AgentError, EpisodeVoid, SpecError
from proctor.interop.keeping import Keeper, Keeping
from proctor.observations.observation import Observation, Want
from proctor.records import Brief
from proctor.tasks.judge import judge
from proctor.tasks.prepare import conclude, prepare
from proctor.tasks.probe_context import Ending
from proctor.tasks.task import Task
from proctor.tasks.user import MOST_QUESTIONS, SimulatedUser
from proctor.tasks.watch import Watch


@dataclass(frozen=True, kw_only=True)
class Setting:
    """How tasks are set: on which computers, what is seen of them and what may be done on them."""

    computer: str | Callable[[], Computer] = "sandbox"
    """Name of a backend, which is told what a task needs, or a function that returns a computer not yet started."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """What the backend is opened with, before what a task would like."""
    want: Want = Want()
    actions: tuple[str, ...] = ()
    """Kinds of actions that may be taken beside signals; empty for all that the computer can do, code left out."""
    max_steps: int = 0
    """After so many actions an episode ends; 0 for as many as the task allows."""
    settle: str = "quick"
    assets: Path | None = None
    """The folder of the files that tasks use."""
    seconds: float = 0.0
    """After so long an episode ends with the next action, which is not carried out; 0 for as long as it takes."""
    keeping: Keeping | None = None
    """Where episodes are recorded, where they are."""

    def open(self, task: Task) -> Computer:
        """Return a computer for a task, not yet started; raises SpecError that names everything it lacks."""
        if isinstance(self.computer, str):
            return open_for(self.computer, task.needs, self.options)
        if self.options:
            raise SpecError(
                f"unknown options {sorted(self.options)}", remedy="give them to the function that makes computers"
            )
        return self.computer()

    def brief(self, task: Task, computer: Computer) -> Brief:
        """Return what an agent is told of a task."""
        return Brief(
            instruction=task.instruction,
            actions=offered_actions(computer, self.actions),
            size=computer.size,
            max_steps=self.max_steps or task.limits.steps,
            intent=task.intent,
            seconds=self.seconds,
            seed=task.seed or 0,
        )


@dataclass(frozen=True, kw_only=True)
class Stepped:
    """What one action led to."""

    observation: Observation
    told: tuple[str, ...] = ()
    """What the agent is told: why something was refused, what a program printed, what the user replied."""
    reward: float = 0.0
    """What the action earned; the rewards of an episode add up to its score."""
    done: bool = False
    score: float | None = None
    """From 0 to 1, at the end."""
    stop: str = ""
    """Why it ended: `done`, `answered`, `gave_up`, `step_limit`, `time_limit`, `left_off` or `broke_the_computer`."""
    steps_left: int = 0


class Sitting:
    """One episode: a computer opened for a task, stepped until it ends, judged then.

    Trouble that is not the agent's doing raises EpisodeVoid, after which nothing can be done here any more. Whoever
    opened it closes it, and calls it from one thread.
    """

    def __init__(self, task: Task, setting: Setting) -> None:
        self.task, self._setting = task, setting
        self.computer = setting.open(task)
        self.brief = setting.brief(task, self.computer)
        self._env = Env(self.computer, self.brief, want=setting.want, prepare=self._prepare)
        self._user = SimulatedUser(task.user, self.computer)
        self._watch = Watch(task.graph) if task.graph else None
        self._taken = 0
        self._given = 0.0
        self._last: Observation | None = None
        self._over = True
        self._until = float("inf")
        self._keeper: Keeper | None = None

    @property
    def steps(self) -> int:
        """Actions taken so far, refused ones too."""
        return self._taken

    @property
    def over(self) -> bool:
        """Whether no episode is going on: none has begun, or it has ended."""
        return self._over

    def begin(self) -> Observation:
        """Start the computer, prepare it and look at it."""
        try:
            self.computer.settling = read_settling(self._setting.settle)
            self.computer.start()
            self._last = self._env.reset()
        except SpecError:
            raise
        except Exception as error:
            raise EpisodeVoid(
                f"void: the computer for task {self.task.id!r} could not be made ready: {_said(error)}",
                remedy="reset again; if it stays so, look at `proctor doctor`",
            ) from error
        self._over = False
        if self._setting.seconds:
            self._until = time.monotonic() + self._setting.seconds
        if self._setting.keeping is not None:
            self._keeper = self._setting.keeping.begin(self.task, self.computer, self.brief, self._setting.want.parts)
        return self._last

    def take(self, action: Action) -> Stepped:
        """Carry out an action, or hear a signal; an impossible one changes nothing and takes a step."""
        before = self._going()
        if time.monotonic() >= self._until:
            return self._judged(None, ("the time is up",), 0.0, stop="time_limit")
        try:
            if isinstance(action, AskUser) and len(self._user.asked) >= MOST_QUESTIONS:
                raise AgentError(f"the user has answered {MOST_QUESTIONS} questions and answers no more")
            result = self._env.step(action)
            told = self._told(result)
            self._last = result.observation
            if result.signal is None:
                self._taken += 1
            reward = self._earned()
        except AgentError as error:
            return self.refuse(error, action)
        except Exception as error:
            return self._failed(error)
        if self._keeper is not None:
            self._keeper.step(before, action, result, told="\n".join(told))
        ended = result.signal if result.ended else None
        if ended is None and self._taken < self.brief.max_steps and not result.ended:
            return Stepped(observation=self._last, told=told, reward=reward, steps_left=self._left)
        return self._judged(ended, told, reward)

    def refuse(self, error: AgentError, action: Action | None = None) -> Stepped:
        """Tell why something could not be done; it takes a step, or an agent that takes only such would never end."""
        last = self._going()
        if self._keeper is not None:
            self._keeper.step(last, action, None, refused=str(error))
        self._taken += 1
        told = (str(error),)
        if self._taken < self.brief.max_steps:
            return Stepped(observation=last, told=told, steps_left=self._left)
        return self._judged(None, told, 0.0)

    def stop(self) -> Stepped:
        """End the episode of an agent that left off without a word, and judge what is there."""
        self._going()
        return self._judged(None, (), 0.0, stop="left_off")

    def close(self) -> None:
        """Close the computer; an episode that was left in its middle is recorded as void."""
        self._over = True
        try:
            if self._keeper is not None:
                self._keeper.void("whoever stepped it left before its end")
        finally:
            self.computer.close()

    # -- how ------------------------------------------------------------------------------------------------------

    @property
    def _left(self) -> int:
        return max(self.brief.max_steps - self._taken, 0)

    def _going(self) -> Observation:
        if self._over or self._last is None:
            raise SpecError("no episode is going on", remedy="call reset first, and again after each end")
        return self._last

    def _prepare(self, computer: Computer) -> None:
        prepare(self.task, computer, assets=self._setting.assets)

    def _told(self, result: StepResult) -> tuple[str, ...]:
        if isinstance(result.signal, AskUser):
            return (self._user.ask(result.signal.question),)
        told = [result.trouble] if result.trouble else []
        if result.performed is not None and result.performed.result is not None:
            told.append(result.performed.result.output[:SHOWN_OUTPUT])
        return tuple(told)

    def _earned(self) -> float:
        """Return what the last action added to the coverage of a composed task."""
        if self._watch is None:
            return 0.0
        self._watch.look(self.computer)
        before, self._given = self._given, self._watch.coverage
        return self._given - before

    def _judged(self, signal: SignalAction | None, told: tuple[str, ...], reward: float, stop: str = "") -> Stepped:
        """End the episode with its score."""
        last = self._going()
        try:
            conclude(self.task, self.computer)
            ending = Ending(signal=signal, asked=tuple(self._user.asked))
            verdict = judge(self.task, self.computer, ending, self._watch)
            score = verdict.score
        except Exception as error:
            return self._failed(error)
        self._over = True
        reward += score - self._given
        stop = stop or _stop(signal)
        if self._keeper is not None:
            self._keeper.end(last, stop, score, verdict)
        return Stepped(observation=last, told=told, reward=reward, done=True, score=score, stop=stop)

    def _failed(self, error: Exception) -> Stepped:
        """End the episode by a failure: void, unless the computer was broken by what was done on it."""
        last, self._over = self._going(), True
        if self._env.acted and isinstance(error, TROUBLE) and blame(error, self.computer).whose == "agent":
            told = (f"the computer was broken by what was done on it: {error}",)
            if self._keeper is not None:
                self._keeper.end(last, "broke_the_computer", self._given, None, told[0])
            return Stepped(observation=last, told=told, done=True, score=self._given, stop="broke_the_computer")
        if self._keeper is not None:
            self._keeper.void(_said(error))
        raise EpisodeVoid(
            f"void: {_said(error)}", remedy="leave this episode out of what is learnt or counted, and reset"
        ) from error


def _stop(signal: SignalAction | None) -> str:
    if signal is None:
        return "step_limit"
    if isinstance(signal, Answer):
        return "answered"
    return "gave_up" if isinstance(signal, Fail) else "done"


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
