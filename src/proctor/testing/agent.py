"""What every agent promises, as tests: derive from AgentContract or DriverContract."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Iterator

import pytest

from proctor.actions.action import Action, SignalAction
from proctor.agents.agent import Agent, Driver, Over, Turn, close, want_of
from proctor.agents.sample import sample_brief, sample_observation
from proctor.agents.wire import as_turn
from proctor.observations.observation import Observation, Want
from proctor.records import Told

EVERYTHING_TOLD = (
    Told("reply", "It is Tuesday."),
    Told("output", "a\nb\n"),
    Told("refused", "the click was off the screen"),
    Told("feedback", "the file is not there yet"),
)


def plain(turn: Turn) -> list[dict[str, object]]:
    """Return the actions of a turn as plain data."""
    return [action.to_json() for action in turn.actions]


class AgentContract(ABC):
    """The promises; `new_agent` returns one that answers three times in each of two episodes."""

    @abstractmethod
    def new_agent(self) -> Agent:
        """Return an agent that has not been started."""

    @pytest.fixture
    def agent(self) -> Iterator[Agent]:
        agent = self.new_agent()
        yield agent
        close(agent)

    def test_it_is_an_agent(self, agent: Agent) -> None:
        assert isinstance(agent, Agent)
        assert isinstance(want_of(agent), Want)

    def test_it_answers_with_a_turn(self, agent: Agent) -> None:
        agent.start(sample_brief())
        turn = as_turn(agent.act(sample_observation(want_of(agent))))
        assert all(isinstance(action, Action) for action in turn.actions)
        assert turn.actions or turn.problem

    def test_it_takes_everything_that_can_be_said(self, agent: Agent) -> None:
        agent.start(sample_brief())
        as_turn(agent.act(sample_observation(want_of(agent), told=EVERYTHING_TOLD)))

    def test_it_takes_an_observation_of_nothing(self, agent: Agent) -> None:
        agent.start(sample_brief())
        degraded = Observation(at=0.0, desktop=(1280, 720), degraded=("tree: it was not there",))
        if want_of(agent).screenshot:
            degraded = dataclasses.replace(degraded, screenshot=sample_observation().screenshot)
        as_turn(agent.act(degraded))

    def test_a_second_episode_knows_nothing_of_the_first(self, agent: Agent) -> None:
        seen = sample_observation(want_of(agent))
        episodes = []
        for _ in range(2):
            agent.start(sample_brief())
            episodes.append([plain(as_turn(agent.act(seen))) for _ in range(2)])
        assert episodes[0] == episodes[1]

    def test_it_can_be_closed_twice(self, agent: Agent) -> None:
        agent.start(sample_brief())
        close(agent)
        close(agent)

    def test_it_can_be_closed_before_it_starts(self, agent: Agent) -> None:
        close(agent)


class DriverContract(ABC):
    """The promises of those that keep the loop in their own hands."""

    @abstractmethod
    def new_driver(self) -> Driver:
        """Return a driver that has not been started."""

    def test_it_is_a_driver_and_no_agent(self) -> None:
        driver = self.new_driver()
        assert isinstance(driver, Driver)
        assert not isinstance(driver, Agent)

    def test_it_goes_on_until_the_episode_is_over(self) -> None:
        driver = self.new_driver()
        turns: list[Turn] = []

        def step(turn: Turn) -> Observation:
            turns.append(turn)
            if any(isinstance(action, SignalAction) for action in turn.actions):
                raise Over
            return sample_observation(want_of(driver))

        driver.start(sample_brief())
        with pytest.raises(Over):
            driver.drive(step)
        assert turns[-1].actions
