"""What Harbor's agent `computer-1` runs to operate a desktop, answered from outside.

It expects display :1, `xdotool`, ImageMagick and `cwebp`, and covers the screen with a browser of its own. Here the
display is there, the desktop is the one that the task prepared, and each command becomes an action like any other. Its
pictures have the size that it believes the display to have (1024x900 unless told otherwise), and its places are scaled
back. Nothing else that it runs is touched.
"""

from __future__ import annotations

import io
import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass

from PIL import Image

from proctor.actions.action import Action
from proctor.computers.computer import Computer
from proctor.errors import AgentError, ComputerError, ComputerLost, HostError
from proctor.interop.guest_commands import Ran
from proctor.interop.harbor.xdotool import actions
from proctor.observations.encode import png

SCRATCH = ("/tmp/computer_1_runtime", "/tmp/computer_1-screenshots")
"""Where the agent keeps files of its own."""
SIZE = (1024, 900)
"""Of the display, where the agent has not said otherwise."""
SOCKET = "test -S /tmp/.X11-unix/X1 && "
WINDOW = "0x00000001  0 desktop chromium\n"
"""Stands for the window of the browser that it waits for; the desktop of the task takes its place."""
_DISPLAY = "DISPLAY=:1 "
_STARTED = ("startxfce4", "x11vnc", "websockify", "Xvfb", "--remote-debugging-port=9222", "wmctrl -i -r")
_BROWSER_SIZE = re.compile(r"--window-size=(\d{2,5}),(\d{2,5})")
_PICTURE = re.compile(r"import -window root (\S+)")
_CROP = re.compile(r"-crop (\d+)x(\d+)\+(\d+)\+(\d+)")
_COPIED = re.compile(r"cp (\S+) (\S+?);? ?(?:else|fi|$)")
_QUALITY = re.compile(r"cwebp -quiet -q (\d+)")

Perform = Callable[[Action], object]


@dataclass
class Display:
    """The display that `computer-1` believes in."""

    size: tuple[int, int] = SIZE

    def answer(self, computer: Computer, command: str, perform: Perform) -> Ran | None:
        """Carry out a command of the agent's and return what it would leave; None for any other command.

        Raises ComputerError where the computer is gone.
        """
        try:
            return self._answer(computer, command, perform)
        except (AgentError, ComputerError, OSError) as error:
            if isinstance(error, ComputerLost | HostError):
                raise
            return Ran(1, "", f"{error}\n")

    def _answer(self, computer: Computer, command: str, perform: Perform) -> Ran | None:
        if command.startswith(SOCKET):
            said = re.findall(r"echo (\w+)", command)
            return Ran(0, f"{said[0]}\n" if said else "", "")
        if command.startswith(f"{_DISPLAY}xdotool "):
            return Ran(0, self._operate(computer, shlex.split(command)[2:], perform), "")
        if command.startswith(f"{_DISPLAY}wmctrl -l"):
            return Ran(0, WINDOW, "")
        if command.startswith(("pgrep -f chromium", "pkill -9 -f chromium", "pkill -f xfce4-panel")):
            return Ran(0, "up\n" if command.startswith("pgrep") else "", "")
        if command.startswith("bash -lc ") and (picture := _PICTURE.search(command)):
            self._photograph(computer, shlex.split(command)[2], picture[1])
            return Ran(0, "", "")
        if command.startswith(("bash -lc ", f"{_DISPLAY}bash -c ")) and any(word in command for word in _STARTED):
            if told := _BROWSER_SIZE.search(command):
                self.size = int(told[1]), int(told[2])
            return Ran(0, "", "")
        return None

    # -- looking --------------------------------------------------------------------------------------------------

    def _photograph(self, computer: Computer, script: str, path: str) -> None:
        """Take a picture and put it where the script would."""
        shown = self._screen(computer)
        if crop := _CROP.search(script):
            width, height, left, top = (int(number) for number in crop.groups())
            shown = shown.crop((left, top, min(left + width, shown.width), min(top + height, shown.height)))
        computer.write_file(shlex.split(path)[0], png(shown))
        for _source, target in _COPIED.findall(script):
            name = shlex.split(target)[0]
            folder = name.rpartition("/")[0]
            computer.run(["mkdir", "-p", "--", folder or "/"])
            quality = _QUALITY.search(script)
            computer.write_file(
                name, _webp(shown, int(quality[1])) if name.endswith(".webp") and quality else png(shown)
            )

    def _screen(self, computer: Computer) -> Image.Image:
        shown = computer.screenshot(cursor=True)
        return shown if shown.size == self.size else shown.resize(self.size, Image.Resampling.LANCZOS)

    # -- acting ---------------------------------------------------------------------------------------------------

    def _operate(self, computer: Computer, words: list[str], perform: Perform) -> str:
        if words[:1] == ["getmouselocation"]:
            place = computer.pointer_position()
            x, y = (round(at * side / whole) for at, side, whole in zip(place, self.size, computer.size, strict=True))
            return f"X={x}\nY={y}\nSCREEN=0\nWINDOW=1\n"
        # Read whole before anything is done: half a gesture would leave a button held.
        for action in list(actions(list(words), self.size, computer.size)):
            perform(action)
        return ""


def _webp(image: Image.Image, quality: int) -> bytes:
    sink = io.BytesIO()
    image.convert("RGB").save(sink, "WEBP", quality=min(max(quality, 1), 100))
    return sink.getvalue()
