"""Actions that a person confirms or a policy vetoes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from proctor.actions.action import Action, Click, Done, Press, Type
from proctor.agents.agent import Agent, Driver, Turn, Vetoed
from proctor.agents.confirm import Confirmation, confirmed, shown
from proctor.agents.oracle import Oracle
from proctor.agents.policy import guarded, load_policy
from proctor.agents.sample import sample_brief, sample_observation
from proctor.errors import SpecError
from proctor.observations.observation import Observation, Want
from proctor.records import Brief

ACTIONS = (Click(x=1, y=2), Type(text="secret"), Press(keys="Return"))


class Recorder:
    """Answers always the same, and keeps what it was shown."""

    want = Want(tree=True)

    def __init__(self, actions: Sequence[Action] = ACTIONS) -> None:
        self.actions = actions
        self.seen: list[Observation] = []
        self.closed = False

    def start(self, brief: Brief) -> None: ...

    def act(self, observation: Observation) -> Sequence[Action]:
        self.seen.append(observation)
        return self.actions

    def close(self) -> None:
        self.closed = True


def answers(*lines: str) -> Callable[[str], str]:
    left = iter(lines)
    return lambda question: next(left)


def begun(agent: Any) -> Agent:
    assert isinstance(agent, Agent)
    agent.start(sample_brief())
    return agent


def acted(agent: Agent) -> tuple[Action, ...]:
    turn = agent.act(sample_observation())
    assert isinstance(turn, Turn)
    return turn.actions


def test_a_veto_cuts_the_turn_and_is_told() -> None:
    inner = Recorder()
    agent = begun(guarded(inner, load_policy("tests.agents.own:no_typing")))
    assert acted(agent) == ACTIONS[:1]
    assert acted(agent) == ACTIONS[:1]
    (told,) = inner.seen[1].told
    assert told.kind == "refused"
    assert "type was not performed: typing is forbidden" in told.text
    assert "in the same turn (1)" in told.text


def test_a_new_episode_is_told_nothing_of_the_last() -> None:
    inner = Recorder()
    agent = begun(guarded(inner, load_policy("tests.agents.own:Strict")))
    assert acted(agent) == ()
    agent.start(sample_brief())
    acted(agent)
    assert inner.seen[1].told == ()


def test_the_wrapped_agent_is_still_itself() -> None:
    inner = Recorder()
    agent: Any = confirmed(inner, answers())
    assert agent.want == Want(tree=True)
    agent.close()
    assert inner.closed


def test_yes_no_and_all() -> None:
    agent = begun(confirmed(Recorder(), answers("y", "n", "perhaps", "a")))
    assert acted(agent) == ACTIONS[:1]
    assert acted(agent) == ACTIONS
    assert acted(agent) == ACTIONS


def test_quitting_ends_the_episode() -> None:
    agent = begun(confirmed(Recorder(), answers("y", "q")))
    with pytest.raises(Vetoed, match="ended the episode"):
        acted(agent)


def test_nobody_at_the_terminal_ends_the_episode() -> None:
    def gone(question: str) -> str:
        raise EOFError

    with pytest.raises(Vetoed, match="nobody"):
        Confirmation(gone).check(sample_brief(), Done())


def test_a_driver_can_be_guarded_too() -> None:
    told = []

    def moves(perform: Callable[[Action], Any]) -> None:
        for action in ACTIONS:
            told.append(perform(action).told)

    driver = guarded(Oracle(moves), load_policy("tests.agents.own:no_typing"))
    assert isinstance(driver, Driver)
    turns: list[Turn] = []

    def step(turn: Turn) -> Observation:
        turns.append(turn)
        return sample_observation()

    driver.start(sample_brief())
    driver.drive(step)
    assert [turn.actions for turn in turns] == [ACTIONS[:1], (), ACTIONS[2:], (Done(),)]
    assert [len(each) for each in told] == [0, 1, 0]


def test_an_action_is_shown_on_one_line_whatever_it_holds() -> None:
    assert shown(Type(text="a\nb\x1b[2J")) == 'type text="a\\nb\\u001b[2J"'
    assert shown(Click(x=1, y=2)) == "click x=1 y=2"


@pytest.mark.parametrize(
    ("target", "fault"),
    [
        ("tests.agents.own:wrong_shape", "cannot be asked"),
        ("tests.agents.own:Mine", "no check"),
        ("tests.agents.own:NUMBER", "cannot be called"),
        ("tests.agents.own:nothing", "cannot be loaded"),
        ("nowhere", "module:name"),
    ],
)
def test_a_policy_that_cannot_work_is_refused_when_it_is_loaded(target: str, fault: str) -> None:
    with pytest.raises(SpecError, match=fault):
        load_policy(target)
