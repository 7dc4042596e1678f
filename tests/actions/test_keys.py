"""Key names in every usual spelling, and the characters that need none."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.actions.keys import NAMES, Chord, keysym_for_char, parse_key, parse_keys
from proctor.errors import AgentError

CTRL, SHIFT, ALT, SUPER = 0xFFE3, 0xFFE1, 0xFFE9, 0xFFEB
CHARS = st.characters(min_codepoint=0x21, exclude_categories=["Cs", "Cc"])


@pytest.mark.parametrize(
    ("names", "keysym"),
    [
        ("Return enter Enter RETURN", 0xFF0D),
        ("Page_Down pagedown pgdn PageDown Next", 0xFF56),
        ("BackSpace backspace Backspace", 0xFF08),
        ("KP_Enter kp_enter NumpadEnter", 0xFF8D),
        ("ArrowUp up Up", 0xFF52),
        ("Control ctrl ctrlleft Control_L ControlLeft", CTRL),
        ("super win winleft command cmd Meta Super_L", SUPER),
        ("alt option Alt_L altleft", ALT),
        ("f1 F1", 0xFFBE),
        ("F24 f24", 0xFFD5),
        ("Escape esc", 0xFF1B),
        ("Delete del", 0xFFFF),
        ("space Space spacebar", 0x20),
        ("plus", ord("+")),
        ("minus", ord("-")),
        ("KeyA a keya", ord("a")),
        ("num7 KP_7 Numpad7", 0xFFB7),
        ("volumeup AudioVolumeUp XF86AudioRaiseVolume", 0x1008FF13),
        ("U20AC u+20ac € EuroSign", 0x010020AC),
        ("PrintScreen prtsc Print", 0xFF61),
    ],
)
def test_spellings_of_a_key(names: str, keysym: int) -> None:
    assert {parse_key(name) for name in names.split()} == {keysym}


@pytest.mark.parametrize(
    ("text", "chords"),
    [
        ("ctrl+shift+t", [(CTRL, SHIFT, ord("t"))]),
        ("ctrl+k ctrl+s", [(CTRL, ord("k")), (CTRL, ord("s"))]),
        ("ctrl++", [(CTRL, ord("+"))]),
        ("ctrl+shift++", [(CTRL, SHIFT, ord("+"))]),
        ("+", [(ord("+"),)]),
        ("ctrl+plus", [(CTRL, ord("+"))]),
        ("ctrl+-", [(CTRL, ord("-"))]),
        ("ctrl + c", [(CTRL, ord("c"))]),
        ("Ctrl-C", [(CTRL, ord("c"))]),
        ("ctrl--", [(CTRL, ord("-"))]),
        ("ctrl-shift-t", [(CTRL, SHIFT, ord("t"))]),
        ("CTRL+C", [(CTRL, ord("c"))]),
        ("A", [(ord("A"),)]),
        ("alt+Page Up", [(ALT, 0xFF55)]),
        ("Page Down Page Down", [(0xFF56,), (0xFF56,)]),
        ("ctrl", [(CTRL,)]),
        (" ", [(0x20,)]),
        ("\n", [(0xFF0D,)]),
        ("\t", [(0xFF09,)]),
        ("  enter  ", [(0xFF0D,)]),
        ("up\tdown", [(0xFF52,), (0xFF54,)]),
        ("-", [(ord("-"),)]),
        ("漢", [(0x01006F22,)]),
    ],
)
def test_chords(text: str, chords: list[tuple[int, ...]]) -> None:
    assert [chord.keys for chord in parse_keys(text)] == chords


def test_a_chord_says_what_is_held() -> None:
    assert parse_keys("ctrl+alt+delete") == (Chord((CTRL, ALT), 0xFFFF),)


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
    keysym = parse_key(char)
    assert keysym == keysym_for_char(char)
    assert chr(keysym & 0xFFFFFF) == char
    assert parse_keys(char) == (Chord((), keysym),)


@given(st.sampled_from(sorted(NAMES)), st.integers(min_value=0))
def test_names_ignore_case_and_underscores(name: str, seed: int) -> None:
    odd = "".join(char.upper() if seed >> index & 1 else char for index, char in enumerate(name))
    assert parse_key(odd) == parse_key(f"{odd[:1]}_{odd[1:]}") == NAMES[name]


@given(st.lists(st.sampled_from(sorted(NAMES)), min_size=1, max_size=4))
def test_names_join_into_chords_and_sequences(names: list[str]) -> None:
    keysyms = tuple(NAMES[name] for name in names)
    (chord,) = parse_keys("+".join(names))
    assert chord.keys == keysyms
    assert tuple(one.key for one in parse_keys(" ".join(names))) == keysyms


@given(st.text(max_size=60))
def test_any_text_is_understood_or_refused(text: str) -> None:
    try:
        chords = parse_keys(text)
    except AgentError as error:
        assert error.remedy
    else:
        assert chords
        assert all(0 < keysym < 1 << 29 for chord in chords for keysym in chord.keys)


@given(st.characters())
def test_keysyms_of_characters_are_distinct_from_each_other(char: str) -> None:
    try:
        keysym = keysym_for_char(char)
    except AgentError:
        assert char not in string.printable.replace("\x0b", "").replace("\x0c", "")
    else:
        assert keysym == ord(char) or keysym > 0xFF
