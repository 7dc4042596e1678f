"""The keyboard of an Android device."""

from __future__ import annotations

import base64
import re
import shlex
from collections.abc import Iterator

from proctor.computers.backends.android.device import AndroidDevice
from proctor.computers.backends.android.keycodes import MODIFIERS, codes
from proctor.computers.backends.android.touch import check_input
from proctor.errors import AgentError, ComputerError

KEYBOARD = "com.android.adbkeyboard/.AdbIME"
"""ADBKeyBoard, an input method that types what a broadcast holds; the usual way to type any script through adb."""
PIECE = 200
"""Characters that one command types: programs on slow devices lose what comes faster than they read."""
ENTER, TAB = 66, 61
COMBINATIONS = 31
"""From Android 12 on, `input` can press several keys together."""


class AndroidKeys:
    """Keys are pressed and released in one, as adb can hold none; modifiers wait for the next key."""

    def __init__(self, device: AndroidDevice) -> None:
        self._device = device
        self._held: dict[str, bool] = {}
        """Modifiers that are down, and whether another key was pressed meanwhile."""
        self._before = ""
        """The input method that was chosen when another was put in its place."""

    # -- keys -----------------------------------------------------------------------------------------------------

    def key(self, key: str, down: bool) -> None:
        """Press a key; a modifier alone is pressed when it is released again."""
        if key in MODIFIERS:
            self._modifier(key, down)
        elif down:
            numbers = codes(key)
            held = [MODIFIERS[name] for name in self._held]
            self._held = dict.fromkeys(self._held, True)
            self._press([*dict.fromkeys([*held, *numbers])])

    def _modifier(self, key: str, down: bool) -> None:
        if down:
            self._held.setdefault(key, False)
        elif self._held.pop(key, True) is False:
            self._press([MODIFIERS[key]])

    def _press(self, numbers: list[int]) -> None:
        if len(numbers) == 1:
            check_input(self._device, f"input keyevent {numbers[0]}")
            return
        if self._device.sdk < COMBINATIONS:
            raise AgentError(
                f"Android {self._device.release} cannot press several keys together through adb",
                remedy="press one key at a time, or use Type for a text",
            )
        check_input(self._device, f"input keycombination {' '.join(map(str, numbers))}")

    # -- text -----------------------------------------------------------------------------------------------------

    def type(self, text: str) -> None:
        """Type a text; one that is not ASCII needs ADBKeyBoard on the device, and is refused whole without it."""
        text = text.replace("\r\n", "\n")
        if text.isascii():
            for command in typing_commands(text):
                check_input(self._device, command)
        else:
            self._choose_keyboard()
            for part in re.split(r"(\n|\t)", text):
                if part in ("\n", "\t"):
                    check_input(self._device, f"input keyevent {ENTER if part == chr(10) else TAB}")
                elif part:
                    self._broadcast(part)

    def _broadcast(self, text: str) -> None:
        for start in range(0, len(text), PIECE):
            data = base64.b64encode(text[start : start + PIECE].encode()).decode()
            said = self._device.ask(f"am broadcast -a ADB_INPUT_B64 --es msg {data}")
            if "Broadcast completed" not in said:
                raise ComputerError(f"ADBKeyBoard did not accept the text: {' '.join(said.split())[:200]}")

    def any_script(self) -> bool:
        """Tell whether a text of any script can be typed."""
        return KEYBOARD in self._device.ask("ime list -a -s").split()

    def _choose_keyboard(self) -> None:
        chosen = self._device.ask("settings get secure default_input_method").strip()
        if chosen == KEYBOARD:
            return
        if not self.any_script():
            raise AgentError(
                "this device can type only ASCII through adb",
                remedy="leave other characters out; the owner of the device can install ADBKeyBoard on it",
            )
        self._device.ask(f"ime enable {KEYBOARD}")
        said = self._device.ask(f"ime set {KEYBOARD}")
        if self._device.ask("settings get secure default_input_method").strip() != KEYBOARD:
            raise ComputerError(f"ADBKeyBoard could not be chosen: {' '.join(said.split())[:200]}")
        self._before = self._before or chosen

    def give_back(self) -> None:
        """Choose the input method again that was there before."""
        if self._before and "/" in self._before:
            before, self._before = self._before, ""
            self._device.ask(f"ime set {shlex.quote(before)}")


def typing_commands(text: str) -> Iterator[str]:
    """Yield the commands that type an ASCII text.

    `input text` writes a blank for `%s`, so blanks are sent as that, and a `%` is never in one command with an `s`
    behind it.
    """
    for part in re.split(r"(\n|\r|\t|\x08|\x1b|\x7f)", text):
        if part in _CONTROLS:
            yield f"input keyevent {_CONTROLS[part]}"
            continue
        for piece in re.split(r"(?<=%)(?=s)", part):
            for start in range(0, len(piece), PIECE):
                words = piece[start : start + PIECE].replace(" ", "%s")
                if words:
                    # A dash at the front would be taken for an option by some versions; nothing else is special.
                    yield f"input text {shlex.quote(words)}"


_CONTROLS = {"\n": ENTER, "\r": ENTER, "\t": TAB, "\b": 67, "\x1b": 111, "\x7f": 112}
