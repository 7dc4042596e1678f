"""OmniBench: functions on labelled controls, pywinauto's key syntax, and the status."""

import json
from typing import Any

import pytest

from proctor.actions import action as act
from proctor.actions.dialects import open_dialect
from tests.actions.dialects.samples import HALF, fenced, kinds, refused, understood

OMNIBENCH = open_dialect("omnibench")


def reply(function: str, arguments: dict[str, Any], label: str = "", status: str = "CONTINUE") -> str:
    entry = {"Observation": "A window.", "Thought": "Next.", "Status": status, "ControlLabel": label}
    return json.dumps(entry | {"ControlText": "OK", "Function": function, "Args": arguments})


def test_a_label_is_the_place_of_its_mark() -> None:
    reading = OMNIBENCH.read(fenced(reply("click_input", {"button": "left", "double": True}, "3"), "json"), HALF)
    assert understood(reading) == [act.Click(x=100, y=50, count=2)]
    assert reading.actions[0].given and reading.actions[0].given.space == "element 3"
    assert reading.thought == "A window.\nNext."


def test_coordinates_are_those_of_the_picture() -> None:
    reading = OMNIBENCH.read(reply("click_input", {"button": "right", "coords": [10, 20], "pressed": "control"}), HALF)
    assert understood(reading) == [act.Click(x=20, y=40, button="right", modifiers=("ctrl",))]


def test_the_wheel_turns_up_for_positive_distances() -> None:
    assert understood(OMNIBENCH.read(reply("wheel_mouse_input", {"wheel_dist": -4}, "12"), HALF)) == [
        act.Scroll(dy=4, x=640.5, y=360.25)
    ]


@pytest.mark.parametrize(
    ("keys", "actions"),
    [
        ("Hello World", [act.Type(text="Hello World")]),
        ("Hello{ENTER}", [act.Type(text="Hello"), act.Press(keys="enter")]),
        ("^s", [act.Press(keys="ctrl+s")]),
        ("^+{F5}", [act.Press(keys="ctrl+shift+f5")]),
        ("%{F4}~", [act.Press(keys="alt+f4 enter")]),
        ("^(ac)", [act.Press(keys="ctrl+a ctrl+c")]),
        ("{TAB 2}x", [act.Press(keys="tab tab"), act.Type(text="x")]),
        ("{VK_SHIFT down}a{VK_SHIFT up}", [act.KeyDown(key="shift"), act.Type(text="a"), act.KeyUp(key="shift")]),
        ("=SUM(A1:A3)", [act.Type(text="=SUM(A1:A3)")]),
        ("{{}1{}} {+} 50%", [act.Type(text="{1} + 50%")]),
        ("^{+}", [act.Press(keys="ctrl++")]),
        ("{PGDN}{BACKSPACE}{VK_LWIN}", [act.Press(keys="pgdn backspace win")]),
    ],
)
def test_keys(keys: str, actions: list[act.Action]) -> None:
    assert understood(OMNIBENCH.read(reply("keyboard_input", {"keys": keys}), HALF)) == actions


def test_the_status_ends_the_task() -> None:
    assert kinds(OMNIBENCH.read(reply("", {}, status="FINISH"), HALF)) == ["done"]
    assert kinds(OMNIBENCH.read(reply("click_input", {}, "3", status="finish"), HALF)) == ["click", "done"]
    assert kinds(OMNIBENCH.read(reply("", {}, status="FAIL"), HALF)) == ["fail"]


def test_recorded_actions_can_be_read_too() -> None:
    assert kinds(OMNIBENCH.read('{"function": "click_input", "args": {"button": "left"}}', HALF)) == ["click"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (reply("tap", {}), "choose one of: click_input"),
        (reply("", {}), "Function is empty"),
        (reply("click_input", {}, "99"), "no element 99"),
        (reply("click_input", {}, "the button"), "controllabel"),
        (reply("click_input", {"speed": 1}), "takes no 'speed'"),
        (reply("click_input", {"button": "move"}), "moves nowhere"),
        (reply("keyboard_input", {}), "keys is None"),
        (reply("keyboard_input", {"keys": "{NOKEY}"}), "unknown key"),
        (reply("keyboard_input", {"keys": '{"a": 1}'}), "unknown key"),
        (reply("keyboard_input", {"keys": "{never closed"}), "is not a key"),
        (reply("wheel_mouse_input", {"wheel_dist": "far"}), "wheel_dist"),
    ],
)
def test_what_is_wrong_is_said(text: str, told: str) -> None:
    assert told in refused(OMNIBENCH.read(text, HALF))
