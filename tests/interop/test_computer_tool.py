"""Inspect's computer tool, answered from outside: the command line is read, pictures have Inspect's size."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from proctor.actions import action as act
from proctor.actions.action import Action
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import ComputerLost
from proctor.interop.inspect import computer_tool
from proctor.interop.inspect.computer_tool import SIZE, TOOL, answer, is_call


@pytest.fixture
def computer() -> Iterator[FakeComputer]:
    with FakeComputer(size=(2732, 1536)) as running:
        yield running


def ask(computer: FakeComputer, *words: str) -> tuple[dict[str, Any], list[Action]]:
    done: list[Action] = []
    command = ["python3", TOOL, *words]
    assert is_call(command)
    return json.loads(answer(computer, command, done.append)), done


def picture(found: dict[str, Any]) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(found["base64_image"])))


@pytest.mark.parametrize(
    ("words", "kinds"),
    [
        (("left_click", "--coordinate", "683", "384"), [("click", 1366.0, 768.0)]),
        (("double_click", "--coordinate", "0", "0"), [("click", 0.0, 0.0)]),
        (("left_click",), [("click", None, None)]),
        (("back_click", "--coordinate", "10", "10"), [("click", 20.0, 20.0)]),
        (("mouse_move", "--coordinate", "1", "2"), [("move", 2.0, 4.0)]),
        (("scroll", "--scroll_amount", "3", "--scroll_direction", "down"), [("scroll", None, None)]),
        (("left_mouse_down",), [("mouse_down", None, None)]),
        (("wait", "--duration", "2"), [("wait", None, None)]),
        (("left_click_drag", "--start_coordinate", "1", "1", "--coordinate", "5", "5"), [("drag", None, None)]),
    ],
)
def test_places_are_scaled_back(computer: FakeComputer, words: tuple[str, ...], kinds: list[Any]) -> None:
    found, done = ask(computer, *words)
    assert [(one.kind, getattr(one, "x", None), getattr(one, "y", None)) for one in done] == kinds
    assert found["error"] is None
    assert picture(found).size == SIZE


def test_texts_may_hold_anything(computer: FakeComputer) -> None:
    _, (typed,) = ask(computer, "type", "--text=--coordinate = 'x'\n")
    assert isinstance(typed, act.Type) and typed.text == "--coordinate = 'x'\n"
    _, (pressed,) = ask(computer, "key", "--text", "ctrl+s")
    assert isinstance(pressed, act.Press) and pressed.keys == "ctrl+s"


def test_looking_is_no_action(computer: FakeComputer) -> None:
    found, done = ask(computer, "screenshot")
    assert (picture(found).size, done) == (SIZE, [])
    found, done = ask(computer, "cursor_position")
    assert found["output"].startswith("X=") and not done
    found, _ = ask(computer, "zoom", "--region", "0", "0", "100", "100")
    assert picture(found).size == (768, 768)


@pytest.mark.parametrize(
    "words",
    [("explode",), ("left_click", "--coordinate", "5"), ("left_click", "--coordinate", "here", "there"),
     ("key", "--text", "no-such-key"), ("scroll", "--scroll_amount", "1"), ("zoom", "--region", "9", "9", "9", "9"),
     ("left_click", "--colour", "red"), ("wait", "--duration", "3600"), ("type",), ("mouse_move",),
     ("wait", "--duration", "nan"), ("left_click", "--coordinate", "1e999", "0")],
)  # fmt: skip
def test_what_a_model_gets_wrong_is_told_to_it(computer: FakeComputer, words: tuple[str, ...]) -> None:
    found, done = ask(computer, *words)
    assert found["error"] and not done


def test_a_lost_computer_is_no_answer(computer: FakeComputer) -> None:
    def lose(action: Action) -> None:
        raise ComputerLost("it is gone")

    with pytest.raises(ComputerLost):
        answer(computer, ["python3", TOOL, "left_click"], lose)


@pytest.mark.parametrize("argv", [["python3", "mine.py", "key"], ["cat", TOOL, "x"], ["python3"], ["python3", TOOL]])
def test_other_commands_are_not_caught(argv: list[str]) -> None:
    assert not is_call(argv)


@given(st.lists(st.text(max_size=12), min_size=1, max_size=6))
def test_any_command_line_is_read_or_refused(words: list[str]) -> None:
    try:
        assert computer_tool._read(words)["action"] == words[0]
    except computer_tool.AgentError as error:
        assert str(error)
