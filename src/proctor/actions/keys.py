"""Names of keys, as people and models write them, and the one name that each key has here."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from proctor.errors import AgentError

MAX_CHORDS = 100

_CONTROLS = {
    "\n": "enter", "\r": "enter", "\t": "tab", "\b": "backspace", "\x1b": "escape", "\x7f": "delete", " ": "space",
}  # fmt: skip

_MODIFIERS = """
    shift shiftleft shiftl lshift, shiftright shiftr rshift,
    ctrl control ctrlleft ctrll controlleft controll lctrl lcontrol,
    ctrlright ctrlr controlright controlr rctrl rcontrol, alt altleft altl lalt option optionleft opt,
    altright altr ralt optionright,
    super superl lsuper win winleft windows lwin cmd command commandleft meta metal metaleft os osleft,
    superr rsuper winright rwin commandright metar metaright osright, altgr altgraph isolevel3shift
"""
"""Keys with commas between them, each by its one name and then by others."""
_EDITING = """
    backspace back bksp, tab, isolefttab backtab, enter return ret newline, escape esc, space spacebar, delete del,
    insert ins, home, end, pageup pgup prior, pagedown pgdn pgdown next, left arrowleft leftarrow, up arrowup uparrow,
    right arrowright rightarrow, down arrowdown downarrow, capslock caps, numlock, scrolllock,
    print printscreen prtscr prtsc prntscrn snapshot sysrq, pause, break, menu apps contextmenu application, help,
    clear, select, execute, undo, redo, find, cancel, compose multikey, modeswitch modechange, kanji,
    muhenkan nonconvert, henkan convert, kana kanalock, hangul hanguel, hanja hangulhanja
"""
_KEYPAD = """
    kpmultiply multiply numpadmultiply, kpadd add numpadadd, kpseparator separator numpadcomma,
    kpsubtract subtract numpadsubtract, kpdecimal decimal numpaddecimal, kpdivide divide numpaddivide,
    kpequal numpadequal, kpenter numpadenter numenter, kpspace, kptab, kphome, kpleft, kpup, kpright, kpdown,
    kppageup kpprior, kppagedown kpnext, kpend, kpbegin, kpinsert, kpdelete
"""
_MEDIA = """
    volumedown audiovolumedown xf86audiolowervolume, volumemute audiovolumemute mute xf86audiomute,
    volumeup audiovolumeup xf86audioraisevolume, playpause mediaplaypause play xf86audioplay,
    stop mediastop mediatrackstop xf86audiostop, prevtrack mediatrackprevious xf86audioprev,
    nexttrack mediatracknext xf86audionext, browserhome xf86homepage, launchmail xf86mail, browsersearch xf86search,
    browserback xf86back, browserforward xf86forward, browserstop xf86stop, browserrefresh xf86reload xf86refresh,
    sleep xf86sleep, browserfavorites xf86favorites, launchmediaselect xf86audiomedia,
    brightnessup xf86monbrightnessup, brightnessdown xf86monbrightnessdown
