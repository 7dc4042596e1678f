"""Agents with OSWorld's interface."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from proctor.actions.action import Click, Done, Fail, Press, Type, Wait
from proctor.actions.dialects.translation import bare
from proctor.agents import open_agent
from proctor.agents.external.osworld import OSWorldAgent
from proctor.agents.sample import sample_brief, sample_observation
from proctor.errors import AgentError, SpecError
from proctor.observations.observation import Want
from tests.agents.own import Blind, Replaying


@pytest.fixture(autouse=True)
def forgetful() -> Iterator[None]:
    yield
    Replaying.answer = ("", ["DONE"])


def predicting(answer: Any, **options: Any) -> OSWorldAgent:
    Replaying.answer = answer
    agent = OSWorldAgent("tests.agents.own:Replaying", **options)
    agent.start(sample_brief())
    return agent


def predicted(answer: Any, **options: Any) -> list[Any]:
    agent = predicting(answer, **options)
    turn = agent.act(sample_observation(agent.want))
    assert turn.problem == ""
    return bare(turn.actions)


def test_words_and_pyautogui_code() -> None:
    code = "import pyautogui\npyautogui.click(10, 20)\npyautogui.write('hi')"
    assert predicted(("thinking", [code, "WAIT", "DONE"])) == [Click(x=10, y=20), Type(text="hi"), Wait(), Done()]
    assert predicted(("", "FAIL")) == [Fail()]


def test_computer_13() -> None:
    answer = [
        {"action_type": "CLICK", "parameters": {"x": 1, "y": 2}},
        {"action_type": "PRESS", "key": "enter"},
        "DONE",
    ]
    click, press, done = predicted(("", answer), action_space="computer_13")
    assert click == Click(x=1, y=2)
    assert isinstance(press, Press)
    assert done == Done()


def test_the_response_is_kept_and_more_than_two_parts_are_taken() -> None:
    agent = predicting(("I see a desktop.", ["DONE"], {"usage": 3}))
    assert agent.act(sample_observation()).reply == "I see a desktop."


@pytest.mark.parametrize(
    ("observe", "want", "seen"),
    [
        ("screenshot", Want(), (True, False)),
        ("a11y_tree", Want(screenshot=False, tree=True), (False, True)),
        ("som", Want(tree=True), (True, True)),
    ],
)
def test_it_sees_what_osworld_shows(observe: Any, want: Want, seen: tuple[bool, bool]) -> None:
    agent = predicting(("", ["DONE"]), observe=observe)
    assert agent.want == want
    agent.act(sample_observation(agent.want))
    inner: Any = agent._agent
    (obs,) = inner.seen
    assert (obs["screenshot"] is not None, obs["accessibility_tree"] is not None) == seen
    assert obs["screenshot"] is None or obs["screenshot"].startswith(b"\x89PNG")
    assert obs["accessibility_tree"] is None or "<desktop-frame" in obs["accessibility_tree"]
    assert obs["instruction"] == sample_brief().instruction


@pytest.mark.parametrize(
    "listed", [["I think I am DONE"], ["__import__('os').system('true')"], [{"no": "type"}], [], [None], ["DONE"] * 500]
)
def test_what_is_no_action_is_a_problem(listed: list[Any]) -> None:
    agent = predicting(("hm", listed))
    turn = agent.act(sample_observation())
    assert turn.actions == ()
    assert turn.problem
    assert turn.reply == "hm"


def test_no_prediction_at_all_is_the_agents_failure() -> None:
    with pytest.raises(AgentError, match="predict"):
        predicting(None).act(sample_observation())


def test_options_reach_the_agents_constructor() -> None:
    agent = open_agent("osworld,agent=tests.agents.own:Blind,action_space=computer_13,temperature=0.5")
    assert isinstance(agent, OSWorldAgent)
    inner = agent._agent
    assert isinstance(inner, Blind)
    assert (inner.action_space, inner.temperature) == ("computer_13", 0.5)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("osworld", "needs the option 'agent'"),
        ("osworld,agent=tests.agents.own:Blind,temprature=1", "did you mean 'temperature'"),
        ("osworld,agent=tests.agents.own:Deaf", r"no predict\(\)"),
        ("osworld,agent=nowhere", "module:name"),
        ("osworld,agent=tests.agents.own:NUMBER", "not callable"),
        ("osworld,agent=tests.agents.own:Blind,observe=sceenshot", "did you mean 'screenshot'"),
    ],
)
def test_a_wrong_agent_is_refused_when_it_is_opened(text: str, fault: str) -> None:
    with pytest.raises(SpecError, match=fault):
        open_agent(text)
