"""Key names in every usual spelling, and the characters that need none."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.actions.keys import NAMES, Chord, char_of_key, key_for_char, parse_key, parse_keys
from proctor.errors import AgentError

CTRL, SHIFT, ALT, SUPER = "ctrl", "shift", "alt", "super"
CHARS = st.characters(min_codepoint=0x21, exclude_categories=["Cs", "Cc"])


@pytest.mark.parametrize(
    ("names", "key"),
    [
        ("Return enter Enter RETURN", "enter"),
        ("Page_Down pagedown pgdn PageDown Next", "pagedown"),
        ("BackSpace backspace Backspace", "backspace"),
        ("KP_Enter kp_enter NumpadEnter", "kpenter"),
        ("ArrowUp up Up", "up"),
        ("Control ctrl ctrlleft Control_L ControlLeft", CTRL),
        ("super win winleft command cmd Meta Super_L", SUPER),
        ("alt option Alt_L altleft", ALT),
        ("f1 F1", "f1"),
        ("F24 f24", "f24"),
        ("Escape esc", "escape"),
        ("Delete del", "delete"),
        ("space Space spacebar", "space"),
        ("plus", "+"),
        ("minus", "-"),
        ("KeyA a keya", "a"),
        ("num7 KP_7 Numpad7", "kp7"),
        ("volumeup AudioVolumeUp XF86AudioRaiseVolume", "volumeup"),
        ("U20AC u+20ac € EuroSign", "€"),
        ("PrintScreen prtsc Print", "print"),
    ],
)
def test_spellings_of_a_key(names: str, key: str) -> None:
    assert {parse_key(name) for name in names.split()} == {key}


@pytest.mark.parametrize(
    ("text", "chords"),
    [
        ("ctrl+shift+t", [(CTRL, SHIFT, "t")]),
        ("ctrl+k ctrl+s", [(CTRL, "k"), (CTRL, "s")]),
        ("ctrl++", [(CTRL, "+")]),
        ("ctrl+shift++", [(CTRL, SHIFT, "+")]),
        ("+", [("+",)]),
        ("ctrl+plus", [(CTRL, "+")]),
        ("ctrl+-", [(CTRL, "-")]),
        ("ctrl + c", [(CTRL, "c")]),
        ("Ctrl-C", [(CTRL, "c")]),
        ("ctrl--", [(CTRL, "-")]),
        ("ctrl-shift-t", [(CTRL, SHIFT, "t")]),
        ("CTRL+C", [(CTRL, "c")]),
        ("A", [("A",)]),
        ("alt+Page Up", [(ALT, "pageup")]),
        ("Page Down Page Down", [("pagedown",), ("pagedown",)]),
        ("ctrl", [(CTRL,)]),
        (" ", [("space",)]),
        ("\n", [("enter",)]),
        ("\t", [("tab",)]),
        ("  enter  ", [("enter",)]),
        ("up\tdown", [("up",), ("down",)]),
        ("-", [("-",)]),
        ("漢", [("漢",)]),
    ],
)
def test_chords(text: str, chords: list[tuple[str, ...]]) -> None:
    assert [chord.keys for chord in parse_keys(text)] == chords


def test_a_chord_says_what_is_held() -> None:
    assert parse_keys("ctrl+alt+delete") == (Chord((CTRL, ALT), "delete"),)


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("ctlr+c", "'ctrl'"),
        ("Retrun", "'return'"),
        ("pagdown", "'pagedown'"),
        ("qqqqqqqq", "use a name such as"),
        ("", "name one"),
        ("ctrl+", "single pluses"),
        ("++", "single pluses"),
        ("ctrl++c", "single pluses"),
        ("a " * 101, "use Type"),
        ("\x00", "leave it out"),
        ("U110000", "use a name such as"),
    ],
)
def test_mistakes_are_the_agents_and_come_with_a_remedy(text: str, remedy: str) -> None:
    with pytest.raises(AgentError) as caught:
        parse_keys(text)
    assert remedy in caught.value.remedy


def test_a_long_wrong_name_is_not_repeated_whole() -> None:
    with pytest.raises(AgentError) as caught:
        parse_key("x" * 10_000)
    assert len(str(caught.value)) < 300


@given(CHARS)
def test_every_character_is_a_key(char: str) -> None:
    assert parse_key(char) == key_for_char(char) == char_of_key(char) == char
    assert parse_keys(char) == (Chord((), char),)


def test_a_blank_has_one_name() -> None:
    assert parse_key(" ") == parse_key("spacebar") == key_for_char(" ") == "space"
    assert char_of_key("space") == " "


@pytest.mark.parametrize("key", ["enter", "shift", "f5", "kp5", "volumeup"])
def test_a_key_that_types_nothing_has_no_character(key: str) -> None:
    assert char_of_key(key) == ""


@given(st.sampled_from(sorted(NAMES)), st.integers(min_value=0))
def test_names_ignore_case_and_underscores(name: str, seed: int) -> None:
    odd = "".join(char.upper() if seed >> index & 1 else char for index, char in enumerate(name))
    assert parse_key(odd) == parse_key(f"{odd[:1]}_{odd[1:]}") == NAMES[name]


@given(st.lists(st.sampled_from(sorted(NAMES)), min_size=1, max_size=4))
def test_names_join_into_chords_and_sequences(names: list[str]) -> None:
    keys = tuple(NAMES[name] for name in names)
    (chord,) = parse_keys("+".join(names))
    assert chord.keys == keys
    assert tuple(one.key for one in parse_keys(" ".join(names))) == keys


@given(st.text(max_size=60))
def test_any_text_is_understood_or_refused(text: str) -> None:
    try:
        chords = parse_keys(text)
    except AgentError as error:
        assert error.remedy
    else:
        assert chords
        known = set(NAMES.values())
        assert all(len(key) == 1 or key in known for chord in chords for key in chord.keys)


@given(st.characters())
def test_only_control_characters_and_half_pairs_have_no_key(char: str) -> None:
    try:
        key = key_for_char(char)
    except AgentError:
        assert char not in string.printable.replace("\x0b", "").replace("\x0c", "")
    else:
        assert parse_key(key) == key
