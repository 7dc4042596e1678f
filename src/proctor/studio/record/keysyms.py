"""Keysyms as viewers send them, and the names that actions have for them."""

from __future__ import annotations

from proctor.actions.keys import key_for_char
from proctor.computers.channels.x11.keysyms import KEYSYMS
from proctor.errors import AgentError

_NAMES = {number: name for name, number in reversed(KEYSYMS.items())}
_UNICODE = 0x01000000
_KEYPAD_CHARS = {0xFFB0 + digit: str(digit) for digit in range(10)} | {
    0xFFAA: "*", 0xFFAB: "+", 0xFFAC: ",", 0xFFAD: "-", 0xFFAE: ".", 0xFFAF: "/", 0xFFBD: "=", 0xFF80: " ",
}  # fmt: skip
"""What keys of the number block type; who types on it means the same as on the others."""

_OLD = {0x01: "iso8859-2", 0x02: "iso8859-3", 0x03: "iso8859-4", 0x05: "iso8859-6", 0x06: "koi8-u", 0x07: "iso8859-7",
        0x0C: "iso8859-8", 0x0D: "tis-620", 0x13: "iso8859-15"}  # fmt: skip
"""Before Unicode each script had a page of keysyms, laid out as its encoding; viewers still send these."""
_APART = {
    0x07F2: "σ", 0x07F3: "ς", 0x07A1: "Ά", 0x07A2: "Έ", 0x07A3: "Ή", 0x07A4: "Ί", 0x07A5: "Ϊ", 0x07A7: "Ό", 0x07A8: "Ύ",
    0x07A9: "Ϋ", 0x07AB: "Ώ", 0x07B1: "ά", 0x07B2: "έ", 0x07B3: "ή", 0x07B4: "ί", 0x07B5: "ϊ", 0x07B6: "ΐ", 0x07B7: "ό",
    0x07B8: "ύ", 0x07B9: "ϋ", 0x07BA: "ΰ", 0x07BB: "ώ", 0x20AC: "€", 0x0AA9: "—", 0x0AAA: "–", 0x0AAE: "…", 0x0AD0: "‘",
    0x0AD1: "’", 0x0AD2: "“", 0x0AD3: "”", 0x0AFD: "‚", 0x0AFE: "„", 0x0AC9: "™", 0x0AE6: "•",
}  # fmt: skip
"""Where a page is laid out otherwise, and signs that stand on none."""

MODIFIERS = {
    0xFFE1: "shift", 0xFFE2: "shift", 0xFFE3: "ctrl", 0xFFE4: "ctrl", 0xFFE7: "super", 0xFFE8: "super",
    0xFFE9: "alt", 0xFFEA: "alt", 0xFFEB: "super", 0xFFEC: "super", 0xFFED: "super", 0xFFEE: "super",
    0xFE03: "altgr", 0xFF7E: "altgr",
}  # fmt: skip
LOCKS = frozenset({0xFFE5, 0xFFE6, 0xFF7F, 0xFF14})
"""Caps, shift, number and scroll lock: a viewer sends what is typed under them, so they say nothing themselves."""


def char_of(keysym: int) -> str:
    """Return the character that a key types; empty where it types none."""
    if keysym in _KEYPAD_CHARS:
        return _KEYPAD_CHARS[keysym]
    if keysym in (0xFF8D, 0xFF0D):
        return "\n"
    if keysym in _APART:
        return _APART[keysym]
    if 0x100 <= keysym < _UNICODE:
        return _on_a_page(keysym)
    code = keysym - _UNICODE if keysym > _UNICODE else keysym
    if not 0x20 <= code <= 0x10FFFF:
        return ""
    try:
        key_for_char(chr(code))
    except AgentError:
        return ""
    return chr(code)


def _on_a_page(keysym: int) -> str:
    encoding = _OLD.get(keysym >> 8, "")
    try:
        char = bytes([keysym & 0xFF]).decode(encoding) if encoding else ""
    except UnicodeDecodeError:
        return ""
    # Pages also hold what the encoding has and keyboards have not, such as lines and boxes.
    return char if char.isalpha() else ""


def name_of(keysym: int) -> str:
    """Return how actions name a key; empty for one that they have no name for."""
    char = char_of(keysym)
    if char == "\n":
        return "enter"
    if char == " ":
        return "space"
    if char == "+":
        return "plus"
    # A blank of another kind would separate keys.
    return f"u{ord(char):04x}" if char.isspace() else char or _NAMES.get(keysym, "")
