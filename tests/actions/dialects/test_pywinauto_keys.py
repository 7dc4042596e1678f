"""pywinauto's keys: what is written is read back, and what models write by mistake stands for itself."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as some

from proctor.actions.dialects.pywinauto_keys import (
    MODIFIERS,
    SPECIAL,
    Stroke,
    read,
    write_held,
    write_press,
    write_text,
)
from proctor.actions.keys import MAX_CHORDS, parse_key, parse_keys
from proctor.errors import AgentError
from tests.actions.dialects.samples import keys, single_keys

texts = some.text(some.characters(exclude_categories=["Cs"], exclude_characters="~\0"), min_size=1, max_size=30)


@given(texts | some.text(some.sampled_from(sorted(SPECIAL - {"~"})), min_size=1, max_size=8))
def test_a_text_is_typed_as_it_stands(text: str) -> None:
    assert read(write_text(text)) == [Stroke("text", text)]


@given(keys)
def test_chords_are_read_back(text: str) -> None:
    strokes = read(write_press(text))
    pressed = [stroke.value for stroke in strokes if stroke.kind == "press"]
    typed = [stroke.value for stroke in strokes if stroke.kind == "text"]
    meant = parse_keys(text)
    assume(all(key in MODIFIERS.values() for chord in meant for key in chord.held))
    if pressed:
        assert [chord for value in pressed for chord in parse_keys(value)] == list(meant)
    else:
        assert [chord.key for chord in meant] == [parse_key(char) for value in typed for char in value]


@given(single_keys, some.sampled_from(["down", "up"]))
def test_held_keys_are_read_back(key: str, how: str) -> None:
    (stroke,) = read(write_held(key, "down" if how == "down" else "up"))
    assert stroke.kind == how
    assert parse_key(stroke.value) == parse_key(key)


@pytest.mark.parametrize(
    ("written", "strokes"),
    [
        ("hello", [Stroke("text", "hello")]),
        ("{ENTER}", [Stroke("press", "enter")]),
        ("~", [Stroke("press", "enter")]),
        ("^s", [Stroke("press", "ctrl+s")]),
        ("^+s", [Stroke("press", "ctrl+shift+s")]),
        ("%{F4}", [Stroke("press", "alt+f4")]),
        ("^(ac)", [Stroke("press", "ctrl+a ctrl+c")]),
        ("{TAB 3}", [Stroke("press", "tab tab tab")]),
        ("{a 3}", [Stroke("text", "aaa")]),
        ("{^}{+}{%}{~}", [Stroke("text", "^+%~")]),
        ("{{}{}}", [Stroke("text", "{}")]),
        ("{VK_SHIFT down}a{VK_SHIFT up}", [Stroke("down", "shift"), Stroke("text", "a"), Stroke("up", "shift")]),
        ("a{ENTER}b", [Stroke("text", "a"), Stroke("press", "enter"), Stroke("text", "b")]),
        ("{ENTER}{ENTER}", [Stroke("press", "enter enter")]),
        ("{BACKSPACE}{BS}{BKSP}", [Stroke("press", "backspace backspace backspace")]),
        ("(a)", [Stroke("text", "(a)")]),
        ("50% of 3 + 4", [Stroke("text", "50% of 3 + 4")]),
        ("a^", [Stroke("text", "a^")]),
        ("{é}", [Stroke("text", "é")]),
        ("", []),
    ],
)
def test_what_is_written_is_understood(written: str, strokes: list[Stroke]) -> None:
    assert read(written) == strokes


@pytest.mark.parametrize("written", ["{", "{ENTER", "a{b", "{}", "{ }x"])
def test_a_brace_that_is_never_closed_is_named(written: str) -> None:
    try:
        strokes = read(written)
    except AgentError as error:
        assert "is not a key" in error.message
        assert "{ENTER}" in error.remedy
    else:
        assert all(stroke.value for stroke in strokes)


def test_repeats_are_bounded() -> None:
    (stroke,) = read("{TAB 999}")
    assert len(parse_keys(stroke.value)) == MAX_CHORDS
    assert read("{x 999}") == [Stroke("text", "x" * MAX_CHORDS)]


@given(some.text(some.sampled_from("^+%~(){}abTAB 19\n") | some.characters(), max_size=40))
def test_any_text_is_strokes_or_refused(written: str) -> None:
    try:
        strokes = read(written)
    except AgentError:
        return
    assert all(
        one.kind != other.kind or one.kind in ("down", "up") for one, other in zip(strokes, strokes[1:], strict=False)
    )
