"""Going on from a recorded episode: its first actions are repeated, then another agent is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from proctor.actions.action import Action, AskUser, SignalAction, from_json
from proctor.agents.agent import Agent, Driver, Turn, close, want_of
from proctor.agents.wire import as_turn
from proctor.errors import AgentError, RecordError, SpecError
from proctor.observations.observation import Observation
from proctor.records import Brief, Step
from proctor.store.read import RecordedEpisode, open_episode


@dataclass(frozen=True)
class RecordedActions:
    """The beginning of a recorded episode, as far as it is to be repeated."""

    folder: Path
    count: int

    @cached_property
    def episode(self) -> RecordedEpisode:
        """Its record."""
        return open_episode(self.folder)

    @property
    def agent(self) -> str:
        """Name of the agent that acted."""
        return self.episode.header.agent.name if self.episode.header.agent else ""

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The lines of the actions to repeat, with what was seen before each.

        Raises SpecError when there are fewer, or when one cannot be repeated.
        """
        found = [step for step in self.episode.steps() if is_repeatable(step)]
        if len(found) < self.count:
            raise SpecError(
                f"{self.folder} has {len(found)} actions to repeat, not {self.count}",
                remedy=f"give --step {len(found)} or less",
            )
        return tuple(found[: self.count])

    def read(self) -> None:
        """Read all of it; raises what would be raised when it is needed."""
        _ = self.actions

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """The actions themselves."""
        return tuple(_action(step, self.folder) for step in self.steps)


def is_repeatable(step: Step) -> bool:
    """Tell whether a line is something that was done, or asked of the user.

    A last word is not, nor a tool outside.
    """
    return bool(step.action) and not step.refused and step.kind not in ("done", "fail", "answer", "call_tool")


def _action(step: Step, folder: Path) -> Action:
    try:
        return from_json(step.action)
    except AgentError as error:
        raise RecordError(
            f"{folder}: step {step.step} has no action that this version knows: {error.message}",
            remedy="see `proctor runs verify`, or give a smaller --step",
        ) from error


def going_on(agent: Agent | Driver, recorded: RecordedActions) -> Agent | Driver:
    """Return an agent that repeats what was recorded before it asks the one that goes on."""
    if not isinstance(agent, Driver):
        return _GoingOn(agent, recorded)
    # An answer key knows its own beginning: it is led along it, so that it goes on in the middle and does not begin
    # again.
    return _LedAlong(agent, recorded) if recorded.agent == "oracle" and _is_oracle(agent) else _Driven(agent, recorded)


def _is_oracle(agent: Driver) -> bool:
    return getattr(agent, "follows_a_key", False)


class _Wrapped:
    """What an agent says of itself, whoever acts for it at first."""

    def __init__(self, agent: Agent | Driver, recorded: RecordedActions) -> None:
        self._agent = agent
        self._left: Iterator[Action] = iter(recorded.actions)
        self.want = want_of(agent)
        for name in ("uses", "goal", "strategy", "looks_by_itself"):
            if hasattr(agent, name):
                setattr(self, name, getattr(agent, name))

    def start(self, brief: Brief) -> None:
        """Tell it the task."""
        self._agent.start(brief)

    def close(self) -> None:
        """Let it go."""
        close(self._agent)

    def _next(self) -> Turn | None:
        action = next(self._left, None)
        return None if action is None else Turn(actions=(action,), repeated=True)


class _GoingOn(_Wrapped):
    """An agent that is asked once the recorded actions are repeated."""

    def act(self, observation: Observation) -> Turn:
        """Repeat the next action, or ask the agent."""
        assert isinstance(self._agent, Agent)
        return self._next() or as_turn(self._agent.act(observation))


class _Driven(_Wrapped):
    """A driver, such as a person, that takes over once the recorded actions are repeated."""

    def drive(self, step: Callable[[Turn], Observation]) -> None:
        """Repeat the actions, and hand over."""
        assert isinstance(self._agent, Driver)
        while turn := self._next():
            step(turn)
        self._agent.drive(step)


class _LedAlong(_Wrapped):
    """An answer key that makes its moves from the beginning, while the recorded actions stand for its first ones."""

    def drive(self, step: Callable[[Turn], Observation]) -> None:
        """Have it make its moves, each of the first replaced by the recorded action of the same kind."""
        assert isinstance(self._agent, Driver)

        def take(turn: Turn) -> Observation:
            own = turn.actions[0] if turn.actions else None
            if own is None or (isinstance(own, SignalAction) and not isinstance(own, AskUser)):
                return step(turn)
            recorded = self._next()
            if recorded is None:
                return step(turn)
            if recorded.actions[0].kind != own.kind:
                self._left = iter(())  # it goes another way from here
                return step(turn)
            return step(recorded)

        self._agent.drive(take)
