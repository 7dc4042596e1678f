"""Opening agents: one that cannot be made is refused before a run, and has failed by itself in an episode."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

from proctor.agents import find, open_agent
from proctor.agents.agent import Agent, Driver, close, want_of
from proctor.agents.spec import AgentSpec
from proctor.computers.observer import needs
from proctor.computers.perform import NEEDS
from proctor.errors import HostError, ModelError, ProctorError, SpecError, place_of
from proctor.observations.observation import Observation
from proctor.records import Brief

_WITH_SOMEBODY = ("oracle", "busy", "human")
"""Agents that can be opened only where there is an answer key, or a person."""


def try_agent(spec: AgentSpec, **extra: Any) -> frozenset[str]:
    """Open an agent once, close it, and return what it needs of a computer.

    Raises SpecError with the words and the place of whatever its code raises.
    """
    if spec.name in _WITH_SOMEBODY:
        return _needs(find(spec)[0])
    try:
        agent = open_agent(spec, **extra)
        found = _needs(agent)
        close(agent)
        return found
    except ProctorError:
        raise
    except (Exception, SystemExit) as error:
        said = f"{type(error).__name__}: {error}"
        raise SpecError(
            f"agent {spec.name!r} cannot be opened: {said}{place_of(error)}", remedy="correct its constructor"
        ) from error


def _needs(agent: object) -> frozenset[str]:
    """Return what a computer must offer for what an agent wants to see and is made to do."""
    actions = (NEEDS[kind] for kind in getattr(agent, "uses", ()) if kind in NEEDS)
    return frozenset((*needs(want_of(agent)), *actions))


def agent_at_work(spec: AgentSpec, **extra: Any) -> Agent | Driver:
    """Return an agent for an episode.

    Where its own code fails to make it, the agent is one that fails with those words.

    It could be opened before the run, so what fails here is the agent and not what was asked for.
    """
    try:
        return open_agent(spec, **extra)
    except (SpecError, ModelError, HostError):
        raise
    except (Exception, SystemExit) as error:
        return _Unborn(error)


@dataclass(frozen=True)
class _Unborn:
    """Stands for an agent that could not be made, so that its failure is recorded and judged as any other."""

    error: BaseException

    def start(self, brief: Brief) -> None:
        """Fail as the constructor did."""
        self._fail()

    def act(self, observation: Observation) -> Any:
        """Fail as the constructor did; nobody asks it."""
        self._fail()

    def _fail(self) -> NoReturn:
        if isinstance(self.error, Exception):
            raise self.error
        raise RuntimeError(f"its constructor exited the process: {type(self.error).__name__}: {self.error}")
