"""Keys for an RFB server: by what they mean (keysyms), and by their place on the keyboard where a server takes that."""

from __future__ import annotations

from typing import Literal

from proctor.computers.channels.x11.keysyms import keysym, keysym_for_char

Guest = Literal["linux", "windows", "macos"]
"""What runs on the machine behind the server; it decides what the keys beside the space bar mean."""

SHIFT = 0xFFE1
ALT, ALT_RIGHT, META, META_RIGHT = 0xFFE9, 0xFFEA, 0xFFE7, 0xFFE8
SHIFTED = frozenset('~!@#$%^&*()_+{}|:"<>?ABCDEFGHIJKLMNOPQRSTUVWXYZ')
"""Characters that lie above others on the keyboard which servers for virtual machines take for granted."""

_BY_GUEST: dict[Guest, dict[str, int]] = {
    "linux": {},
    # The right Alt key of a layout that has a third level is what Windows calls AltGr.
    "windows": {"altgr": ALT_RIGHT},
    # Servers on macOS take Alt for Command and Meta for Option.
    "macos": {
        "super": ALT, "superr": ALT_RIGHT, "alt": META, "altright": META_RIGHT, "altgr": META_RIGHT,
    },
}  # fmt: skip

_PLACES: dict[str, int] = {
    "escape": 0x01, "backspace": 0x0E, "tab": 0x0F, "enter": 0x1C, "ctrl": 0x1D, "shift": 0x2A, "shiftright": 0x36,
    "kpmultiply": 0x37, "alt": 0x38, "capslock": 0x3A, "numlock": 0x45, "scrolllock": 0x46, "kpsubtract": 0x4A,
    "kpadd": 0x4E, "f11": 0x57, "f12": 0x58, "prevtrack": 0x90, "nexttrack": 0x99, "kpenter": 0x9C, "ctrlright": 0x9D,
    "volumemute": 0xA0, "playpause": 0xA2, "stop": 0xA4, "volumedown": 0xAE, "volumeup": 0xB0, "kpdivide": 0xB5,
    "print": 0xB7, "altright": 0xB8, "pause": 0xC6, "home": 0xC7, "up": 0xC8, "pageup": 0xC9, "left": 0xCB,
    "right": 0xCD, "end": 0xCF, "down": 0xD0, "pagedown": 0xD1, "insert": 0xD2, "delete": 0xD3, "super": 0xDB,
    "superr": 0xDC, "menu": 0xDD,
}  # fmt: skip
_PLACES |= {f"f{number}": 0x3A + number for number in range(1, 11)}


def keysym_of(key: str, guest: Guest) -> int:
    """Return the keysym of a key, by its name in `proctor.actions.keys`, as servers on such a machine understand it."""
    return _BY_GUEST[guest].get(key) or keysym(key)


def place(key: str) -> int:
    """Return where a key lies, as keyboards number it; 0 for keys that differ between layouts."""
    return _PLACES.get(key, 0)


def strokes(text: str) -> list[list[tuple[int, bool]]]:
    """Return each character's presses and releases, with Shift where a keyboard needs it.

    A newline is Return, a tab Tab. Raises AgentError where no key types a character.
    """
    found = []
    for char in text.replace("\r\n", "\n"):
        symbol = keysym_for_char(char)
        stroke = [(symbol, True), (symbol, False)]
        found.append([(SHIFT, True), *stroke, (SHIFT, False)] if char in SHIFTED else stroke)
    return found
