"""What PyAutoGUI's calls come to at their edges, and what is refused with the line that is wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from proctor.actions import action as act
from proctor.actions.action import Action
from proctor.actions.dialects import open_dialect
from proctor.actions.dialects.translation import MAX_ACTIONS
from proctor.actions.keys import MAX_CHORDS, parse_keys
from tests.actions.dialects.samples import HALF, SAME, fenced, refused, understood

DIALECT = open_dialect("pyautogui")


@pytest.mark.parametrize(
    ("code", "actions"),
    [
        ("pyautogui.click((5, 6))", [act.Click(x=10, y=12)]),
        ("pyautogui.click(x=5)", [act.Click(x=10, y=40)]),
        ("pyautogui.click(5, 6, clicks=2, interval=1)", [act.Click(x=10, y=12)] * 2),
        ("pyautogui.click(5, 6, clicks=0)", [act.Move(x=10, y=12)]),
        ("pyautogui.click(5, 6, 5)", [act.Click(x=10, y=12)] * 5),
        ("pyautogui.moveRel(1, -1)", [act.Move(x=22, y=38)]),
        ("pyautogui.move(None, 5)", [act.Move(x=20, y=50)]),
        ("pyautogui.moveTo()", []),
        ("pyautogui.dragRel(10, 0)", [act.Drag(path=((40, 40),))]),
        ("pyautogui.mouseDown(5, 6, 'right')", [act.Move(x=10, y=12), act.MouseDown(button="right")]),
        ("pyautogui.write(['a', 'b', 'enter', 'c'])",
         [act.Type(text="ab"), act.Press(keys="enter"), act.Type(text="c")]),
        ("pyautogui.press(['a', 'b'], presses=2)", [act.Press(keys="a b a b")]),
        ("pyautogui.press('a', presses=0)", []),
        ("pyautogui.hotkey(['ctrl', 'c'])", [act.Press(keys="ctrl+c")]),
        ("with pyautogui.hold('ctrl'):\n    pyautogui.click(5, 6)", [act.Click(x=10, y=12, modifiers=("ctrl",))]),
        ("with pyautogui.hold(['ctrl', 'shift']):\n    pyautogui.press('a')",
         [act.KeyDown(key="ctrl"), act.KeyDown(key="shift"), act.Press(keys="a"), act.KeyUp(key="shift"),
          act.KeyUp(key="ctrl")]),
        ("x, y = pyautogui.position()\npyautogui.click(x + 1, y)", [act.Click(x=22, y=40)]),
        ("pyautogui.PAUSE = 1\nw, h = pyautogui.size()\npyautogui.moveTo(w / 2, h / 2)", [act.Move(x=960, y=540)]),
        ("pyautogui.click(*tag_3)", [act.Click(x=100, y=50)]),
    ],
)  # fmt: skip
def test_calls_come_to_actions(code: str, actions: list[Action]) -> None:
    reading = DIALECT.read(fenced(f"{code}\ntime.sleep(1)"), HALF)
    assert understood(reading) == [*actions, act.Wait(seconds=1)]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("pyautogui.click('save.png')", "looking for a picture"),
        ("pyautogui.locateOnScreen('a.png')", "pyautogui.locateOnScreen is not available"),
        ("pyautogui.dragTo()", "dragTo needs a place"),
        ("pyautogui.click(1, 2, button='nose')", "button is 'nose'"),
        ("pyautogui.press('nokey')", "unknown key"),
        ("pyautogui.press()", "missing 1 required"),
        ("pyautogui.write(None)", "message is None"),
        ("pyautogui.click([1], 2)", "x is [1]"),
        ("time.sleep(61)", "seconds=61"),
        ("time.sleep('x')", "seconds is 'x'"),
        ("for i in range(999): pyautogui.click()", f"more than {MAX_ACTIONS}"),
        ("pyautogui.press('a', presses=10**9)", f"more than {MAX_ACTIONS}"),
        ("pyautogui.screenshot()", "pyautogui.screenshot is not available"),
    ],
)
def test_what_cannot_be_done_is_told_with_its_line(code: str, said: str) -> None:
    problem = refused(DIALECT.read(fenced(f"pyautogui.moveTo(1, 1)\n{code}"), HALF))
    assert problem.startswith("line 2: ")
    assert said in problem


def test_where_the_pointer_is_must_be_known() -> None:
    assert "not known" in refused(DIALECT.read(fenced("pyautogui.moveRel(1, 1)"), SAME))
    assert understood(DIALECT.read(fenced("pyautogui.moveTo(1, 1)\npyautogui.moveRel(1, 1)"), SAME)) == [
        act.Move(x=1, y=1), act.Move(x=2, y=2),
    ]  # fmt: skip


@given(some.integers(1, 3 * MAX_CHORDS))
def test_many_presses_are_as_many_keys(presses: int) -> None:
    actions = understood(DIALECT.read(fenced(f"pyautogui.press('a', presses={presses})"), SAME))
    assert sum(len(parse_keys(action.keys)) for action in actions if isinstance(action, act.Press)) == presses
