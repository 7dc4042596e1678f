"""BrowserGym's calls, read and written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.actions import action as act
from proctor.actions.action import Action
from proctor.actions.dialects import open_dialect
from proctor.actions.dialects.dialect import Frame
from proctor.actions.dialects.translation import bare
from proctor.errors import AgentError

DIALECT = open_dialect("browsergym")
FRAME = Frame(desktop=(1000, 500), image=(500, 250), marked=True, marks={3: (30, 40), 12: (100, 200)})


def read(reply: str) -> list[Action]:
    reading = DIALECT.read(reply, FRAME)
    assert not reading.problem, reading.problem
    return bare(reading.actions)


@pytest.mark.parametrize(
    ("call", "actions"),
    [
        ("click('12')", [act.Click(x=100, y=200)]),
        ("click(12, button='right')", [act.Click(x=100, y=200, button="right")]),
        ("click('3', modifiers=['Shift', 'ControlOrMeta'])", [act.Click(x=30, y=40, modifiers=("Shift", "ctrl"))]),
        ("dblclick('3')", [act.Click(x=30, y=40, count=2)]),
        ("hover('3')", [act.Move(x=30, y=40)]),
        ("fill('3', 'a b')", [act.Click(x=30, y=40), act.Press(keys="ctrl+a"), act.Type(text="a b")]),
        ("clear('3')", [act.Click(x=30, y=40), act.Press(keys="ctrl+a"), act.Press(keys="Delete")]),
        ("select_option('3', ['Red'])", [act.Click(x=30, y=40), act.Type(text="Red"), act.Press(keys="Return")]),
        ("press('3', 'Control+a')", [act.Click(x=30, y=40), act.Press(keys="ctrl+a")]),
        ("drag_and_drop('3', '12')", [act.Drag(path=((30, 40), (100, 200)))]),
        ("mouse_click(10, 20)", [act.Click(x=20, y=40)]),
        ("mouse_down(10, 20)", [act.Move(x=20, y=40), act.MouseDown()]),
        ("mouse_drag_and_drop(1, 2, 3, 4)", [act.Drag(path=((2, 4), (6, 8)))]),
        ("scroll(0, 250)", [act.Scroll(dy=2)]),
        ("scroll(-10, 0)", [act.Scroll(dx=-1)]),
        ("scroll_at(10, 20, 0, -300)", [act.Scroll(x=20, y=40, dy=-3)]),
        ("keyboard_press('Control+Shift+ArrowLeft')", [act.Press(keys="ctrl+Shift+ArrowLeft")]),
        ("keyboard_type('x')\nkeyboard_insert_text('y')", [act.Type(text="x"), act.Type(text="y")]),
        ("noop()", [act.Wait(seconds=1)]),
        ("noop(999999999)", [act.Wait(seconds=60)]),
        ("goto('https://a.example')", [
            act.Press(keys="ctrl+l"), act.Type(text="https://a.example"), act.Press(keys="Return")]),
        ("go_back()", [act.Press(keys="alt+Left")]),
        ("tab_focus(1)", [act.Press(keys="ctrl+2")]),
        ("send_msg_to_user('42')", [act.Answer(text="42")]),
        ("report_infeasible('no such page')", [act.Fail(reason="no such page")]),
    ],
)  # fmt: skip
def test_calls_are_read(call: str, actions: list[Action]) -> None:
    assert read(f"I see it.\n```python\n{call}\n```") == actions
    assert read(f"I see it.\n{call}") == actions


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        ("click('99')", "there is no element 99; the nearest: 12, 3"),
        ("click()", "missing a required argument"),
        ("click('3', colour='red')", "unexpected keyword"),
        ("clik('3')", "unknown function 'clik'"),
        ("click('3'", "cannot be parsed"),
        ("click(__import__('os').getcwd())", "takes plain values"),
        ("click(*['3'])", "takes plain values"),
        ("import os", "not a call"),
        ("upload_file('3', 'a.txt')", "not possible here"),
        ("tab_focus(9)", "cannot be reached"),
        ("select_option('3', ['a', 'b'])", "one option at a time"),
        ("keyboard_press('Nosuchkey')", "unknown key"),
        ("mouse_click('here', 2)", "x is 'here'"),
    ],
)
def test_mistakes_are_told_and_nothing_is_done(call: str, problem: str) -> None:
    reading = DIALECT.read(f"```python\nnoop()\n{call}\n```", FRAME)
    assert reading.actions == () and problem in reading.problem


@pytest.mark.parametrize(
    "action",
    [
        act.Click(x=20, y=40), act.Click(x=20, y=40, button="right", count=2), act.Move(x=2, y=4), act.Done(),
        act.Drag(path=((2, 4), (6, 8))), act.Scroll(dy=3), act.Scroll(x=2, y=4, dx=-1, dy=2),
        act.Type(text="it's \"x\"\n"),
        act.Press(keys="ctrl+a"), act.KeyDown(key="shift"), act.KeyUp(key="shift"), act.Wait(seconds=2),
        act.Fail(reason="why"), act.Answer(text="42"),
    ],
)  # fmt: skip
def test_what_is_written_is_read_again(action: Action) -> None:
    assert read(DIALECT.write([action], FRAME)) == [action]


@pytest.mark.parametrize("action", [act.Click(), act.Click(x=1, y=1, count=3), act.MouseDown(), act.RunCode(code="1")])
def test_what_has_no_word_is_refused(action: Action) -> None:
    with pytest.raises(AgentError, match="no word"):
        DIALECT.write([action], FRAME)


@given(st.text(max_size=200))
def test_any_reply_is_read_without_an_error(reply: str) -> None:
    for text in (reply, f"```python\n{reply}\n```", f"click({reply})"):
        DIALECT.read(text, FRAME)


def test_bids_are_described_only_where_there_are_marks() -> None:
    kinds = ("click", "type", "press", "scroll", "done")
    assert "fill('bid'" in DIALECT.describe(kinds, FRAME)
    plain = DIALECT.describe(kinds, Frame(desktop=(1000, 500), image=(500, 250)))
    assert "bid" not in plain and "mouse_click" in plain and "keyboard_down" not in plain
