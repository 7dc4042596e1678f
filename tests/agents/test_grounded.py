"""Planning and grounding: steps in words, places from a second model."""

from __future__ import annotations

import json
from typing import Any

import pytest

from proctor.actions.action import ACTIONS, Click, Drag, Press
from proctor.agents.prompted.place_finder import describe_steps, point
from proctor.agents.prompted.planner import Grounded
from proctor.agents.sample import sample_brief, sample_observation
from proctor.models.model import Picture
from proctor.models.script import ScriptedModel


def made(plan: str | dict[str, Any], *places: str, **options: Any) -> tuple[Grounded, ScriptedModel, ScriptedModel]:
    planner, eye = ScriptedModel(replies=[plan]), ScriptedModel(replies=places)
    agent = Grounded(planner, eye, **options)
    agent.start(sample_brief())
    return agent, planner, eye


def test_words_become_a_place() -> None:
    agent, planner, eye = made('I save.\n```json\n[{"type": "click", "element": "the Save button"}]\n```', "(165, 35)")
    turn = agent.act(sample_observation(agent.want))
    (click,) = turn.actions
    assert isinstance(click, Click)
    assert (click.x, click.y) == (165, 35)
    assert click.given is not None
    assert (click.given.text, click.given.points) == ("the Save button", ((165, 35),))
    assert turn.thought == "I save."
    assert len(turn.calls) == 2
    (question,) = eye.asked[0]
    assert isinstance(question.parts[0], Picture)
    assert "the Save button" in str(question.parts[1])
    assert "You give no coordinates" in str(planner.asked[0][0].parts[0])


@pytest.mark.parametrize(
    ("space", "answer"), [("image", "(320, 180)"), ("unit", "(0.5, 0.5)"), ("grid 0-1000", "<point>500 500</point>")]
)
def test_the_grounders_coordinates_are_scaled(space: Any, answer: str) -> None:
    agent, _, _ = made('{"type": "click", "element": "the middle"}', answer, space=space, scale=0.5)
    (click,) = agent.act(sample_observation(agent.want)).actions
    assert isinstance(click, Click)
    assert (click.x, click.y) == (640, 360)


def test_a_drag_has_two_elements_and_other_steps_none() -> None:
    plan = '[{"type": "drag", "elements": ["a file", "the bin"]}, {"type": "press", "keys": "ctrl+s"}]'
    agent, _, _ = made(plan, "(1, 2)", "(3, 4)")
    drag, press = agent.act(sample_observation(agent.want)).actions
    assert isinstance(drag, Drag)
    assert drag.path == ((1, 2), (3, 4))
    assert press == Press(keys="ctrl+s")


def test_the_same_element_is_looked_for_once() -> None:
    step = '{"type": "click", "element": "Save"}'
    agent, _, eye = made(f"[{step}, {step}]", "(1, 2)")
    assert len(agent.act(sample_observation(agent.want)).actions) == 2
    assert len(eye.asked) == 1


@pytest.mark.parametrize(
    ("plan", "place", "problem"),
    [
        ('{"type": "click", "element": "a unicorn"}', "none", "'a unicorn' was not found"),
        ('{"type": "click", "element": 7}', "(1, 2)", "no description"),
        ('{"type": "clik", "element": "Save"}', "(1, 2)", "did you mean 'click'"),
        ('{"type": "press", "keys": "ctlr+s"}', "", "ctrl"),
        ("I am DONE with this.", "", "no action was found"),
        ('[{"type": "click", "element": "Save"', "", "cut off"),
        ("[" + '{"type": "wait"},' * 300 + "]", "", "more than 200 actions"),
        ("x" * 1_000_001, "", "characters long"),
    ],
)
def test_with_a_fault_anywhere_nothing_is_done(plan: str, place: str, problem: str) -> None:
    agent, _, _ = made(plan, place, max_tokens=10**6)
    turn = agent.act(sample_observation(agent.want))
    assert turn.actions == ()
    assert problem in turn.problem


def test_one_turn_asks_for_a_bounded_number_of_places() -> None:
    plan = json.dumps([{"type": "click", "element": f"icon {number}"} for number in range(100)])
    agent, _, eye = made(plan, *["(1, 2)"] * 100)
    assert "more than 20 elements" in agent.act(sample_observation(agent.want)).problem
    assert len(eye.asked) == 20


def test_no_step_offers_coordinates() -> None:
    described = describe_steps(tuple(ACTIONS))
    assert '"x"' not in described
    assert '"path"' not in described
    assert described.count('"element"?: text') == 2  # click and scroll; the move needs one
    assert '"elements": [text, text]' in described


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("(12, 34)", (12, 34)),
        ("[0.5,0.25]", (0.5, 0.25)),
        ("<point>12 34</point>", (12, 34)),
        ('{"x": 12, "y": 34}', (12, 34)),
        ("x=12, y=34", (12, 34)),
        ("click(start_box='(12,34)')", (12, 34)),
        ("[10, 20, 30, 40]", (20, 30)),
        ("On a screen of (1280, 720) it is at (12, 34).", (12, 34)),
        ("none", None),
        ("5", None),
        ("1 2 3", None),
        ("", None),
    ],
)
def test_places_as_grounding_models_write_them(text: str, place: tuple[float, float] | None) -> None:
    assert point(text) == place
