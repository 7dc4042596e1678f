"""UI-TARS: its calls in all the spellings of its versions, in pixels and on its grid."""

import pytest

from proctor.actions import action as act
from proctor.actions.dialects import open_dialect
from proctor.actions.dialects.reply import DEFAULT_QUESTION
from tests.actions.dialects.samples import HALF, SAME, fenced, kinds, refused, understood

UI_TARS = open_dialect("ui_tars")
FIRST = open_dialect("ui_tars_1.0")


@pytest.mark.parametrize(
    "place",
    [
        "start_box='(100,200)'",
        "start_box='(100, 200)'",
        'start_box="(100,200)"',
        "start_box='<|box_start|>(100,200)<|box_end|>'",
        "point='<point>100 200</point>'",
        "start_box='[90, 190, 110, 210]'",
        "start_box='<bbox>90 190 110 210</bbox>'",
        "start_box=(100,200)",
        "start_box=‘(100,200)’",
    ],
)
def test_places(place: str) -> None:
    (click,) = UI_TARS.read(f"Thought: It is there.\nAction: click({place})", HALF).actions
    assert click == act.Click(x=200, y=400, given=click.given)
    assert click.given and click.given.points == ((100, 200),)
    assert click.given.space == "image 960x540"


def test_the_first_version_uses_a_grid() -> None:
    (click,) = FIRST.read("Action: click(start_box='(500,250)')", HALF).actions
    assert click == act.Click(x=960, y=270, given=click.given)
    assert click.given and click.given.space == "grid 0-1000"


@pytest.mark.parametrize(
    ("call", "action"),
    [
        ("left_double(start_box='(1,2)')", act.Click(x=1, y=2, count=2)),
        ("right_single(start_box='(1,2)')", act.Click(x=1, y=2, button="right")),
        ("long_press(start_box='(1,2)')", act.LongPress(x=1, y=2)),
        ("long_press(point='<point>1 2</point>')", act.LongPress(x=1, y=2)),
        ("drag(start_box='(1,2)', end_box='(3,4)')", act.Drag(path=((1, 2), (3, 4)))),
        (
            "drag(start_point='<point>1 2</point>', end_point='<point>3 4</point>')",
            act.Drag(path=((1, 2), (3, 4))),
        ),
        ("hotkey(key='ctrl c')", act.Press(keys="ctrl+c")),
        ("hotkey(key='ctrl+shift+t')", act.Press(keys="ctrl+shift+t")),
        ("hotkey(key='enter')", act.Press(keys="enter")),
        ("type(content='Hello\\n')", act.Type(text="Hello\n")),
        ("type(content='it's 5 o'clock')", act.Type(text="it's 5 o'clock")),
        ("type(content='say \\'hi\\' (twice)')", act.Type(text="say 'hi' (twice)")),
        ('type(content="a, point=b")', act.Type(text="a, point=b")),
        ("type(content='C:\\\\dir')", act.Type(text="C:\\dir")),
        ("type(content='click(me)')", act.Type(text="click(me)")),
        ("scroll(start_box='(1,2)', direction='down')", act.Scroll(x=1, y=2, dy=5)),
        ("scroll(direction='left')", act.Scroll(dx=-5)),
        ("wait()", act.Wait(seconds=5)),
        ("finished()", act.Done()),
        ("finished(content='The file is saved.')", act.Done()),
        ("call_user()", act.AskUser(question=DEFAULT_QUESTION)),
        ("FAIL", act.Fail()),
    ],
)
def test_calls(call: str, action: act.Action) -> None:
    for reply in (f"Thought: Now.\nAction: {call}", call, f"**Action**: {call}", fenced(f"Action: {call}", "")):
        assert understood(UI_TARS.read(reply, SAME)) == [action]


def test_several_calls_and_a_thought() -> None:
    calls = "click(start_box='(1,2)')\n\ntype(content='x')\n\nhotkey(key='enter')"
    reply = f"Thought: I might click(it) first.\nAction: {calls}"
    reading = UI_TARS.read(reply, SAME)
    assert kinds(reading) == ["click", "type", "press"]
    assert reading.thought == "Thought: I might click(it) first."
    assert [action.given.text for action in reading.actions if action.given][1] == "type(content='x')"
    assert kinds(UI_TARS.read("Action: click(start_box='(1,2)'); wait()", SAME)) == ["click", "wait"]


def test_the_text_of_finished_is_kept_as_given() -> None:
    (done,) = UI_TARS.read("Action: finished(content='It is 42.')", SAME).actions
    assert done.given and "It is 42." in done.given.text


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("Action: tap(start_box='(1,2)')", "unknown action 'tap'"),
        ("Action: click(start_box='the button')", "not understood"),
        ("Action: click(start_box='(1,2,3)')", "not understood"),
        ("Action: click(100, 200)", "cannot be parsed"),
        ("Action: scroll(start_box='(1,2)')", "direction"),
        ("Action: type(content='never closed", "not closed"),
        ("Action: type(content='never closed\nclick(start_box='(1,2)')", "not closed"),
        ("Action: hotkey(key='ctrl entr')", "did you mean"),
        ("Thought: I do not know what to do.", "no action was found"),
        ("Action:", "no action was found"),
    ],
)
def test_what_is_wrong_is_said(reply: str, told: str) -> None:
    assert told in refused(UI_TARS.read(reply, SAME))
