"""Android's numbers for `proctor.actions.keys`; a key that Android has not is an AgentError."""

from __future__ import annotations

from proctor.errors import AgentError

MODIFIERS = {
    "shift": 59, "shiftright": 60, "ctrl": 113, "ctrlright": 114, "alt": 57, "altright": 58, "altgr": 58, "super": 117,
    "superr": 118,
}  # fmt: skip
"""Keys that do nothing by themselves and are held while another is pressed."""

_NAMED = {
    "enter": 66, "tab": 61, "space": 62, "backspace": 67, "delete": 112, "escape": 111, "insert": 124, "home": 122,
    "end": 123, "pageup": 92, "pagedown": 93, "up": 19, "down": 20, "left": 21, "right": 22, "capslock": 115,
    "numlock": 143, "scrolllock": 116, "print": 120, "pause": 121, "break": 121, "menu": 82, "help": 259, "clear": 28,
    "volumeup": 24, "volumedown": 25, "volumemute": 164, "playpause": 85, "stop": 86, "nexttrack": 87, "prevtrack": 88,
    "browserhome": 3, "browserback": 4, "browserforward": 125, "browsersearch": 84, "browserrefresh": 285,
    "browserfavorites": 174, "launchmail": 65, "sleep": 223, "brightnessup": 221, "brightnessdown": 220,
    "kpmultiply": 155, "kpadd": 157, "kpseparator": 159, "kpsubtract": 156, "kpdecimal": 158, "kpdivide": 154,
    "kpequal": 161, "kpenter": 160, "kanji": 218, "muhenkan": 213, "henkan": 214, "kana": 218,
}  # fmt: skip
# The buttons of a phone are what Linux calls the home page and the way back, and Android's own key layout agrees.
_PUNCTUATION = {
    ",": 55, ".": 56, "`": 68, "-": 69, "=": 70, "[": 71, "]": 72, "\\": 73, ";": 74, "'": 75, "/": 76, "@": 77,
    "+": 81, "*": 17, "#": 18,
}  # fmt: skip
_SHIFTED = dict(
    zip('~!$%^&()_{}|:"<>?', ["`", "1", "4", "5", "6", "7", "9", "0", "-", "[", "]", "\\", ";", "'", ",", ".", "/"],
        strict=True)
)  # fmt: skip
"""Characters that lie above others, as on the keyboard that Android takes for granted."""


def codes(key: str) -> tuple[int, ...]:
    """Return what is pressed for a key: its number, after Shift's where its character needs that."""
    if key in MODIFIERS:
        return (MODIFIERS[key],)
    if (number := _plain(key)) is not None:
        return (number,)
    if len(key) == 1 and key.isascii() and key.isupper():
        return MODIFIERS["shift"], 29 + ord(key) - ord("A")
    if key in _SHIFTED:
        below = _plain(_SHIFTED[key])
        assert below is not None
        return MODIFIERS["shift"], below
    raise AgentError(f"Android has no key {key!r}", remedy="use Type for characters, or another key")


def _plain(key: str) -> int | None:
    if key in _NAMED or key in _PUNCTUATION:
        return _NAMED.get(key) or _PUNCTUATION[key]
    if len(key) == 1 and key.isascii() and key.isdigit():
        return 7 + int(key)
    if len(key) == 1 and "a" <= key <= "z":
        return 29 + ord(key) - ord("a")
    if key.startswith("f") and key[1:].isdigit() and 1 <= int(key[1:]) <= 12:
        return 130 + int(key[1:])
    if key.startswith("kp") and key[2:].isdigit() and len(key) == 3:
        return 144 + int(key[2:])
    return None
