"""The screen of an episode while it goes on: for those who watch, and as a video."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import ExitStack
from pathlib import Path

from proctor.exam.state import ExamState
from proctor.exam.watcher import Watcher
from proctor.exam.watchers.veto import at_the_terminal
from proctor.store.paths import LIVE


class ScreenWatcher(Watcher):
    """Lets viewers watch the screen while the episode goes on, and makes a video where asked, if it can be watched.

    The socket lies in a folder of its own that only this user may enter: paths of sockets are short by law of the
    kernel, those of runs need not be.
    """

    def __init__(self, folder: Path, *, video: bool = False) -> None:
        self._folder = folder
        self._video = video
        self._open = ExitStack()
        self.address = ""
        """Where to watch; empty where nobody can."""

    def begin(self, exam: ExamState) -> None:
        """Open the screen to viewers, and say where in `live.json`."""
        computer = exam.computer
        if "viewer" not in computer.capabilities:
            return
        if self._video:
            self._open.callback(computer.record(self._folder / "video.mp4").stop)
        place = self._open.enter_context(tempfile.TemporaryDirectory(prefix="proctor-live-"))
        watch = computer.watch(path=Path(place) / "rfb")
        self._open.callback(watch.close)
        self.address = str(watch.address)
        live = self._folder / LIVE
        live.write_text(json.dumps({"rfb": self.address, "pid": os.getpid()}), encoding="utf-8")
        self._open.callback(live.unlink, missing_ok=True)

    def end(self, exam: ExamState) -> None:
        """Close it to them."""
        self._open.close()

    def prompt(self, text: str) -> str:
        """Ask the person at the terminal, and say first where the desktop is."""
        where = f"Open the desktop:  vncviewer {self.address}\n\n" if self.address else ""
        return at_the_terminal(f"{where}{text}")
