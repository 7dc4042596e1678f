"""Actions in words: as people tell them, short, and never failing on what a record may hold."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from proctor.actions import action as act
from proctor.actions.in_words import KINDS, MOST_NAME, action_words, kind_of, label, role_words, short
from proctor.records import Hit

SAVE = Hit(role="push button", name="Save")
json_values = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats() | some.text(max_size=9),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.parametrize(
    ("action", "kind"),
    [
        (act.Click(x=1, y=2), "click"),
        (act.Click(x=1, y=2, count=2), "double click"),
        (act.Click(x=1, y=2, count=3), "triple click"),
        (act.Click(x=1, y=2, button="right"), "right click"),
        (act.Click(x=1, y=2, button="right", count=2), "right click"),
        (act.Click(x=1, y=2, button="middle"), "middle click"),
        (act.Click(x=1, y=2, button="back"), ""),
        (act.Drag(path=((1, 2), (3, 4))), "drag"),
        (act.Scroll(dy=1), "scroll"),
        (act.Move(x=1, y=2), "move"),
        (act.Type(text="x"), "type"),
        (act.Press(keys="enter"), "press"),
        (act.Wait(), ""),
        (act.Done(), ""),
    ],
)
def test_kinds_are_those_that_people_tell_apart(action: act.Action, kind: str) -> None:
    assert kind_of(action.to_json()) == kind
    assert kind == "" or kind in KINDS


@pytest.mark.parametrize(
    ("action", "element", "words"),
    [
        (act.Click(x=1, y=2), SAVE, "click button 'Save'"),
        (act.Click(x=1, y=2, count=2), Hit(role="table cell", text="notes.txt"), "double click cell 'notes.txt'"),
        (act.Click(x=1.4, y=2.6), None, "click at (1, 3)"),
        (act.Click(x=1, y=2), Hit(role="panel"), "click at (1, 2)"),
        (act.Click(x=1, y=2), Hit(role="panel", name="---"), "click at (1, 2)"),
        (act.Click(), None, "click"),
        (act.Type(text="Hello\nthere"), SAVE, "type 'Hello there'"),
        (act.Press(keys="ctrl+s"), SAVE, "press ctrl+s"),
        (act.Scroll(dy=3), Hit(role="", name="List"), "scroll element 'List'"),
        (act.Wait(seconds=2), None, "wait"),
        (act.Done(), SAVE, "done button 'Save'"),
    ],
)
def test_what_was_done_in_words(action: act.Action, element: Hit | None, words: str) -> None:
    assert action_words(action.to_json(), element) == words


@given(some.dictionaries(some.sampled_from(["type", "x", "y", "button", "text", "keys"]), json_values, max_size=6))
def test_no_record_is_beyond_words(data: dict[str, Any]) -> None:
    assert isinstance(action_words(data, None), str)
    assert isinstance(action_words(data, SAVE), str)


@pytest.mark.parametrize(
    ("role", "words"),
    [
        ("push button", "button"),
        ("page tab", "tab"),
        ("check menu item", "menu item"),
        ("slider", "slider"),
        ("", "element"),
    ],
)
def test_roles_are_called_as_people_call_them(role: str, words: str) -> None:
    assert role_words(role) == words


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("Save", "ignored", "Save"),
        ("", "first\nsecond", "first"),
        ("\n  \n Later ", "", "Later"),
        ("***", "text", "text"),
        ('say "hi"', "", "say 'hi'"),
        ("", "", ""),
        ("  ", "---", ""),
    ],
)
def test_elements_are_called_by_their_name_or_what_they_hold(name: str, text: str, said: str) -> None:
    assert label(name, text) == said


@given(some.text(max_size=300))
def test_a_text_in_a_sentence_is_one_short_line(text: str) -> None:
    line = short(text)
    assert len(line) <= MOST_NAME
    assert not {"\n", "\t", "\r"} & set(line)
    assert short(line) == line
    assert line.endswith("...") or line == " ".join(text.split())


@given(some.text(max_size=80), some.text(max_size=80))
def test_a_label_says_something_or_nothing(name: str, text: str) -> None:
    said = label(name, text)
    assert said == "" or (any(letter.isalnum() for letter in said.removesuffix("...")) or len(said) == MOST_NAME)
    assert '"' not in said
