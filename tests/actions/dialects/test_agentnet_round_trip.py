"""AgentNet's code: what is written is read back, and any text is read or refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from proctor.actions import action as act
from proctor.actions.action import Action
from proctor.actions.dialects.agentnet import read_code, write_code
from proctor.actions.dialects.dialect import Frame
from proctor.actions.dialects.space import open_space
from proctor.actions.dialects.translation import bare
from proctor.actions.keys import parse_keys
from proctor.errors import AgentError
from tests.actions.dialects.samples import ACTIONS, HALF, SAME, any_action, frames, places, tricky_texts


def back(action: Action, frame: Frame) -> list[Action]:
    return bare(read_code(write_code(action, frame), frame))


@given(action=ACTIONS["move"] | ACTIONS["mouse_down"] | ACTIONS["mouse_up"] | ACTIONS["type"], frame=frames)
def test_what_has_one_word_is_read_back(action: Action, frame: Frame) -> None:
    if isinstance(action, act.MouseDown | act.MouseUp) and action.button not in ("left", "middle", "right"):
        return
    assert back(action, frame) == [action]


@given(
    place=places,
    button=some.sampled_from(["left", "middle", "right"]),
    count=some.integers(1, 3),
    frame=frames,
)
def test_clicks_are_read_back(place: dict[str, float], button: act.Button, count: int, frame: Frame) -> None:
    action = act.Click(**place, button=button, count=count)
    assert back(action, frame) == [action]


@given(place=places, notches=some.integers(-20, 20), across=some.booleans(), frame=frames)
def test_turns_of_the_wheel_are_read_back(place: dict[str, float], notches: int, across: bool, frame: Frame) -> None:
    action = act.Scroll(**place, dx=notches if across else 0, dy=0 if across else notches)
    assert back(action, frame) == [action]


@given(action=ACTIONS["drag"], frame=frames)
def test_drags_go_along_the_same_places(action: act.Drag, frame: Frame) -> None:
    if action.button not in ("left", "middle", "right") or action.modifiers:
        return
    found = back(action, frame)
    if len(action.path) <= 2:
        assert found == [action]
    else:
        moves = tuple((each.x, each.y) for each in found if isinstance(each, act.Move))
        assert moves == action.path
        assert found[1] == act.MouseDown(button=action.button)
        assert found[-1] == act.MouseUp(button=action.button)


@given(action=ACTIONS["press"])
def test_presses_press_the_same_keys(action: act.Press) -> None:
    pressed = [chord for each in back(action, SAME) if isinstance(each, act.Press) for chord in parse_keys(each.keys)]
    assert pressed == list(parse_keys(action.keys))


@given(action=ACTIONS["key_down"] | ACTIONS["key_up"] | ACTIONS["wait"])
def test_keys_and_waits_are_read_back(action: Action) -> None:
    assert back(action, SAME) == [action]


@given(tricky_texts)
def test_answers_are_read_back(text: str) -> None:
    assert back(act.Answer(text=text), SAME) == [act.Answer(text=text)]


@pytest.mark.parametrize(
    ("code", "actions"),
    [
        ("computer.terminate()", [act.Done()]),
        ("computer.terminate(status='success')", [act.Done()]),
        ("computer.terminate('success', answer='42')", [act.Answer(text="42")]),
        ("computer.terminate(status='failure')", [act.Fail()]),
        ("computer.terminate(status='INFEASIBLE')", [act.Fail()]),
        ("computer.wait(2)", [act.Wait(seconds=2)]),
        ("computer.triple_click(x=0.5, y=0.5)", [act.Click(x=960, y=540, count=3)]),
        ("pyautogui.hotkey(['ctrl', 's'])", [act.Press(keys="ctrl+s")]),
        ("pyautogui.hotkey(keys=['ctrl', 's'])", [act.Press(keys="ctrl+s")]),
        ("DONE", [act.Done()]),
        ("FAIL", [act.Fail()]),
    ],
)
def test_words_of_agentnet_are_understood(code: str, actions: list[Action]) -> None:
    assert bare(read_code(code, SAME)) == actions


def test_places_are_fractions_of_the_picture() -> None:
    assert write_code(act.Click(x=960, y=270), HALF) == "pyautogui.click(x=0.5, y=0.25)"
    (action,) = read_code("pyautogui.moveTo(0.25, 0.5)", HALF)
    assert (action.given.space, action.given.points) == ("unit", ((0.25, 0.5),)) if action.given else False


def test_modifiers_are_held_around_what_they_modify() -> None:
    lines = write_code(act.Click(x=0, y=0, modifiers=("ctrl", "shift")), SAME).splitlines()
    assert lines == [
        "pyautogui.keyDown('ctrl')", "pyautogui.keyDown('shift')", "pyautogui.click(x=0, y=0)",
        "pyautogui.keyUp('shift')", "pyautogui.keyUp('ctrl')",
    ]  # fmt: skip
    assert [action.kind for action in read_code("\n".join(lines), SAME)] == [
        "key_down", "key_down", "click", "key_up", "key_up",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "action",
    [
        act.RunCode(code="1"),
        act.AskUser(question="?"),
        act.Tap(x=1, y=2),
        act.Scroll(dx=1, dy=1),
        act.OpenApp(name="x"),
    ],
)
def test_what_has_no_word_is_refused_by_name(action: Action) -> None:
    with pytest.raises(AgentError, match=action.kind):
        write_code(action, SAME)


@given(action=any_action, frame=frames)
def test_what_is_written_is_code_that_is_understood(action: Action, frame: Frame) -> None:
    try:
        code = write_code(action, frame)
    except AgentError as error:
        assert action.kind in error.message
        return
    found = read_code(code, frame)
    assert found
    assert all(each.given is not None for each in found)
    assert open_space("unit", frame).size == (1.0, 1.0)


@pytest.mark.parametrize("code", ["", "computer.explode()", "computer.terminate('perhaps')", "import os", "x ="])
def test_what_is_no_code_is_refused_or_does_nothing(code: str) -> None:
    if not code:
        assert read_code(code, SAME) == ()
        return
    with pytest.raises(AgentError):
        read_code(code, SAME)


@given(some.text(some.characters(), max_size=60))
def test_any_text_is_read_or_refused(code: str) -> None:
    try:
        read_code(code, HALF)
    except AgentError as error:
        assert error.message
