"""Keys and text for an X server: any character, whatever the keyboard layout, and fast."""

from __future__ import annotations

import struct
import time
from collections import deque
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from proctor.actions.keys import NAMES
from proctor.computers.channels.x11 import windows as x11_windows
from proctor.computers.channels.x11.client import X11
from proctor.computers.channels.x11.keysyms import keysym as keysym_of
from proctor.computers.channels.x11.keysyms import keysym_for_char
from proctor.computers.channels.x11.protocol import Op, XError
from proctor.errors import ComputerError

SHIFT_KEYSYMS = frozenset({0xFFE1, 0xFFE2})
CAPS_LOCK_STATE = 0x2
KEYPAD = range(0xFF80, 0xFFBE)
VENDOR_KEYSYMS = range(0x10000000, 0x20000000)
NAMED_KEYSYMS = frozenset(keysym_of(key) for key in NAMES.values())
ANY_MODIFIER = 0x8000
LOWEST_BORROWED = 191
"""Below it are keys that keyboards have and programs know by their place, such as a browser's `reload`."""
BORROWED_PROPERTY = "_PROCTOR_BORROWED_KEYCODES"
"""On the root window, so that a later connection finds what an earlier one borrowed."""
COMMON_CHARS = "äöüßéèàçñáíóúâêîôûëïãõåøæÄÖÜÉÈÀÇÑÁÍÓÚÂÊÎÔÛÃÕÅØÆ¿¡«»°§±²³µ·×÷£¥©®½–—‘’“”„•…€™→←≤≥≠"
"""Put on the keyboard from the start, so that most texts never change it."""
LAST_PLAIN = 0x0100FFFF
"""Keysym of the last character of Unicode's basic plane. Programs such as LibreOffice gather plain characters while
more keys are waiting; one from beyond the plane would overtake them, so it is sent when they have been read."""
BATCH = 1000
"""Characters sent before looking whether the application keeps up."""
REGRAB_WAIT_SEC = 0.3
"""How long programs are given to claim their global shortcuts on a new layout before the rest of it is borrowed."""
BLIND_WAIT_SEC = 0.1
"""How long an application that cannot be asked is given to read its keys before their meaning may change."""


class XStroke(NamedTuple):
    """A key and whether Shift goes with it."""

    keycode: int
    shifted: bool


