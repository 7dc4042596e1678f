"""Every key has its X keysym, and every character its own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.actions.keys import NAMES, parse_key
from proctor.computers.channels.x11.keysyms import KEYSYMS, keysym, keysym_for_char
from proctor.errors import AgentError


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("Return", 0xFF0D), ("Page_Down", 0xFF56), ("KP_Enter", 0xFF8D), ("ctrl", 0xFFE3), ("rctrl", 0xFFE4),
        ("cmd", 0xFFEB), ("F24", 0xFFD5), ("num7", 0xFFB7), ("space", 0x20), ("plus", ord("+")), ("KeyA", ord("a")),
        ("XF86AudioRaiseVolume", 0x1008FF13), ("EuroSign", 0x010020AC), ("Delete", 0xFFFF), ("漢", 0x01006F22),
        ("é", 0xE9), ("altgr", 0xFE03),
    ],
)  # fmt: skip
def test_the_keysym_of_a_name(name: str, number: int) -> None:
    assert keysym(parse_key(name)) == number


def test_no_key_is_without_a_keysym_and_no_keysym_without_a_key() -> None:
    named = {key for key in NAMES.values() if len(key) > 1}
    assert named == set(KEYSYMS)
    assert len(set(KEYSYMS.values())) == len(KEYSYMS)


@given(st.characters())
def test_characters_have_keysyms_of_their_own(char: str) -> None:
    try:
        number = keysym_for_char(char)
    except AgentError:
        assert char not in "abc \n\t"
    else:
        assert number == ord(char) or number > 0xFF
        assert 0 < number < 1 << 29
