"""What a dialect writes it reads back unchanged; what it cannot say it refuses by name."""

import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from proctor.actions import action as act
from proctor.actions.action import ACTIONS as ALL_KINDS
from proctor.actions.action import Action
from proctor.actions.dialects import open_dialect
from proctor.actions.dialects.dialect import Frame
from proctor.actions.dialects.space import SPACES
from proctor.actions.dialects.translation import bare
from proctor.errors import AgentError
from tests.actions.dialects.samples import (
    ACTIONS,
    HALF,
    SAME,
    TEXT_DIALECTS,
    VENDOR_NAMES,
    any_action,
    frames,
    understood,
    vendor_dialect,
)
from tests.actions.dialects.vendor_calls import write_call


@pytest.mark.parametrize("name", TEXT_DIALECTS)
@given(actions=st.lists(any_action, min_size=1, max_size=4), frame=frames)
def test_text_dialects_lose_nothing(name: str, actions: list[Action], frame: Frame) -> None:
    dialect = open_dialect(name)
    sayable = []
    for action in actions:
        try:
            dialect.write([action], frame)
        except AgentError as error:
            assert action.kind in error.message
        else:
            sayable.append(action)
    assume(sayable)
    assert understood(dialect.read(dialect.write(sayable, frame), frame)) == sayable


@pytest.mark.parametrize("name", VENDOR_NAMES)
@given(action=any_action, frame=frames)
def test_native_dialects_lose_nothing(name: str, action: Action, frame: Frame) -> None:
    dialect = vendor_dialect(name)
    try:
        data = write_call(name, action, frame)
    except AgentError as error:
        assert action.kind in error.message
        return
    assert understood(dialect.read_call(json.loads(json.dumps(data)), frame)) == [action]


@given(data=st.data(), frame=frames)
def test_plain_json_and_pyautogui_can_say_almost_everything(data: st.DataObject, frame: Frame) -> None:
    kind = data.draw(st.sampled_from([*ALL_KINDS]))
    action = data.draw(ACTIONS[kind])
    assert bare(open_dialect("plain_json").read(open_dialect("plain_json").write([action], frame), frame).actions) == [
        action
    ]
    hard = kind not in act.ON_A_DESKTOP or kind == "run_code" or (isinstance(action, act.Drag) and len(action.path) > 2)
    hard = hard or (isinstance(action, act.Scroll) and bool(action.dx and action.dy))
    if not hard:
        assert open_dialect("pyautogui").write([action], frame)


@pytest.mark.parametrize("space", SPACES)
@given(action=ACTIONS["click"] | ACTIONS["drag"] | ACTIONS["move"], frame=frames)
def test_every_space_of_coordinates_loses_nothing(space: str, action: Action, frame: Frame) -> None:
    dialect = open_dialect("plain_json", space=space)
    assert understood(dialect.read(dialect.write([action], frame), frame)) == [action]


SAYABLE = {
    "android_world": [act.Tap(x=4, y=6), act.Tap(x=4, y=6, count=2), act.LongPress(x=4, y=6), act.Done(),
                      act.OpenApp(name="Clock"), act.Type(text="naïve"), act.Press(keys="browserback"),
                      act.Swipe(path=((960.0, 540.0), (960.0, 0.0))), act.Wait(), act.Fail(reason="no such app")],
    "browsergym": [act.Move(x=2, y=4), act.Click(x=4, y=6, button="right", count=2), act.Drag(path=((2, 4), (6, 8))),
                   act.Scroll(dx=1, dy=-2, x=4, y=6), act.Press(keys="ctrl+s"), act.Answer(text="42")],
    "computer13": [act.Move(x=1, y=2), act.Click(x=1, y=2, button="right", count=3), act.Drag(path=((4, 6),)),
                   act.Scroll(dx=1, dy=-2, x=5, y=6), act.Press(keys="ctrl+s"), act.AskUser(question="Which?")],
    "omnibench": [act.Move(x=1, y=2), act.Click(x=100, y=50, count=2, modifiers=("ctrl",)), act.Scroll(dy=3),
                  act.Type(text="50% (of {all})"), act.Press(keys="ctrl+k ctrl+s"), act.KeyDown(key="shift"),
                  act.Done()],
    "ui_tars": [act.Click(x=1, y=2, count=2), act.Drag(path=((1, 2), (3, 4))), act.Scroll(dy=5, x=1, y=2),
                act.Press(keys="ctrl+c"), act.Type(text="it's\n"), act.Wait(seconds=5), act.Fail()],
    "pyautogui": [act.Move(x=1, y=2), act.Drag(path=((3, 4),)), act.Drag(path=((1, 2), (3, 4)), modifiers=("ctrl",)),
                  act.Answer(text="42"), act.Done()],
}  # fmt: skip