class Keyboard:
    """Presses keys by keysym and types text exactly.

    Characters on the layout use their own key. Others are put on borrowed keycodes, least recently used first to go:
    those the layout leaves unused or gives to a vendor's special keys. Create it before the desktop starts, so that no
    program makes one of them its shortcut.

    A client translates a key when it reads the event, so a keycode is given a new meaning only after the focused
    application has read its earlier presses. Auto-repeat is switched off: how long a key is down depends on how fast an
    agent thinks, or on a server that got no time between press and release, and must not multiply characters.
    """

    def __init__(self, x: X11, *, patience_sec: float = 10.0) -> None:
        self._x = x
        self._patience_sec = patience_sec
        self._held: dict[int, XStroke] = {}
        self._placed: dict[int, XStroke] = {}  # keysyms on borrowed keycodes, least recently used first
        self._free: deque[XStroke] = deque()
        self._meanings: dict[int, list[int]] = {}  # both levels of each borrowed keycode
        self._unread: set[int] = set()  # borrowed keycodes whose presses the application may not have read
        self._press = [x.key_request(code, True) for code in range(256)]
        self._release = [x.key_request(code, False) for code in range(256)]
        self._read_layout(group=0)

    def key(self, keysym: int, down: bool) -> None:
        """Press or release the key that carries a keysym, with Shift where it needs it."""
        self._refresh()
        if not down:
            held = self._held.pop(keysym, None)
            if held:
                self._send([self._release[held.keycode]])
            return
        if keysym in self._held:
            return
        self._place([keysym])
        stroke = self._stroke(keysym)
        if keysym in self._placed:
            self._unread.add(stroke.keycode)
        press = [self._press[stroke.keycode]]
        if stroke.shifted and not self._held_shifts():
            # A key means what it meant when it went down; Shift held on would alter the keys that follow.
            press = [self._shift_down, *press, self._shift_up]
        self._held[keysym] = stroke
        self._stop_repeat()
        self._send(press)

    def release_all(self) -> None:
        """Release every key that is still held, last pressed first."""
        for keysym in reversed(list(self._held)):
            self.key(keysym, False)

    def type(self, text: str) -> bool:
        """Type a text; tell whether the application has read it within the patience.

        A newline is Return, a tab Tab. Caps Lock is lifted meanwhile. Keys the caller holds stay held and act on the
        text as they would on a real keyboard, except that Shift does not alter what the layout does not have. Raises
        AgentError, with nothing typed, when the text contains something no key can type.
        """
        keysyms = [keysym_for_char(char) for char in text.replace("\r\n", "\n")]
        self._refresh()
        state = self._x.pointer().state
        if (group := state >> 13 & 3) != self._group:
            self._read_layout(group)
        locked = self._caps_lock and state & CAPS_LOCK_STATE
        caps = [self._press[self._caps_lock], self._release[self._caps_lock]] if locked else []
        self._stop_repeat()
        self._send(caps)
        kept_up = True
        start = 0
        while start < len(keysyms):
            end = self._stretch(keysyms, start)
            kept_up &= self._place(dict.fromkeys(keysyms[start:end]))
            self._send(self._strokes(keysyms[start:end]))
            kept_up &= self._catch_up(blind_wait_sec=0.0)
            start = end
        self._send(caps)
        self._x.sync()
        return kept_up

    # -- the layout -------------------------------------------------------------------------------------------------

    def _refresh(self) -> None:
        """Read the layout again when somebody else has changed it."""
        self._x.pump()
        if self._x.keymap_changes != self._known_changes:
            self._pause(REGRAB_WAIT_SEC)
            self._read_layout(self._group)

    def _read_layout(self, group: int) -> None:
        first, last = self._x.screen.min_keycode, self._x.screen.max_keycode
        asked = self._x.ask(Op.GetKeyboardMapping, 0, struct.pack("<BB", first, last - first + 1))
        modifiers = self._x.call(Op.GetModifierMapping)
        rows = _rows(self._x.reply(asked), first)
        self._group, self._known_changes = group, self._x.keymap_changes
        per_modifier = modifiers[1]
        shift = _first(modifiers[32 : 32 + per_modifier])
        self._shift_down, self._shift_up = self._press[shift], self._release[shift]
        self._caps_lock = _first(modifiers[32 + per_modifier : 32 + 2 * per_modifier])
        upper = {code: row for code, row in rows.items() if code >= LOWEST_BORROWED and code not in modifiers[32:]}
        kept = {code: meaning for code, meaning in self._meanings.items() if upper.get(code, [])[:2] == meaning}
        left_over = set(x11_windows.property_numbers(self._x, self._x.root, BORROWED_PROPERTY))
        fresh = [
            code
            for code, row in upper.items()
            if code not in kept and (code in left_over or not any(map(_matters, row))) and self._is_ungrabbed(code)
        ]
        others = {code: row for code, row in rows.items() if code not in kept and code not in fresh}
        self._on_layout = _strokes_of(others, group)
        self._bridges = {code: row[:2] for code, row in others.items() if code in upper and _is_simple(row)}
        self._borrow(kept, fresh)

    def _borrow(self, kept: dict[int, list[int]], fresh: Sequence[int]) -> None:
        """Make these keycodes the ones whose meaning is ours to set; those kept have theirs already."""
        self._meanings = kept | {code: [0, 0] for code in fresh}
        self._placed = {
            keysym: stroke
            for keysym, stroke in self._placed.items()
            if stroke.keycode in kept and keysym not in self._on_layout
        }
        taken = set(self._placed.values())
        slots = [XStroke(code, shifted) for shifted in (False, True) for code in sorted(self._meanings)]
        self._free = deque(slot for slot in slots if slot not in taken)
        if fresh:
            x11_windows.set_numbers(self._x, self._x.root, BORROWED_PROPERTY, sorted(self._meanings))
            common = [keysym_for_char(char) for char in COMMON_CHARS]
            missing = [keysym for keysym in common if keysym not in self._on_layout and keysym not in self._placed]
            self._fill(missing, [self._free.popleft() for _ in range(min(len(missing), len(self._free)))])
            self._announce(self._meanings)

    def _is_ungrabbed(self, keycode: int) -> bool:
        """Tell whether no program has made a key its global shortcut."""
        try:
            self._x.send(Op.GrabKey, 0, struct.pack("<IHBBB", self._x.root, ANY_MODIFIER, keycode, 1, 1))
            self._x.sync()
        except XError:
            return False
        self._x.send(Op.UngrabKey, keycode, struct.pack("<IH", self._x.root, ANY_MODIFIER))
        return True

    def _stroke(self, keysym: int) -> XStroke:
        return self._on_layout.get(keysym) or self._placed[keysym]

    def _stretch(self, keysyms: Sequence[int], start: int) -> int:
        """Return the end of the longest part that fits on the keyboard and keeps its order."""
        room = 2 * len(self._meanings) - len(self._held)
        strange: set[int] = set()
        end = start
        for keysym in keysyms[start : start + BATCH]:
            if keysym not in self._on_layout:
                strange.add(keysym)
            if len(strange) > room or (start < end and keysyms[end - 1] <= LAST_PLAIN < keysym):
                break
            end += 1
        if end == start:
            raise ComputerError("the keyboard layout leaves no keycode unused", remedy="use a smaller layout")
        return end

    def _place(self, keysyms: Iterable[int]) -> bool:
        """Put characters that are not on the layout on borrowed keycodes; tell whether that was safe."""
        wanted = [keysym for keysym in keysyms if keysym not in self._on_layout]
        for keysym in wanted:
            if keysym in self._placed:
                self._placed[keysym] = self._placed.pop(keysym)  # now the most recently used
        missing = [keysym for keysym in wanted if keysym not in self._placed]
        if not missing:
            return True
        keep = {*wanted, *self._held}
        evicted = [keysym for keysym in self._placed if keysym not in keep][: max(0, len(missing) - len(self._free))]
        slots = [self._free.popleft() for _ in range(min(len(missing), len(self._free)))]
        slots += [self._placed.pop(keysym) for keysym in evicted]
        if len(slots) < len(missing):
            raise ComputerError("the keyboard layout leaves no keycode unused", remedy="use a smaller layout")
        safe = True
        if self._unread.intersection(slot.keycode for slot in slots):
            safe = self._catch_up(blind_wait_sec=BLIND_WAIT_SEC)
        self._fill(missing, slots)
        self._announce({slot.keycode for slot in slots})
        return safe

    def _fill(self, keysyms: Iterable[int], slots: Iterable[XStroke]) -> None:
        for keysym, slot in zip(keysyms, slots, strict=False):
            self._placed[keysym] = slot
            levels = self._meanings[slot.keycode]
            levels[slot.shifted] = keysym
            # A level left empty would be filled by the server's rules for letter case.
            levels[not slot.shifted] = levels[not slot.shifted] or keysym

    def _announce(self, changed: Collection[int]) -> None:
        """Tell the server what borrowed keycodes mean now.

        Every program reads the whole keyboard again for each request (a window manager may take 80 ms), so keys that
        lie between are sent along as they are.
        """
        meanings = self._bridges | self._meanings
        for run in _runs(sorted(meanings)):
            touched = [code for code in run if code in changed]
            if touched:
                part = range(touched[0], touched[-1] + 1)
                keysyms = [keysym for code in part for keysym in meanings[code]]
                body = struct.pack(f"<BBxx{len(keysyms)}I", part[0], 2, *keysyms)
                self._x.send(Op.ChangeKeyboardMapping, len(part), body)
        self._x.sync()
        self._known_changes = self._x.keymap_changes

    # -- strokes ----------------------------------------------------------------------------------------------------

    def _held_shifts(self) -> list[int]:
        return [held.keycode for keysym, held in self._held.items() if keysym in SHIFT_KEYSYMS]

    def _strokes(self, keysyms: Iterable[int]) -> list[bytes]:
        """Return the requests that type characters, with Shift pressed and released only where that changes."""
        shifts = self._held_shifts()
        down = [self._press[code] for code in shifts] or [self._shift_down]
        up = [self._release[code] for code in shifts] or [self._shift_up]
        requests: list[bytes] = []
        shifted = bool(shifts)
        for keysym in keysyms:
            code, wants_shift = self._stroke(keysym)
            if keysym in self._on_layout:
                wants_shift = wants_shift or bool(shifts)
            else:
                self._unread.add(code)
            if wants_shift != shifted:
                requests += down if wants_shift else up
                shifted = wants_shift
            requests += (self._press[code], self._release[code])
        if shifted != bool(shifts):
            requests += up if shifted else down
        return requests

    def _send(self, requests: Sequence[bytes]) -> None:
        self._x.send_raw(b"".join(requests), len(requests))
        self._x.flush()

    def _stop_repeat(self) -> None:
        # Sent each time because a desktop's settings daemon may have switched it on again.
        self._x.send(Op.ChangeKeyboardControl, 0, struct.pack("<II", 0x80, 0))

    def _catch_up(self, *, blind_wait_sec: float) -> bool:
        """Wait until the focused application has read every key so far; tell whether it did."""
        for window in (*x11_windows.focus_path(self._x), x11_windows.active_window(self._x)):
            answered = self._x.ping(window, timeout_sec=self._patience_sec) if window else None
            if answered is not None:
                if answered:
                    self._unread.clear()
                return answered
        self._pause(blind_wait_sec)
        if blind_wait_sec:
            self._unread.clear()
        return True

    def _pause(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            self._x.pump(left)


def _rows(reply: bytes, first: int) -> dict[int, list[int]]:
    width = reply[1]
    keysyms = struct.unpack_from(f"<{(len(reply) - 32) // 4}I", reply, 32)
    if not width:
        return {}
    return {first + at // width: list(keysyms[at : at + width]) for at in range(0, len(keysyms), width)}


def _runs(numbers: Iterable[int]) -> list[list[int]]:
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return runs


def _strokes_of(rows: dict[int, list[int]], group: int) -> dict[int, XStroke]:
    """Return the first key of each keysym in a keyboard group."""
    strokes: dict[int, XStroke] = {}
    for code, row in rows.items():
        plain, shifted = (*row[2 * group : 2 * group + 2], 0, 0)[:2]
        if plain in KEYPAD and shifted not in (0, plain):
            continue  # what such a key means depends on Num Lock
        for keysym, level in ((plain, False), (shifted, True)):
            if keysym:
                strokes.setdefault(keysym, XStroke(code, level))
    return strokes


def _matters(keysym: int) -> bool:
    """Tell whether a key has a meaning other than a vendor's that no action can name."""
    return keysym != 0 and (keysym not in VENDOR_KEYSYMS or keysym in NAMED_KEYSYMS)


def _is_simple(row: Sequence[int]) -> bool:
    """Tell whether two keysyms say all there is to a key, so that sending them again changes nothing."""
    return list(row[2:4]) in ([0, 0], list(row[:2])) and not any(row[4:])


def _first(keycodes: bytes) -> int:
    return next((code for code in keycodes if code), 0)
