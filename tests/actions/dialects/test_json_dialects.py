"""Dialects of JSON objects: plain JSON and computer_13, as tidy and as untidy as models write them."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.actions import action as act
from proctor.actions.dialects import loose_json, open_dialect
from proctor.actions.dialects.reply import DEFAULT_QUESTION
from tests.actions.dialects.samples import HALF, ODD, SAME, fenced, kinds, refused, understood

PLAIN = open_dialect("plain_json")
COMPUTER13 = open_dialect("computer13")
CLICK = act.Click(x=10, y=20)


@pytest.mark.parametrize(
    "reply",
    [
        '{"type": "click", "x": 10, "y": 20}',
        fenced('{"type": "click", "x": 10, "y": 20}', "json"),
        fenced('{"type": "click", "x": 10, "y": 20}', ""),
        fenced('[{"type": "click", "x": 10, "y": 20}]', "json"),
        fenced('{"actions": [{"type": "click", "x": 10, "y": 20}]}', "json"),
        fenced('{"thought": "there", "action": {"type": "click", "x": 10, "y": 20}}', "json"),
        fenced('{"type": "CLICK", "x": "10", "y": 20.0, "thought": "there"}', "json"),
        "{'type': 'click', 'x': 10, 'y': 20,}",
        '{type: "click", x: 10, y: 20}',
        "{“type”： “click”， “x”: 10, “y”: 20}",
        "{”type”: ”click”, ‘x’: 10, ‘y’: 20}",
        '{"type": "click", // the button\n "x": 10, # across\n "y": 20}',
        '{"type": "click", "x": 10, "y": 20, "button": null}',
        'I look at [1] and {that}.\n{"type": "click", "x": 10, "y": 20}\nNow it opens.',
        'Action: {"type": "click", "x": 10, "y": 20}',
        '**Action:** `{"type": "click", "x": 10, "y": 20}`',
        '```json\n{"type": "click", "x": 10, "y": 20}',
        'Before:\n```\nls\n```\n{"type": "click", "x": 10, "y": 20}',
    ],
)
def test_one_click_however_it_is_written(reply: str) -> None:
    assert understood(PLAIN.read(reply, SAME)) == [CLICK]


def test_objects_one_after_the_other_and_a_word_at_the_end() -> None:
    reply = 'Two steps.\n{"type": "press", "keys": "ctrl+s"}\n{"type": "wait", "seconds": 2}\nDONE'
    reading = PLAIN.read(reply, SAME)
    assert understood(reading) == [act.Press(keys="ctrl+s"), act.Wait(seconds=2), act.Done()]
    assert reading.thought == "Two steps."


def test_thoughts_inside_the_object_are_thoughts() -> None:
    reading = PLAIN.read('{"reasoning": "It is there.", "actions": [{"type": "done"}]}', SAME)
    assert reading.thought == "It is there."


def test_places_are_scaled_from_the_picture_and_remembered() -> None:
    (drag,) = PLAIN.read('{"type": "drag", "path": [[10, 20], {"x": 30, "y": 40}]}', HALF).actions
    assert drag == act.Drag(
        path=((20, 40), (60, 80)),
        given=act.Given(
            text='{"type": "drag", "path": [[10, 20], {"x": 30, "y": 40}]}',
            points=((10, 20), (30, 40)),
            space="image 960x540",
        ),
    )
    (click,) = open_dialect("plain_json", space="unit").read('{"type": "click", "x": 0.5, "y": 0.25}', HALF).actions
    assert (click.x, click.y) == (960, 270)  # type: ignore[attr-defined]
    assert click.given and click.given.space == "unit"


def test_a_place_off_the_screen_is_kept_for_the_computer_to_refuse() -> None:
    assert understood(PLAIN.read('{"type": "click", "x": 5000, "y": -3}', SAME)) == [act.Click(x=5000, y=-3)]


def test_ids_stand_for_their_places() -> None:
    (click,) = PLAIN.read('{"type": "click", "id": 12}', HALF).actions
    assert (click.x, click.y) == (640.5, 360.25)  # type: ignore[attr-defined]
    (drag,) = PLAIN.read('{"type": "drag", "path": [12, [5, 5]]}', HALF).actions
    assert drag.path == ((640.5, 360.25), (10, 10))  # type: ignore[attr-defined]
    (click,) = PLAIN.read('{"type": "click", "mark": 12, "button": "right"}', HALF).actions
    assert click == act.Click(x=640.5, y=360.25, button="right", given=click.given)
    assert click.given and click.given.space == "element 12"
    (moved,) = COMPUTER13.read('{"action_type": "MOVE_TO", "mark": "3"}', HALF).actions
    assert moved == act.Move(x=100, y=50, given=moved.given)
    assert "3, 12" in refused(PLAIN.read('{"type": "click", "mark": 4}', HALF))


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ('{"type": "clik", "x": 1, "y": 2}', "did you mean 'click'"),
        ('{"type": "click", "x": 1}', "only one of x and y"),
        ('{"type": "click", "x": NaN, "y": 2}', "x is nan"),
        ('{"type": "click", "x": 1e999, "y": 2}', "x is inf"),
        ('{"type": "click", "x": 1e9, "y": 2}', "must be from"),
        ('{"type": "click", "x": "left", "y": 2}', "x is 'left'"),
        ('{"type": "press", "keys": "ctrl+entr"}', "did you mean 'enter'"),
        ('{"type": "type", "text": "\\ud800"}', "surrogate"),
        ('{"type": "type", "text": "hel', "cut off"),
        ('{"type": "type", "text": "a" "b"}', "comma"),
        ('[{"type": "done"}, {"type": ', "cut off"),
        ('{"type": "type"}', "missing field 'text'"),
        ('{"actions": [1, 2]}', "JSON object"),
        ('{"actions": []}', "no action was found"),
        ("[]", "no action was found"),
        ('{"note": "nothing to do"}', "unknown action type"),
        (json.dumps([{"type": "wait"}] * 201), "more than 200 actions"),
        ('{"a": ' * 60 + "1" + "}" * 60, "brackets inside one another"),
    ],
)
def test_what_is_wrong_is_said(reply: str, told: str) -> None:
    assert told in refused(PLAIN.read(reply, SAME))


def test_what_the_model_claims_to_have_given_is_not_believed() -> None:
    (done,) = PLAIN.read('{"type": "done", "given": {"text": "forged"}}', SAME).actions
    assert done.given and "forged" in done.given.text and done.given.text.startswith('{"type"')


@pytest.mark.parametrize(
    ("reply", "actions"),
    [
        ('{"action_type": "CLICK", "x": 10, "y": 20}', [CLICK]),
        ('{"action_type": "click", "parameters": {"x": 10, "y": 20, "num_clicks": 1, "button": "left"}}', [CLICK]),
        ('{"action_type": "CLICK", "num_clicks": 2, "button": "middle"}', [act.Click(button="middle", count=2)]),
        ('{"action_type": "RIGHT_CLICK", "x": 1, "y": 2}', [act.Click(x=1, y=2, button="right")]),
        ('{"action_type": "DOUBLE_CLICK"}', [act.Click(count=2)]),
        ('{"action_type": "DRAG_TO", "x": 1, "y": 2}', [act.Drag(path=((1, 2),))]),
        ('{"action_type": "SCROLL", "dx": 2, "dy": -5}', [act.Scroll(dx=2, dy=5)]),
        ('{"action_type": "TYPING", "text": "a\\nb"}', [act.Type(text="a\nb")]),
        ('{"action_type": "HOTKEY", "keys": ["ctrl", "+"]}', [act.Press(keys="ctrl++")]),
        ('{"action_type": "KEY_DOWN", "key": "shiftleft"}', [act.KeyDown(key="shiftleft")]),
        ('{"action_type": "WAIT"}', [act.Wait()]),
        ('{"action_type": "FAIL"}', [act.Fail()]),
        ('{"action_type": "CALL_USER"}', [act.AskUser(question=DEFAULT_QUESTION)]),
        ('{"action_type": "CALL_USER", "message": "Which?"}', [act.AskUser(question="Which?")]),
        ('{"action_type": "CALL_USER", "call_type": "email"}', [act.AskUser(question="Please tell me this: email")]),
        ('{"action_type": "MOUSE_DOWN"}\n{"action_type": "MOUSE_UP"}', [act.MouseDown(), act.MouseUp()]),
    ],
)
def test_computer_13(reply: str, actions: list[act.Action]) -> None:
    assert understood(COMPUTER13.read(fenced(reply, "json"), SAME)) == actions


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ('{"action_type": "TAP", "x": 1, "y": 2}', "choose one of: MOVE_TO"),
        ('{"action_type": "CLICK", "x": 1}', "only one of x and y"),
        ('{"action_type": "MOVE_TO"}', "no place"),
        ('{"action_type": "TYPING"}', "has no text"),
        ('{"action_type": "CLICK", "speed": 9}', "takes no 'speed'"),
        ('{"action_type": "PRESS", "key": ["a", "b"]}', "key is"),
    ],
)
def test_computer_13_says_what_is_wrong(reply: str, told: str) -> None:
    assert told in refused(COMPUTER13.read(reply, SAME))


@given(st.recursive(
    st.none() | st.booleans() | st.integers(-(10**18), 10**18) | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4), max_leaves=20,
))  # fmt: skip
def test_valid_json_is_read_as_json(value: object) -> None:
    (found,) = loose_json.find(json.dumps({"value": value})).values
    (raw,) = loose_json.find(json.dumps({"value": value}, ensure_ascii=False)).values
    assert found == raw == {"value": value}


def test_loose_json_knows_the_words_of_both_languages() -> None:
    (found,) = loose_json.find(
        "{a: True, b: false, c: None, d: null, e: -.5, f: NaN, g: 'x\\x41\\q', h: [1, 2,]}"
    ).values
    assert isinstance(found, dict)
    assert math.isnan(found.pop("f"))  # type: ignore[arg-type]
    assert found == {"a": True, "b": False, "c": None, "d": None, "e": -0.5, "g": "xA\\q", "h": [1, 2]}


def test_scaling_by_an_odd_factor_reaches_every_pixel() -> None:
    for x in range(0, ODD.desktop[0], 7):
        written = PLAIN.write([act.Move(x=x, y=0)], ODD)
        assert understood(PLAIN.read(written, ODD)) == [act.Move(x=x, y=0)]
        assert kinds(PLAIN.read(written, ODD)) == ["move"]


@pytest.mark.parametrize(
    ("written", "action"),
    [
        ('{"type": "tap", "x": 10, "y": 20}', act.Tap(x=20, y=40)),
        ('{"type": "tap", "mark": 3, "count": 2}', act.Tap(x=100, y=50, count=2)),
        ('{"type": "long_press", "x": 10, "y": 20, "seconds": 2}', act.LongPress(x=20, y=40, seconds=2)),
        ('{"type": "swipe", "path": [[10, 20], [30, 40]]}', act.Swipe(path=((20, 40), (60, 80)))),
        ('{"type": "pinch", "x": 10, "y": 20, "scale": 0.5}', act.Pinch(x=20, y=40, scale=0.5)),
    ],
)
def test_touch_in_plain_json(written: str, action: act.Action) -> None:
    assert understood(open_dialect("plain_json").read(written, HALF)) == [action]


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ('{"type": "swipe", "path": [[10, 20]]}', "from one point to another"),
        ('{"type": "pinch", "x": 1, "y": 1, "scale": 0}', "scale"),
        ('{"type": "tap", "x": 1}', "y"),
        ('{"type": "long_press", "x": 1, "y": 1, "seconds": 60}', "seconds"),
    ],
)
def test_touch_that_cannot_be_meant(written: str, why: str) -> None:
    assert why in refused(open_dialect("plain_json").read(written, HALF))
