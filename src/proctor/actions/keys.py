"""Names of keys, as people and models write them, and the X keysyms they stand for."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from proctor.errors import AgentError

MAX_CHORDS = 100

_CONTROLS = {"\n": 0xFF0D, "\r": 0xFF0D, "\t": 0xFF09, "\b": 0xFF08, "\x1b": 0xFF1B, "\x7f": 0xFFFF}

_MODIFIERS = {
    0xFFE1: "shift shiftleft shiftl lshift",
    0xFFE2: "shiftright shiftr rshift",
    0xFFE3: "ctrl control ctrlleft ctrll controlleft controll lctrl lcontrol",
    0xFFE4: "ctrlright ctrlr controlright controlr rctrl rcontrol",
    0xFFE9: "alt altleft altl lalt option optionleft opt",
    0xFFEA: "altright altr ralt optionright",
    0xFFEB: "super superl lsuper win winleft windows lwin cmd command commandleft meta metal metaleft os osleft",
    0xFFEC: "superr rsuper winright rwin commandright metar metaright osright",
    0xFE03: "altgr altgraph isolevel3shift",
}
_EDITING = {
    0xFF08: "backspace back bksp",
    0xFF09: "tab",
    0xFE20: "isolefttab backtab",
    0xFF0D: "enter return ret newline",
    0xFF1B: "escape esc",
    0x0020: "space spacebar",
    0xFFFF: "delete del",
    0xFF63: "insert ins",
    0xFF50: "home",
    0xFF57: "end",
    0xFF55: "pageup pgup prior",
    0xFF56: "pagedown pgdn pgdown next",
    0xFF51: "left arrowleft leftarrow",
    0xFF52: "up arrowup uparrow",
    0xFF53: "right arrowright rightarrow",
    0xFF54: "down arrowdown downarrow",
    0xFFE5: "capslock caps",
    0xFF7F: "numlock",
    0xFF14: "scrolllock",
    0xFF61: "print printscreen prtscr prtsc prntscrn snapshot sysrq",
    0xFF13: "pause",
    0xFF6B: "break",
    0xFF67: "menu apps contextmenu application",
    0xFF6A: "help",
    0xFF0B: "clear",
    0xFF60: "select",
    0xFF62: "execute",
    0xFF65: "undo",
    0xFF66: "redo",
    0xFF68: "find",
    0xFF69: "cancel",
    0xFF20: "compose multikey",
    0xFF7E: "modeswitch modechange",
    0xFF21: "kanji",
    0xFF22: "muhenkan nonconvert",
    0xFF23: "henkan convert",
    0xFF2D: "kana kanalock",
    0xFF31: "hangul hanguel",
    0xFF34: "hanja hangulhanja",
}
_KEYPAD = {
    0xFFAA: "kpmultiply multiply numpadmultiply",
    0xFFAB: "kpadd add numpadadd",
    0xFFAC: "kpseparator separator numpadcomma",
    0xFFAD: "kpsubtract subtract numpadsubtract",
    0xFFAE: "kpdecimal decimal numpaddecimal",
    0xFFAF: "kpdivide divide numpaddivide",
    0xFFBD: "kpequal numpadequal",
    0xFF8D: "kpenter numpadenter numenter",
    0xFF80: "kpspace",
    0xFF89: "kptab",
    0xFF95: "kphome",
    0xFF96: "kpleft",
    0xFF97: "kpup",
    0xFF98: "kpright",
    0xFF99: "kpdown",
    0xFF9A: "kppageup kpprior",
    0xFF9B: "kppagedown kpnext",
    0xFF9C: "kpend",
    0xFF9D: "kpbegin",
    0xFF9E: "kpinsert",
    0xFF9F: "kpdelete",
}
_MEDIA = {
    0x1008FF11: "volumedown audiovolumedown xf86audiolowervolume",
    0x1008FF12: "volumemute audiovolumemute mute xf86audiomute",
    0x1008FF13: "volumeup audiovolumeup xf86audioraisevolume",
    0x1008FF14: "playpause mediaplaypause play xf86audioplay",
    0x1008FF15: "stop mediastop mediatrackstop xf86audiostop",
    0x1008FF16: "prevtrack mediatrackprevious xf86audioprev",
    0x1008FF17: "nexttrack mediatracknext xf86audionext",
    0x1008FF18: "browserhome xf86homepage",
    0x1008FF19: "launchmail xf86mail",
    0x1008FF1B: "browsersearch xf86search",
    0x1008FF26: "browserback xf86back",
    0x1008FF27: "browserforward xf86forward",
    0x1008FF28: "browserstop xf86stop",
    0x1008FF73: "browserrefresh xf86reload xf86refresh",
    0x1008FF2F: "sleep xf86sleep",
    0x1008FF30: "browserfavorites xf86favorites",
    0x1008FF32: "launchmediaselect xf86audiomedia",
    0x1008FF02: "brightnessup xf86monbrightnessup",
    0x1008FF03: "brightnessdown xf86monbrightnessdown",
}
_PUNCTUATION = {
    "!": "exclam exclamation",
    '"': "quotedbl doublequote",
    "#": "numbersign hash",
    "$": "dollar",
    "%": "percent",
    "&": "ampersand",
    "'": "apostrophe quoteright quote singlequote",
    "(": "parenleft leftparen",
    ")": "parenright rightparen",
    "*": "asterisk star",
    "+": "plus",
    ",": "comma",
    "-": "minus hyphen dash",
    ".": "period dot",
    "/": "slash",
    ":": "colon",
    ";": "semicolon",
    "<": "less",
    "=": "equal equals",
    ">": "greater",
    "?": "question",
    "@": "at",
    "[": "bracketleft leftbracket",
    "\\": "backslash",
    "]": "bracketright rightbracket",
    "^": "asciicircum caret",
    "_": "underscore",
    "`": "grave quoteleft backtick backquote",
    "{": "braceleft leftbrace",
    "|": "bar pipe",
    "}": "braceright rightbrace",
    "~": "asciitilde tilde",
    "€": "eurosign euro",
    "¥": "yen",
    "£": "sterling",
}


@dataclass(frozen=True, slots=True)
class Chord:
    """Keys pressed one after the other and released in reverse; the last one does the work."""

    held: tuple[int, ...]
    """Keysyms that are down meanwhile, such as Control_L."""
    key: int

    @property
    def keys(self) -> tuple[int, ...]:
        """All keysyms, in the order they go down."""
        return (*self.held, self.key)


def _names() -> dict[str, int]:
    tables = (_MODIFIERS, _EDITING, _KEYPAD, _MEDIA)
    names = {name: keysym for table in tables for keysym, words in table.items() for name in words.split()}
    names |= {name: keysym_for_char(char) for char, words in _PUNCTUATION.items() for name in words.split()}
    names |= {f"f{number}": 0xFFBE + number - 1 for number in range(1, 36)}
    names |= {f"{prefix}{digit}": 0xFFB0 + digit for prefix in ("kp", "num", "numpad") for digit in range(10)}
    names |= {f"digit{digit}": ord(str(digit)) for digit in range(10)}
    names |= {f"key{letter}": ord(letter) for letter in "abcdefghijklmnopqrstuvwxyz"}
    return names


def keysym_for_char(char: str) -> int:
    """Return the keysym that types a character; a newline is Return, a tab Tab, and so on."""
    code = ord(char)
    if char in _CONTROLS:
        return _CONTROLS[char]
    if code < 0x20 or 0x7F <= code < 0xA0:
        raise AgentError(f"no key types the control character U+{code:04X}", remedy="leave it out of the text")
    if 0xD800 <= code < 0xE000:
        raise AgentError(f"U+{code:04X} is half of a surrogate pair, not a character", remedy="send valid Unicode")
    return code if code < 0x100 else 0x01000000 | code


NAMES: dict[str, int] = _names()
"""Every known name, lower-case and without underscores, and its keysym."""
_MODIFIER_NAMES = frozenset(name for words in _MODIFIERS.values() for name in words.split())
_USUAL_NAMES = [words.split()[0] for table in (_MODIFIERS, _EDITING) for words in table.values()]


def parse_key(name: str) -> int:
    """Return the keysym of one key: a name in any of the usual spellings, or a single character."""
    if len(name) == 1:
        return keysym_for_char(name)
    known = NAMES.get(_plain(name))
    if known is not None:
        return known
    if point := re.fullmatch(r"[uU]\+?([0-9a-fA-F]{4,6})", name):
        code = int(point[1], 16)
        if code <= 0x10FFFF:
            return keysym_for_char(chr(code))
    near = difflib.get_close_matches(_plain(name), _USUAL_NAMES, n=1) or difflib.get_close_matches(_plain(name), NAMES)
    remedy = f"did you mean {near[0]!r}?" if near else "use a name such as enter, ctrl, pagedown, f5, or a character"
    raise AgentError(f"unknown key {name[:40]!r}", remedy=remedy)


def parse_keys(text: str) -> tuple[Chord, ...]:
    """Return the chords of a text such as `ctrl+shift+t`, or `ctrl+k ctrl+s` for one after the other.

    The plus key is `plus`, or `+` where nothing else can be meant (`+`, `ctrl++`). A blank around a joining plus is
    allowed (`ctrl + c`); a lone blank is the space key.
    """
    if text and not text.strip(" "):
        return (Chord((), 0x20),) * min(len(text), MAX_CHORDS)
    words = [*_words(re.sub(r"(?<=\S)\s+\+\s+(?=\S)", "+", text.strip(" ")))]
    if not words:
        raise AgentError("no key is named", remedy="name one, such as enter or ctrl+s")
    if len(words) > MAX_CHORDS:
        raise AgentError(f"{len(words)} chords at once are too many (at most {MAX_CHORDS})", remedy="use Type for text")
    return tuple(_chord(word) for word in words)


def _plain(name: str) -> str:
    return name.lower().replace("_", "")


def _words(text: str) -> Iterator[str]:
    """Split at blanks, keeping names of two words (`Page Down`) together."""
    words = [text] if len(text) == 1 else re.split(r"\s+", text) if text else []
    while words:
        word = words.pop(0)
        last = word.rpartition("+")[2]
        if words and len(last) > 1 and _plain(last) not in NAMES and _plain(last + words[0]) in NAMES:
            word += words.pop(0)
        yield word


def _chord(word: str) -> Chord:
    parts = _parts(word)
    held = tuple(parse_key(part) for part in parts[:-1])
    last = parts[-1]
    # People write ctrl+T and mean the key with the T on it; shift, where wanted, they name.
    key = parse_key(last.lower() if held and len(last) == 1 and len(last.lower()) == 1 else last)
    return Chord(held, key)


def _parts(word: str) -> list[str]:
    if word == "+":
        return ["+"]
    joined, plus = (word[:-2], ["+"]) if word.endswith("++") else (word, [])
    parts = joined.split("+")
    if "" in parts:
        raise AgentError(f"a key is missing in {word[:40]!r}", remedy="join names with single pluses, such as ctrl+s")
    if len(parts) == 1 and not plus:
        # The other way to write a chord is ctrl-s; only modifiers may stand before the dash.
        before, _, last = (word[:-1], "", "-") if word.endswith("--") else word.rpartition("-")
        modifiers = before.removesuffix("-").split("-")
        if last and all(_plain(part) in _MODIFIER_NAMES for part in modifiers):
            return [*modifiers, last]
    return parts + plus
