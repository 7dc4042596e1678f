"""One exam as trainers step it: rewards add up to its score; a void is an error."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from proctor.actions.action import Action
from proctor.agents.agent import Turn
from proctor.errors import AgentError, EpisodeVoid, SpecError
from proctor.exam.exam import Exam
from proctor.exam.state import StepResult
from proctor.observations.observation import Observation
from proctor.records import Brief, Result
from proctor.tasks.watch import Watch


@dataclass(frozen=True, kw_only=True)
class Stepped:
    """What one action led to."""

    step: StepResult
    """How it was carried out."""
    reward: float = 0.0
    """What the action earned; the rewards of an episode add up to its score."""
    result: Result | None = None
    """What came of the episode, at its end."""

    @property
    def observation(self) -> Observation:
        """What is seen now."""
        return self.step.observation

    @property
    def messages(self) -> tuple[str, ...]:
        """What the agent is told: refusals, what a program printed, what the user replied."""
        broke = (self.result.error,) if self.result and self.stop == "broke_the_computer" else ()
        return (*(each.text for each in self.observation.told), *broke)

    @property
    def done(self) -> bool:
        """Whether the episode is over."""
        return self.result is not None

    @property
    def score(self) -> float | None:
        """From 0 to 1, at the end."""
        return self.result.score if self.result else None

    @property
    def stop(self) -> str:
        """Why it ended, at the end."""
        return self.result.stop if self.result else ""


def read_action(make: Callable[[], Action]) -> Action | AgentError:
    """Return an action, or what is wrong with what was said in place of one."""
    try:
        return make()
    except AgentError as error:
        return error


class Rollout:
    """An exam stepped by a trainer.

    What says nothing about the agent raises EpisodeVoid, after which nothing can be done here any more; SpecError says
    that what was asked for is wrong. Whoever opened it closes it.
    """

    def __init__(self, exam: Exam) -> None:
        self.exam = exam
        self._given = 0.0

    @property
    def over(self) -> bool:
        """Whether no episode is running: none has begun, or it has ended."""
        return not self.exam.begun or self.exam.over

    @property
    def steps(self) -> int:
        """Actions taken so far."""
        return self.exam.state.own_steps if self.exam.begun else 0

    @property
    def brief(self) -> Brief:
        """What the agent is told."""
        return self.exam.state.brief

    def begin(self) -> Observation:
        """Start the computer, prepare it and look at it."""
        try:
            return self.exam.begin()
        except EpisodeVoid as error:
            raise self._void(error) from error

    def take(self, action: Action | AgentError) -> Stepped:
        """Carry out an action or hear a signal; an AgentError stands for words that are neither."""
        step = self.act(Turn(problem=str(action)) if isinstance(action, AgentError) else Turn(actions=(action,)))
        reward = self._reward()
        return self._end(step, reward) if step.ended else Stepped(step=step, reward=reward)

    def act(self, turn: Turn) -> StepResult:
        """Carry out a turn of any number of actions, and leave it to others to end the exam."""
        self._under_way()
        try:
            return self.exam.take(turn)
        except EpisodeVoid as error:
            raise self._void(error) from error

    def stop(self) -> Stepped:
        """End the episode of an agent that left off without a word, and judge what is there."""
        self._under_way()
        return self._end(StepResult(observation=replace(self.exam.state.observation, told=())), 0.0)

    def close(self) -> None:
        """Close the computer; an episode that was left in its middle is recorded as void."""
        self.exam.close()

    def _under_way(self) -> None:
        if self.over:
            raise SpecError("no episode is running", remedy="call reset first, and again after each end")

    def _reward(self) -> float:
        """Return what the last action added to the coverage of a composed task."""
        watch = self.exam.watch
        if not isinstance(watch, Watch):
            return 0.0
        before, self._given = self._given, watch.coverage
        return self._given - before

    def _end(self, step: StepResult, reward: float) -> Stepped:
        result = self.exam.end()
        if result.void:
            raise self._void(EpisodeVoid(f"void: {result.error}"))
        # Where nothing was asked for, nothing is earned.
        return Stepped(step=step, reward=reward + (result.score or 0.0) - self._given, result=result)

    def _void(self, error: Exception) -> Exception:
        """Record a void exam, and return what is raised: SpecError for what was asked wrongly."""
        self.exam.end()
        if isinstance(cause := error.__cause__, SpecError):
            return cause
        remedy = "do not learn from this episode or count it, and reset"
        return EpisodeVoid(getattr(error, "message", str(error)), remedy=remedy)
