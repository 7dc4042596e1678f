"""A video of the screen, made from `start` to `end`, in a folder of its own."""

from __future__ import annotations

import tempfile
from pathlib import Path

from proctor.computers.computer import Computer
from proctor.computers.parts.viewer import Filming
from proctor.errors import NotReady

FPS = 10.0


class Film:
    """One video under way; its file goes with it."""

    def __init__(self, computer: Computer) -> None:
        """Begin; raises SpecError for a computer that cannot be filmed."""
        self._folder = tempfile.TemporaryDirectory(prefix="proctor-film-")
        self._file = Path(self._folder.name) / "recording.mp4"
        try:
            self._filming: Filming = computer.record(self._file, fps=FPS)
        except BaseException:
            self._folder.cleanup()
            raise

    def end(self) -> bytes:
        """Finish the video and return it."""
        try:
            self._filming.stop()
            return self._file.read_bytes()
        except FileNotFoundError as error:
            raise NotReady("no picture was taken for the video") from error
        finally:
            self._folder.cleanup()
