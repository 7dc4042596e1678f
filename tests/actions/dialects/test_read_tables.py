"""What each JSON dialect understands, and what it refuses, in one table each; and what all dialects have in common."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from proctor.actions import action as act
from proctor.actions.action import ACTIONS, SIGNALS, Action
from proctor.actions.dialects import DIALECTS, open_dialect, prompt_words
from proctor.actions.dialects.dialect import Frame
from proctor.actions.dialects.translation import bare
from proctor.actions.dialects.words import endings, takes_several, thinks
from proctor.actions.keys import MAX_CHORDS, NAMES, char_of_key, key_for_char, parse_key, parse_keys
from proctor.errors import AgentError, SpecError, UnknownName
from tests.actions.dialects.samples import (
    HALF,
    SAME,
    TEXT_DIALECTS,
    fenced,
    refused,
    understood,
    vendor_dialect,
)

PHONE = Frame(desktop=(400, 800), image=(400, 800), marks={3: (30.0, 40.0)})
MARK = (100.0, 50.0)


def read(name: str, frame: Frame, **entry: Any) -> list[Action]:
    return understood(open_dialect(name).read(fenced(json.dumps(entry), "json"), frame))


def refusal(name: str, frame: Frame, **entry: Any) -> str:
    return refused(open_dialect(name).read(fenced(json.dumps(entry), "json"), frame))


@pytest.mark.parametrize(
    ("kind", "fields", "actions"),
    [
        ("click", {"x": 1, "y": 2}, [act.Tap(x=1, y=2)]),
        ("click", {"index": 3}, [act.Tap(x=30, y=40)]),
        ("double_tap", {"x": "1", "y": "2"}, [act.Tap(x=1, y=2, count=2)]),
        ("long_press", {"x": 1, "y": 2}, [act.LongPress(x=1, y=2)]),
        ("scroll", {"direction": "down"}, [act.Swipe(path=((200, 400), (200, 0)))]),
        ("scroll", {"direction": "Left"}, [act.Swipe(path=((200, 400), (399, 400)))]),
        ("scroll", {"direction": "up", "index": 3}, [act.Swipe(path=((30, 40), (30, 240)))]),
        ("swipe", {"direction": "up"}, [act.Swipe(path=((200, 799), (200, 0)), seconds=0.5)]),
        ("swipe", {"direction": "left"}, [act.Swipe(path=((0, 400), (399, 400)), seconds=0.5)]),
        ("input_text", {"text": "hi"}, [act.Type(text="hi")]),
        ("input_text", {"text": "hi", "index": 3},
         [act.Tap(x=30, y=40), act.Type(text="hi"), act.Press(keys="enter")]),
        ("input_text", {"text": "hi", "clear_text": True},
         [act.Press(keys="ctrl+a"), act.Press(keys="delete"), act.Type(text="hi")]),
        ("keyboard_enter", {}, [act.Press(keys="enter")]),
        ("navigate_home", {}, [act.Press(keys="browserhome")]),
        ("navigate_back", {"reason": "ignored"}, [act.Press(keys="browserback")]),
        ("press_keyboard", {"keycode": "KEYCODE_TAB"}, [act.Press(keys="KEYCODE_TAB")]),
        ("open_app", {"app_name": "Clock"}, [act.OpenApp(name="Clock")]),
        ("wait", {}, [act.Wait()]),
        ("answer", {"text": "42"}, [act.Answer(text="42")]),
        ("status", {"goal_status": "Complete"}, [act.Done()]),
        ("status", {"goal_status": "infeasible", "text": "no"}, [act.Fail(reason="no")]),
    ],
)  # fmt: skip
def test_android_world_is_understood(kind: str, fields: dict[str, Any], actions: list[Action]) -> None:
    assert read("android_world", PHONE, action_type=kind, **fields) == actions


@pytest.mark.parametrize(
    ("kind", "fields", "said"),
    [
        ("click", {}, "click has no place"),
        ("click", {"x": 1}, "only one of x and y"),
        ("click", {"index": 3, "x": 1, "y": 2}, "an index and a place"),
        ("click", {"index": 9}, "there is no element 9; the nearest: 3"),
        ("click", {"button": "left"}, "click takes no 'button'"),
        ("scroll", {}, "has the direction ''"),
        ("swipe", {"direction": "in"}, "has the direction 'in'"),
        ("input_text", {}, "input_text has no text"),
        ("open_app", {}, "open_app has no app_name"),
        ("press_keyboard", {}, "press_keyboard has no keycode"),
        ("answer", {}, "answer has no text"),
        ("status", {}, "status has no goal_status"),
        ("status", {"goal_status": "maybe"}, "goal_status is 'maybe'"),
        ("wait", {"seconds": 1}, "it takes: no parameters"),
        ("dance", {}, "unknown action_type 'dance'"),
    ],
)
def test_android_world_says_what_is_wrong(kind: str, fields: dict[str, Any], said: str) -> None:
    assert said in refusal("android_world", PHONE, action_type=kind, **fields)


@pytest.mark.parametrize(
    ("entry", "actions"),
    [
        ({"action_type": "CLICK", "x": 50, "y": 25}, [act.Click(x=100, y=50)]),
        (
            {"action_type": "click", "parameters": {"x": 50, "y": 25, "button": "right"}},
            [act.Click(x=100, y=50, button="right")],
        ),
        ({"action_type": "CLICK", "mark": 3, "num_clicks": 2}, [act.Click(x=MARK[0], y=MARK[1], count=2)]),
        ({"action_type": "CLICK"}, [act.Click()]),
        ({"action": "RIGHT_CLICK", "mark": 3}, [act.Click(x=MARK[0], y=MARK[1], button="right")]),
        ({"action_type": "DOUBLE_CLICK"}, [act.Click(count=2)]),
        ({"action_type": "MOVE_TO", "x": 1, "y": 1}, [act.Move(x=2, y=2)]),
        ({"action_type": "DRAG_TO", "x": 1, "y": 1}, [act.Drag(path=((2, 2),))]),
        ({"action_type": "SCROLL", "dy": 3}, [act.Scroll(dy=-3)]),
        ({"action_type": "MOUSE_DOWN", "button": "middle"}, [act.MouseDown(button="middle")]),
        ({"action_type": "HOTKEY", "keys": ["ctrl", "s"]}, [act.Press(keys="ctrl+s")]),
        (
            {"action_type": "CALL_USER", "call_type": "the code"},
            [act.AskUser(question="Please tell me this: the code")],
        ),
        ({"action_type": "FAIL", "reason": "no"}, [act.Fail(reason="no")]),
        ({"thought": "So.", "action_type": "TYPING", "text": 7}, [act.Type(text="7")]),
    ],
)
def test_computer_13_is_understood(entry: dict[str, Any], actions: list[Action]) -> None:
    assert read("computer13", HALF, **entry) == actions


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"action_type": "MOVE_TO"}, "MOVE_TO has no place"),
        ({"action_type": "CLICK", "x": 1}, "only one of x and y"),
        ({"action_type": "CLICK", "x": "a", "y": 1}, "x is 'a'"),
        ({"action_type": "CLICK", "mark": 99}, "there is no element 99; the nearest: 12, 3"),
        ({"action_type": "CLICK", "button": "nose"}, "button is 'nose'"),
        ({"action_type": "CLICK", "colour": "red"}, "CLICK takes no 'colour'"),
        ({"action_type": "TYPING"}, "TYPING has no text"),
        ({"action_type": "HOTKEY"}, "HOTKEY has no keys"),
        ({"action_type": "PRESS", "key": "nokey"}, "unknown key 'nokey'"),
        ({"action_type": "DONE", "text": "x"}, "it takes: no parameters"),
        ({"action_type": 7}, "unknown action_type '7'"),
    ],
)
def test_computer_13_says_what_is_wrong(entry: dict[str, Any], said: str) -> None:
    assert said in refusal("computer13", HALF, **entry)


@pytest.mark.parametrize("name", TEXT_DIALECTS)
def test_what_a_dialect_says_of_itself_holds(name: str) -> None:
    dialect = open_dialect(name)
    assert dialect.name == name
    assert set(dialect.kinds) <= ACTIONS.keys()
    told = endings(dialect, [*ACTIONS])
    assert told.keys() <= SIGNALS
    assert told.keys() == {kind for kind in dialect.kinds if kind in SIGNALS}
    assert takes_several(dialect) or thinks(dialect)
    assert endings(dialect, []) == {}


@pytest.mark.parametrize("name", TEXT_DIALECTS)
@given(kinds=some.sets(some.sampled_from(sorted(ACTIONS))))
def test_only_what_is_allowed_is_described(name: str, kinds: set[str]) -> None:
    dialect = open_dialect(name)
    words = dialect.describe(sorted(kinds), SAME)
    for kind in set(ACTIONS) - kinds:
        if kind in dialect.kinds and kind not in prompt_words.WRITTEN_DIFFERENTLY:
            assert prompt_words.sentence_for(kind) not in words
    for kind in kinds & set(dialect.kinds):
        assert prompt_words.sentence_for(kind).partition(";")[0].partition(", such as")[0].rstrip(".") in words


@pytest.mark.parametrize("kind", sorted(ACTIONS))
def test_forms_name_every_field_and_which_may_be_left_out(kind: str) -> None:
    form = prompt_words.json_form(kind)
    assert form.startswith(f'{{"type": "{kind}"')
    assert '"given"' not in form
    for name in ("x", "text", "keys", "button", "path"):
        if name in ACTIONS[kind].__dataclass_fields__:  # type: ignore[attr-defined]
            assert f'"{name}"' in form


def test_dialects_are_found_by_name_and_options() -> None:
    assert open_dialect("pyautogui", space="unit").name == "pyautogui"
    with pytest.raises(UnknownName):
        open_dialect("pyautogiu")
    with pytest.raises(SpecError, match="does not take colour"):
        open_dialect("computer13", colour="red")
    with pytest.raises(UnknownName, match="space"):
        open_dialect("plain_json", space="inches")
    with pytest.raises(UnknownName):
        vendor_dialect("nobody")
    assert set(TEXT_DIALECTS) == set(DIALECTS.names())


@pytest.mark.parametrize("name", ["openai", "anthropic", "gemini"])
def test_versions_of_a_tool_are_declared_and_others_refused(name: str) -> None:
    dialect = vendor_dialect(name)
    for version in dialect.versions:
        json.dumps(dialect.tool(version, (800, 600)))
        allowed = dialect.describe([*ACTIONS], SAME, version)
        assert "not allowed" not in allowed
        assert "not allowed" in dialect.describe(["wait"], SAME, version)
    with pytest.raises(UnknownName):
        dialect.tool("computer_1999", (800, 600))


@given(some.sampled_from(sorted(NAMES)))
def test_every_spelling_of_a_key_is_known_in_any_case(name: str) -> None:
    if len(name) > 1:
        assert parse_key(name) == parse_key(name.upper()) == parse_key(name.title()) == NAMES[name]


@given(some.characters(exclude_categories=["Cs", "Cc"]))
def test_a_character_is_typed_by_the_key_that_types_it(char: str) -> None:
    assert char_of_key(key_for_char(char)) == char


@given(some.text(max_size=30))
def test_any_text_is_keys_or_refused(text: str) -> None:
    try:
        chords = parse_keys(text)
    except AgentError as error:
        assert error.remedy
    else:
        assert 0 < len(chords) <= MAX_CHORDS


@given(
    some.lists(some.sampled_from(["ctrl", "shift", "alt", "super"]), max_size=3, unique=True),
    some.sampled_from(sorted(set(NAMES.values()))),
)
def test_chords_are_the_keys_that_were_joined(held: list[str], key: str) -> None:
    (chord,) = parse_keys("+".join([*held, "plus" if key == "+" else key]))
    assert chord.held == tuple(held)
    assert chord.key == key
    assert bare([act.Press(keys="+".join(chord.keys))])
