"""Records a screen from a thread of its own."""

from __future__ import annotations

import contextlib
import json
import select
import socket
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from proctor.computers.frames import Canvas, FrameSource
from proctor.errors import ComputerError, SpecError
from proctor.observations.box import Box
from proctor.observations.clip import Clip, ScreenHistory
from proctor.observations.video import VideoWriter

FIRST_FRAME_SEC = 2.0


@dataclass(frozen=True, kw_only=True, slots=True)
class ScreenRecording:
    """A finished recording."""

    path: Path | None
    """The video; beside it lies `<video>.frames.jsonl` with the index, time and video time of each frame."""
    frames: int
    seconds: float
    error: str = ""
    """Why it ended early; empty when it was stopped."""


class ScreenRecorder:
    """Follows a screen in a thread of its own, at most `fps` times a second, and sleeps while nothing changes.

    It never raises into the thread that uses it: a screen that goes away ends the recording, and `error` says why.
    """

    def __init__(
        self,
        source: FrameSource,
        path: Path | None = None,
        *,
        history: ScreenHistory | None = None,
        fps: float = 10.0,
        crf: int = 23,
    ) -> None:
        if path is None and history is None:
            raise SpecError("a recorder with neither video nor history", remedy="give `path`, `history` or both")
        if fps <= 0:
            raise SpecError(f"a recorder of {fps} frames per second", remedy="give a number above 0")
        self.error = ""
        self._source = source
        self._path = path
        self._history = history
        self._interval = 1.0 / fps
        self._crf = crf
        # The screen may have been resized since the history was made.
        self._canvas = Canvas(history.size if history else source.size)
        self._video: VideoWriter | None = None
        self._epoch = time.time() - time.monotonic()
        self._began = self._ended = 0.0
        self._frames = 0
        # `_state` guards what both threads read: the history and the counters of `look`.
        self._state = threading.Condition()
        self._asked = self._answered = 0
        self._stopping = False
        self._ear, self._bell = socket.socketpair()
        self._ear.setblocking(False)
        self._bell.setblocking(False)
        self._thread = threading.Thread(target=self._run, name="proctor-recorder", daemon=True)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_ended: object) -> None:
        self.stop()

    # -- used by the owner --------------------------------------------------------------------------------------------

    def start(self) -> Self:
        """Begin, once; MissingExtra or OSError when the video cannot be written."""
        if self._stopping:
            raise SpecError(
                "a recorder that was stopped cannot be started again", remedy="make another one, with another path"
            )
        if self._thread.ident is not None:
            return self
        try:
            if self._path is not None:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._video = VideoWriter(self._path, self._canvas.size, crf=self._crf)
                _times_path(self._path).write_text("")
            self._thread.start()
        except BaseException:
            self._finish()
            raise
        with self._state:
            self._state.wait_for(lambda: self._frames or not self._thread.is_alive(), FIRST_FRAME_SEC)
        return self

    def look(self, *, timeout_sec: float = 1.0) -> bool:
        """Have the screen recorded as it is, pointer included; False when that was not in time."""
        with self._state:
            self._asked += 1
            number = self._asked
            self._ring()
            self._state.wait_for(lambda: self._answered >= number or not self._thread.is_alive(), timeout_sec)
            return self._answered >= number

    def clip(self, seconds: float, *, max_frames: int = 30) -> Clip:
        """Return the last seconds of the screen, up to now."""
        if self._history is None:
            raise SpecError("this recorder keeps no history", remedy="give it a ScreenHistory")
        self.look()
        if self.error:
            raise ComputerError(f"the screen is no longer recorded: {self.error}")
        with self._state:
            return self._history.clip(seconds, self._epoch + time.monotonic(), max_frames=max_frames)

    def stop(self, *, timeout_sec: float = 5.0) -> ScreenRecording:
        """End the recording with the screen as it is now; stopping twice has no effect."""
        self._stopping = True
        self._ring()
        if self._thread.ident is None:
            self._finish()
        else:
            self._thread.join(timeout_sec)
        if self._thread.is_alive() and not self.error:
            # It gives up by its own deadline on the screen's answer; the video is playable as it is.
            self.error = f"the screen did not answer within {timeout_sec:g} s of stopping"
        seconds = max(self._ended - self._began, 0.0)
        return ScreenRecording(path=self._path, frames=self._frames, seconds=seconds, error=self.error)

    def _ring(self) -> None:
        # It fails when so many rings are unheard that one more changes nothing, or when the thread has ended.
        with contextlib.suppress(OSError):
            self._bell.send(b"!")

    # -- the thread ---------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            try:
                self._follow()
            finally:
                self._finish()
        except Exception as error:  # the end of the thread: whatever it was, the owner reads it in `error`
            self.error = str(error).partition("\n")[0] or type(error).__name__
        with self._state:
            self._state.notify_all()

    def _follow(self) -> None:
        self._began = self._ended = time.monotonic()
        boxes = [Box(0, 0, *self._canvas.size)]
        while True:
            stopping, asked = self._stopping, self._asked
            # What was read along with an answer lies in the source already and makes nothing readable.
            boxes += self._source.damage()
            if boxes or stopping or asked > self._answered:
                due = self._capture(boxes) + self._interval
                boxes = []
                with self._state:
                    self._answered = asked
                    self._state.notify_all()
                if stopping:
                    return
                # Only the bell is heard until the next frame is due: damage gathers on the server meanwhile.
                self._listen([self._ear.fileno()], max(due - time.monotonic(), 0.0))
            else:
                self._listen([self._ear.fileno(), self._source.fileno()], None)

    def _listen(self, descriptors: list[int], timeout_sec: float | None) -> None:
        poll = select.poll()  # made each time, because a source may change its descriptor
        for descriptor in descriptors:
            poll.register(descriptor, select.POLLIN)
        ready = poll.poll(None if timeout_sec is None else timeout_sec * 1000)
        if any(descriptor == self._ear.fileno() for descriptor, _ in ready):
            self._ear.recv(4096)

    def _capture(self, boxes: list[Box]) -> float:
        """Record what changed inside the boxes and return when it was seen."""
        changed = self._canvas.update(self._source, boxes)
        now = time.monotonic()
        if not self._frames:
            self._began = now
            changed = [Box(0, 0, *self._canvas.size)]
        if not changed:
            return now
        if self._history is not None:
            with self._state:
                for box in changed:
                    self._history.add(self._epoch + now, box, self._canvas.crop(box))
        if self._video is not None and self._path is not None:
            pts = self._video.add(round(1000 * (now - self._began)), self._canvas.shown, changed)
            line = {"index": self._frames, "at": round(self._epoch + now, 3), "pts_ms": pts}
            with _times_path(self._path).open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(line) + "\n")
        self._frames += 1
        return now

    def _finish(self) -> None:
        self._ended = time.monotonic()
        try:
            if self._video is not None:
                self._video.close(round(1000 * (self._ended - self._began)))
        finally:
            self._source.close()
            self._ear.close()
            self._bell.close()


def _times_path(video: Path) -> Path:
    return video.with_name(f"{video.name}.frames.jsonl")
