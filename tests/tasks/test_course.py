"""A whole course of actions: exactly what was prescribed, in its order, however it was sent."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from proctor.actions.action import Click, Drag, Move, Press, RunCode, Scroll, Type, Wait
from proctor.vocabulary.desktop.checks.gestures import PrescribedAction, course_taken
from tests.tasks.test_history import Step, seen

COURSE = [
    {"do": "click"},
    {"do": "press", "keys": "ctrl+a"},
    {"do": "type", "text": "Team"},
    {"do": "press", "keys": "enter"},
]
RIGHT = (Click(x=5, y=5), Press(keys="ctrl+a"), Type(text="Team"), Press(keys="Return"))


def taken(steps: list[dict[str, Any]], *actions: Step) -> bool:
    return course_taken(seen(*actions), [PrescribedAction(**step) for step in steps]).passed


def test_the_course_and_nothing_else() -> None:
    assert taken(COURSE, *RIGHT)
    assert taken(COURSE, Move(x=1, y=1), RIGHT[0], Wait(), *RIGHT[1:])
    assert not taken(COURSE, *RIGHT, Press(keys="ctrl+s"))
    assert not taken(COURSE, *RIGHT[:-1])
    assert not taken(COURSE)
    assert not taken(COURSE, RIGHT[1], RIGHT[0], *RIGHT[2:])


@pytest.mark.parametrize("extra", [Scroll(dy=1), Drag(path=((1, 1), (2, 2))), RunCode(code="1")])
def test_anything_between_is_too_much(extra: Any) -> None:
    assert not taken(COURSE, RIGHT[0], extra, *RIGHT[1:])


def test_typing_counts_however_it_was_sent() -> None:
    assert taken(COURSE, *RIGHT[:2], Type(text="Te"), Type(text="am\n"))
    assert taken(COURSE, *RIGHT[:2], Type(text="Tex"), Press(keys="backspace"), Type(text="am"), RIGHT[3])
    assert not taken(COURSE, *RIGHT[:2], Type(text="team"), RIGHT[3])


def test_a_double_click_is_two_clicks() -> None:
    twice = [{"do": "click", "count": 2}]
    assert taken(twice, Click(x=1, y=1, count=2))
    assert taken(twice, Click(x=1, y=1), Click(x=1, y=1))
    assert not taken(twice, Click(x=1, y=1))
    assert not taken([{"do": "click", "button": "right"}], Click(x=1, y=1))


def test_boxes_count_where_they_are_given() -> None:
    boxed = [{"do": "click", "box": [10, 10, 20, 20]}]
    assert taken(boxed, Click(x=10, y=20))
    assert not taken(boxed, Click(x=9, y=15))
    assert not taken(boxed, Click())


def test_what_came_instead_is_said() -> None:
    found = course_taken(seen(Press(keys="ctrl+b")), [PrescribedAction(**COURSE[1])])
    assert "Step 1 of 1 (press ctrl+a)" in found.feedback[0]
    assert "ctrl+b came" in found.feedback[0]
    with pytest.raises(ValidationError):
        PrescribedAction(do="hover")  # type: ignore[arg-type]
