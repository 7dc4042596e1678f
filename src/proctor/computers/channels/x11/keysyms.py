"""The X keysyms of keys and characters."""

from __future__ import annotations

from proctor.actions.keys import key_for_char

KEYSYMS: dict[str, int] = {
    # modifiers
    "shift": 0xFFE1,
    "shiftright": 0xFFE2,
    "ctrl": 0xFFE3,
    "ctrlright": 0xFFE4,
    "alt": 0xFFE9,
    "altright": 0xFFEA,
    "super": 0xFFEB,
    "superr": 0xFFEC,
    "altgr": 0xFE03,
    # editing and moving
    "backspace": 0xFF08,
    "tab": 0xFF09,
    "isolefttab": 0xFE20,
    "enter": 0xFF0D,
    "escape": 0xFF1B,
    "space": 0x0020,
    "delete": 0xFFFF,
    "insert": 0xFF63,
    "home": 0xFF50,
    "end": 0xFF57,
    "pageup": 0xFF55,
    "pagedown": 0xFF56,
    "left": 0xFF51,
    "up": 0xFF52,
    "right": 0xFF53,
    "down": 0xFF54,
    "capslock": 0xFFE5,
    "numlock": 0xFF7F,
    "scrolllock": 0xFF14,
    "print": 0xFF61,
    "pause": 0xFF13,
    "break": 0xFF6B,
    "menu": 0xFF67,
    "help": 0xFF6A,
    "clear": 0xFF0B,
    "select": 0xFF60,
    "execute": 0xFF62,
    "undo": 0xFF65,
    "redo": 0xFF66,
    "find": 0xFF68,
    "cancel": 0xFF69,
    "compose": 0xFF20,
    "modeswitch": 0xFF7E,
    "kanji": 0xFF21,
    "muhenkan": 0xFF22,
    "henkan": 0xFF23,
    "kana": 0xFF2D,
    "hangul": 0xFF31,
    "hanja": 0xFF34,
    # keypad
    "kpmultiply": 0xFFAA,
    "kpadd": 0xFFAB,
    "kpseparator": 0xFFAC,
    "kpsubtract": 0xFFAD,
    "kpdecimal": 0xFFAE,
    "kpdivide": 0xFFAF,
    "kpequal": 0xFFBD,
    "kpenter": 0xFF8D,
    "kpspace": 0xFF80,
    "kptab": 0xFF89,
    "kphome": 0xFF95,
    "kpleft": 0xFF96,
    "kpup": 0xFF97,
    "kpright": 0xFF98,
    "kpdown": 0xFF99,
    "kppageup": 0xFF9A,
    "kppagedown": 0xFF9B,
    "kpend": 0xFF9C,
    "kpbegin": 0xFF9D,
    "kpinsert": 0xFF9E,
    "kpdelete": 0xFF9F,
    # media
    "volumedown": 0x1008FF11,
    "volumemute": 0x1008FF12,
    "volumeup": 0x1008FF13,
    "playpause": 0x1008FF14,
    "stop": 0x1008FF15,
    "prevtrack": 0x1008FF16,
    "nexttrack": 0x1008FF17,
    "browserhome": 0x1008FF18,
    "launchmail": 0x1008FF19,
    "browsersearch": 0x1008FF1B,
    "browserback": 0x1008FF26,
    "browserforward": 0x1008FF27,
    "browserstop": 0x1008FF28,
    "browserrefresh": 0x1008FF73,
    "sleep": 0x1008FF2F,
    "browserfavorites": 0x1008FF30,
    "launchmediaselect": 0x1008FF32,
    "brightnessup": 0x1008FF02,
    "brightnessdown": 0x1008FF03,
}
"""Keys that type no character, by the names that `proctor.actions.keys` gives them."""
KEYSYMS |= {f"f{number}": 0xFFBE + number - 1 for number in range(1, 36)}
KEYSYMS |= {f"kp{digit}": 0xFFB0 + digit for digit in range(10)}


def keysym(key: str) -> int:
    """Return the keysym of a key, by its name or the character it types."""
    known = KEYSYMS.get(key)
    return known if known is not None else _of_char(key)


def keysym_for_char(char: str) -> int:
    """Return the keysym of a character, Return for a newline, or raise AgentError."""
    return keysym(key_for_char(char))


def _of_char(char: str) -> int:
    code = ord(char)
    return code if code < 0x100 else 0x01000000 | code