@pytest.mark.parametrize("name", SAYABLE)
@pytest.mark.parametrize("frame", [SAME, HALF], ids=["same", "half"])
def test_dialects_can_say_what_they_are_made_for(name: str, frame: Frame) -> None:
    dialect = open_dialect(name)
    assert understood(dialect.read(dialect.write(SAYABLE[name], frame), frame)) == SAYABLE[name]


NATIVE_SAYABLE = {
    "anthropic": [act.Click(x=4, y=6, count=3, modifiers=("ctrl", "shift")), act.Drag(path=((2, 4), (6, 8))),
                  act.Scroll(dx=-3, x=2, y=4), act.MouseDown(), act.Press(keys="ctrl+a Delete"), act.Wait(seconds=2)],
    "gemini": [act.Click(x=4, y=6), act.Move(x=4, y=6), act.Drag(path=((2, 4), (6, 8))), act.Scroll(dy=-3, x=2, y=4),
               act.Press(keys="control+a"), act.Wait(seconds=5)],
    "openai": [act.Click(x=4, y=6, button="middle", modifiers=("ctrl",)), act.Click(x=4, y=6, count=2),
               act.Drag(path=((2, 4), (6, 8), (10, 12))), act.Scroll(dx=1, dy=-3, x=2, y=4), act.Press(keys="ctrl+s"),
               act.Type(text="x"), act.Wait()],
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "action"), [(name, action) for name in NATIVE_SAYABLE for action in NATIVE_SAYABLE[name]]
)
def test_native_dialects_can_say_what_they_are_made_for(name: str, action: Action) -> None:
    dialect = vendor_dialect(name)
    assert understood(dialect.read_call(write_call(name, action, HALF), HALF)) == [action]


@pytest.mark.parametrize(
    ("name", "action"),
    [
        ("computer13", act.Click(x=1, y=1, modifiers=("ctrl",))),
        ("computer13", act.RunCode(code="1")),
        ("omnibench", act.Drag(path=((1, 1), (2, 2)))),
        ("omnibench", act.Answer(text="42")),
        ("pyautogui", act.RunCode(code="1")),
        ("pyautogui", act.Drag(path=((1, 1), (2, 2), (3, 3)))),
        ("ui_tars", act.Click(x=1, y=1, count=3)),
        ("ui_tars", act.Scroll(dy=7)),
    ],
)
def test_an_action_without_a_word_is_refused_by_name(name: str, action: Action) -> None:
    with pytest.raises(AgentError, match=action.kind):
        open_dialect(name).write([action], SAME)


@pytest.mark.parametrize(
    ("name", "action"),
    [
        ("anthropic", act.KeyDown(key="a")),
        ("anthropic", act.Click(x=1, y=1, button="right", count=2)),
        ("gemini", act.Drag(path=((1, 1), (2, 2), (3, 3)))),
        ("gemini", act.Click(x=1, y=1, button="back")),
        ("openai", act.Wait(seconds=9)),
        ("openai", act.Click(x=1, y=1, count=3)),
    ],
)
def test_an_action_without_a_call_is_refused_by_name(name: str, action: Action) -> None:
    with pytest.raises(AgentError, match=action.kind):
        write_call(name, action, SAME)


def test_a_move_and_a_drag_stay_two_actions_and_one_gesture_stays_one() -> None:
    dialect = open_dialect("pyautogui")
    apart = [act.Move(x=1, y=2), act.Drag(path=((3, 4),))]
    assert understood(dialect.read(dialect.write(apart, SAME), SAME)) == apart
    assert dialect.write([act.Drag(path=((1, 2), (3, 4)))], SAME) == (
        "```python\npyautogui.moveTo(1, 2)\npyautogui.dragTo(3, 4)\n```"
    )