"""
_ANDROID = {
    "enter": "enter", "tab": "tab", "space": "space", "del": "backspace", "forwarddel": "delete", "escape": "escape",
    "movehome": "home", "moveend": "end", "pageup": "pageup", "pagedown": "pagedown", "dpadup": "up",
    "dpaddown": "down", "dpadleft": "left", "dpadright": "right", "home": "browserhome", "back": "browserback",
    "search": "browsersearch", "menu": "menu", "volumeup": "volumeup", "volumedown": "volumedown",
    "volumemute": "volumemute", "shiftleft": "shift", "ctrlleft": "ctrl", "altleft": "alt", "insert": "insert",
    "mediaplaypause": "playpause", "sleep": "sleep",
}  # fmt: skip
"""Android's names for keys, written as KEYCODE_DEL; its Home and Back are buttons of a phone."""
_PUNCTUATION = {
    "!": "exclam exclamation", '"': "quotedbl doublequote", "#": "numbersign hash", "$": "dollar", "%": "percent",
    "&": "ampersand", "'": "apostrophe quoteright quote singlequote", "(": "parenleft leftparen",
    ")": "parenright rightparen", "*": "asterisk star", "+": "plus", ",": "comma", "-": "minus hyphen dash",
    ".": "period dot", "/": "slash", ":": "colon", ";": "semicolon", "<": "less", "=": "equal equals", ">": "greater",
    "?": "question", "@": "at", "[": "bracketleft leftbracket", "\\": "backslash", "]": "bracketright rightbracket",
    "^": "asciicircum caret", "_": "underscore", "`": "grave quoteleft backtick backquote", "{": "braceleft leftbrace",
    "|": "bar pipe", "}": "braceright rightbrace", "~": "asciitilde tilde", "€": "eurosign euro", "¥": "yen",
    "£": "sterling",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Chord:
    """Keys pressed one after the other and released in reverse; the last one does the work."""

    held: tuple[str, ...]
    """Keys that are down meanwhile, such as `ctrl`."""
    key: str

    @property
    def keys(self) -> tuple[str, ...]:
        """All keys, in the order they go down."""
        return (*self.held, self.key)


def _names() -> dict[str, str]:
    keys = [words.split() for table in (_MODIFIERS, _EDITING, _KEYPAD, _MEDIA) for words in table.split(",")]
    names = {name: words[0] for words in keys for name in words}
    names |= {name: char for char, words in _PUNCTUATION.items() for name in words.split()}
    names |= {f"f{number}": f"f{number}" for number in range(1, 36)}
    names |= {f"{prefix}{digit}": f"kp{digit}" for prefix in ("kp", "num", "numpad") for digit in range(10)}
    names |= {f"digit{digit}": str(digit) for digit in range(10)}
    names |= {f"key{letter}": letter for letter in "abcdefghijklmnopqrstuvwxyz"}
    names |= {f"keycode{name}": key for name, key in _ANDROID.items()}
    names |= {f"keycode{char}": char for char in "abcdefghijklmnopqrstuvwxyz0123456789"}
    return names


def key_for_char(char: str) -> str:
    """Return the key that types a character: itself, or `enter`, `tab` and `space`."""
    code = ord(char)
    if char in _CONTROLS:
        return _CONTROLS[char]
    if code < 0x20 or 0x7F <= code < 0xA0:
        raise AgentError(f"no key types the control character U+{code:04X}", remedy="leave it out of the text")
    if 0xD800 <= code < 0xE000:
        raise AgentError(f"U+{code:04X} is half of a surrogate pair, not a character", remedy="send valid Unicode")
    return char


def char_of_key(key: str) -> str:
    """Return the character that a key types by itself; empty where it types none."""
    return " " if key == "space" else key if len(key) == 1 else ""


NAMES: dict[str, str] = _names()
"""Every known spelling, lower-case and without underscores, and the one name of its key; characters name themselves."""
_MODIFIER_NAMES = frozenset(_MODIFIERS.replace(",", " ").split())
_USUAL_NAMES = [words.split()[0] for table in (_MODIFIERS, _EDITING) for words in table.split(",")]


def parse_key(name: str) -> str:
    """Return the one name of a key that is written in any usual spelling or as a single character."""
    if len(name) == 1:
        return key_for_char(name)
    known = NAMES.get(_plain(name))
    if known is not None:
        return known
    if point := re.fullmatch(r"[uU]\+?([0-9a-fA-F]{4,6})", name):
        code = int(point[1], 16)
        if code <= 0x10FFFF:
            return key_for_char(chr(code))
    near = difflib.get_close_matches(_plain(name), _USUAL_NAMES, n=1) or difflib.get_close_matches(_plain(name), NAMES)
    remedy = f"did you mean {near[0]!r}?" if near else "use a name such as enter, ctrl, pagedown, f5, or a character"
    raise AgentError(f"unknown key {name[:40]!r}", remedy=remedy)


def parse_keys(text: str) -> tuple[Chord, ...]:
    """Return the chords of a text such as `ctrl+shift+t`, or `ctrl+k ctrl+s` for one after the other.

    The plus key is `plus`, or `+` where nothing else can be meant (`+`, `ctrl++`). A blank around a joining plus is
    allowed (`ctrl + c`); a lone blank is the space key.
    """
    if text and not text.strip(" "):
        return (Chord((), "space"),) * min(len(text), MAX_CHORDS)
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
