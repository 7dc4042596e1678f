"""A policy looks at each action before it is performed and can veto it; the agent is told why."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from typing import Protocol, cast

from proctor.actions.action import Action
from proctor.agents.agent import Agent, Driver, Turn, as_turn, close, wanted
from proctor.agents.loading import load
from proctor.errors import SpecError
from proctor.observations.observation import Observation, Told
from proctor.records import Brief


class Policy(Protocol):
    """Decides what may be performed."""

    def check(self, brief: Brief, action: Action) -> str | None:
        """Return why an action must not be performed, or None when it may.

        Raises Vetoed to end the episode.
        """


@dataclasses.dataclass(frozen=True)
class FunctionPolicy:
    """A policy that is a plain function."""

    decide: Callable[[Brief, Action], str | None]

    def check(self, brief: Brief, action: Action) -> str | None:
        """Ask the function."""
        return self.decide(brief, action)


def load_policy(target: str) -> Policy:
    """Return the policy at `module:name`: a function of brief and action, or a class with `check`."""
    found = load("policy", target)
    policy = found() if isinstance(found, type) else FunctionPolicy(found)
    check = getattr(policy, "check", None)
    if not callable(check):
        raise SpecError(f"policy {target!r} has no check(brief, action)", remedy="write a function or such a class")
    decide = policy.decide if isinstance(policy, FunctionPolicy) else check
    try:
        inspect.signature(decide).bind(None, None)
    except TypeError as error:
        raise SpecError(
            f"policy {target!r} cannot be asked: {error}", remedy="let it take a brief and an action"
        ) from error
    return cast(Policy, policy)


def guarded(agent: Agent | Driver, policy: Policy) -> Agent | Driver:
    """Return an agent whose actions a policy has let pass."""
    return GuardedAgent(agent, policy) if isinstance(agent, Agent) else GuardedDriver(agent, policy)


class _Guard:
    """What both kinds share: the brief, the policy, and what is still to be told to the agent."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._refused: list[Told] = []

    def begin(self, brief: Brief) -> None:
        self._brief = brief
        self._refused = []

    def passed(self, turn: Turn) -> Turn:
        """Return the turn up to the first action that is vetoed: what follows was meant to come after it."""
        for place, action in enumerate(turn.actions):
            reason = self._policy.check(self._brief, action)
            if reason is not None:
                left_out = len(turn.actions) - place - 1
                rest = f" What was to follow in the same turn ({left_out}) was left out as well." if left_out else ""
                self._refused.append(Told("refused", f"{action.kind} was not performed: {reason}.{rest}"))
                return dataclasses.replace(turn, actions=turn.actions[:place])
        return turn

    def told(self, observation: Observation) -> Observation:
        """Return the observation with the vetoes since the last one."""
        refused, self._refused = self._refused, []
        return dataclasses.replace(observation, told=(*observation.told, *refused)) if refused else observation


class GuardedAgent:
    """An agent behind a policy."""

    def __init__(self, agent: Agent, policy: Policy) -> None:
        self.want = wanted(agent)
        self._agent = agent
        self._guard = _Guard(policy)

    def start(self, brief: Brief) -> None:
        """Begin an episode."""
        self._guard.begin(brief)
        self._agent.start(brief)

    def act(self, observation: Observation) -> Turn:
        """Answer with the actions that may be performed."""
        return self._guard.passed(as_turn(self._agent.act(self._guard.told(observation))))

    def close(self) -> None:
        """Close the agent."""
        close(self._agent)


class GuardedDriver:
    """A driver behind a policy."""

    def __init__(self, driver: Driver, policy: Policy) -> None:
        self.want = wanted(driver)
        self._driver = driver
        self._guard = _Guard(policy)

    def start(self, brief: Brief) -> None:
        """Begin an episode."""
        self._guard.begin(brief)
        self._driver.start(brief)

    def drive(self, step: Callable[[Turn], Observation]) -> None:
        """Let the driver make the turns that may be made."""
        self._driver.drive(lambda turn: self._guard.told(step(self._guard.passed(turn))))

    def close(self) -> None:
        """Close the driver."""
        close(self._driver)
