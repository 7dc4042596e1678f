"""`env.controller`: what run loops and agents call on OSWorld's, with no server between.

As there, a call that fails is logged and returns None, or says so in what it returns; only a computer that is gone
raises.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from proctor.computers.computer import Computer
from proctor.errors import ComputerLost, EpisodeVoid, HostError, ProctorError
from proctor.interop.guest_commands import TooMuchOutput
from proctor.interop.osworld.film import Film
from proctor.interop.osworld.guest import SCRIPT_SEC, OSWorldGuest, Said

PYTHON_SEC = 90.0
Given = TypeVar("Given")

logger = logging.getLogger(__name__)


class OSWorldController:
    """The guest of the episode that is going on."""

    def __init__(
        self, guest: OSWorldGuest, computer: Callable[[], Computer], act: Callable[[object], object] | None = None
    ) -> None:
        """Make it; `computer` is the one to film, and `act` takes an action of the agent's."""
        self._guest, self._computer, self._act = guest, computer, act
        self._film: Film | None = None

    # -- see ------------------------------------------------------------------------------------------------------

    def get_screenshot(self) -> bytes | None:
        """Return the screen as PNG."""
        return _or_none(self._guest.screenshot)

    def get_accessibility_tree(self) -> str | None:
        """Return the tree as XML."""
        return _or_none(self._guest.accessibility)

    def get_terminal_output(self) -> str | None:
        """Return the text of the frontmost terminal."""
        return _or_none(self._guest.terminal)

    def get_vm_screen_size(self) -> dict[str, int] | None:
        """Return width and height of the desktop."""
        return _or_none(self._guest.screen_size)

    def get_vm_window_size(self, app_class_name: str) -> dict[str, int] | None:
        """Return width and height of an application's window."""
        return _or_none(lambda: self._guest.window_size(app_class_name))

    def get_vm_wallpaper(self) -> bytes | None:
        """Return the picture behind the windows; None where there is none."""
        return _or_none(self._guest.wallpaper)

    def get_cursor_position(self) -> dict[str, int] | None:
        """Return the place of the pointer."""
        place = _or_none(self._guest.cursor_position)
        return dict(zip("xy", place, strict=True)) if place else None

    def get_vm_platform(self) -> str:
        """Return the kind of system."""
        return "Linux"

    def get_vm_machine(self) -> str | None:
        """Return the kind of processor."""
        return _or_none(lambda: str(self._guest.execute(["uname", "-m"])["output"]).strip())

    # -- files ----------------------------------------------------------------------------------------------------

    def get_file(self, file_path: str) -> bytes | None:
        """Return a file of the computer; None where it is not there or may not be read."""
        return _or_none(lambda: self._guest.file(file_path))

    def get_vm_directory_tree(self, path: str) -> Said | None:
        """Return a folder with all that is in it, nested."""
        return _or_none(lambda: self._guest.directory(path))

    def get_vm_desktop_path(self) -> str | None:
        """Return where the files of the desktop lie."""
        return _or_none(self._guest.desktop_path)

    # -- act ------------------------------------------------------------------------------------------------------

    def execute_python_command(self, command: str) -> Said | None:
        """Run a line of Python with PyAutoGUI at hand; gestures are actions like any other."""
        program = f"import pyautogui; import time; pyautogui.FAILSAFE = False; {command}"
        return _or_none(lambda: self._guest.execute(["python3", "-c", program], timeout_sec=PYTHON_SEC))

    def execute_action(self, action: object) -> None:
        """Carry out an action of computer_13."""
        if self._act is not None:
            self._act(action)

    def run_python_script(self, script: str) -> Said:
        """Run a program of Python; `status` is error where it failed."""
        return _or_error(lambda: self._guest.run_python(script, timeout_sec=PYTHON_SEC), "return_code")

    def run_bash_script(self, script: str, timeout: float = SCRIPT_SEC, working_dir: str | None = None) -> Said:
        """Run a script of the shell; `output` has what it said to both."""
        return _or_error(lambda: self._guest.run_bash(script, timeout_sec=timeout, cwd=working_dir), "returncode")

    # -- film -----------------------------------------------------------------------------------------------------

    def start_recording(self) -> None:
        """Begin a video; one that is being made goes on."""
        if self._film is None:
            self._film = _or_none(lambda: Film(self._computer()))

    def end_recording(self, dest: str | Path) -> None:
        """Finish the video and write it to a file of this machine."""
        film, self._film = self._film, None
        data = _or_none(film.end) if film is not None else None
        if data is not None:
            Path(dest).write_bytes(data)

    def close(self) -> None:
        """Throw a video away that nobody has asked for."""
        film, self._film = self._film, None
        if film is not None:
            _or_none(film.end)


def _or_none(ask: Callable[[], Given]) -> Given | None:
    try:
        return ask()
    except (ComputerLost, HostError, EpisodeVoid):
        raise
    except (ProctorError, TooMuchOutput, OSError) as error:
        logger.error("%s", error)
        return None


def _or_error(ask: Callable[[], Said], code: str) -> Said:
    try:
        return ask()
    except (ComputerLost, HostError, EpisodeVoid):
        raise
    except (ProctorError, TooMuchOutput, OSError) as error:
        logger.error("%s", error)
        return {"status": "error", "message": str(error), "output": "", "error": str(error), code: -1}
