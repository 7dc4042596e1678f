"""Recording a machine behind an RFB server."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path

from proctor.computers.channels.rfb.client import Rfb
from proctor.computers.channels.rfb.link import LOOK_SEC
from proctor.computers.channels.rfb.relay import ViewerRelay
from proctor.computers.frames import FrameSource, PointerPicture
from proctor.computers.screen_recorder import ScreenRecorder
from proctor.errors import SpecError
from proctor.observations.box import Box
from proctor.observations.clip import Clip, ScreenHistory

DIAL_SEC = 10.0


class RfbSource:
    """The screen of a server, over a connection that nobody else uses."""

    def __init__(self, client: Rfb, at: Callable[[], tuple[int, int] | None]) -> None:
        """Follow a server; `at` returns the pointer, which the server tells only to who did not move it."""
        self._client = client
        self._at = at
        with client.line.within(LOOK_SEC):
            client.refresh()

    @property
    def size(self) -> tuple[int, int]:
        return self._client.picture.size

    def fileno(self) -> int:
        return self._client.line.fileno()

    def damage(self) -> list[Box]:
        with self._client.line.within(LOOK_SEC):
            self._client.drain()
        return self._client.picture.take_changes()

    def grab(self, box: Box) -> bytes:
        return self._client.picture.part(box).tobytes()

    def pointer(self) -> PointerPicture | None:
        """Return the mouse pointer; None while it is hidden or nobody knows where it is."""
        cursor, at = self._client.cursor, self._at()
        if cursor is None or at is None:
            return None
        return PointerPicture(image=cursor.image, x=at[0] - cursor.hot[0], y=at[1] - cursor.hot[1])

    def close(self) -> None:
        self._client.close()


class Films:
    """Every recorder and viewer of one machine behind an RFB server; they end with the way to it."""

    def __init__(self, source: Callable[[], FrameSource], clip_sec: float) -> None:
        """Describe what is recorded through `source`, which only looks; `clip_sec` 0 keeps no clip."""
        self._source, self._clip_sec = source, clip_sec
        self._recorders: list[ScreenRecorder] = []
        self._relays: list[ViewerRelay] = []
        self._lately: ScreenRecorder | None = None

    def start(self, size: tuple[int, int]) -> None:
        """Begin to keep the last seconds of the screen, where that was asked for."""
        if self._clip_sec:
            self._lately = self._follow(None, ScreenHistory(size, seconds=self._clip_sec), 10.0)

    def record(self, path: Path, fps: float) -> ScreenRecorder:
        return self._follow(path, None, fps)

    def keep(self, relay: ViewerRelay) -> None:
        """End a viewer with the rest."""
        self._relays.append(relay)

    def clip(self, seconds: float) -> Clip:
        if self._lately is None:
            raise SpecError(
                "this computer keeps no history of its screen", remedy=f"open it with clip_sec={max(seconds, 1):g}"
            )
        return self._lately.clip(min(seconds, self._clip_sec))

    def end(self) -> None:
        """Stop every recorder and let every viewer go."""
        for recorder in self._recorders:
            recorder.stop()
        for relay in self._relays:
            relay.close()
        self._recorders, self._relays, self._lately = [], [], None

    def _follow(self, path: Path | None, history: ScreenHistory | None, fps: float) -> ScreenRecorder:
        recorder = ScreenRecorder(self._source(), path, history=history, fps=fps).start()
        self._recorders.append(recorder)
        return recorder


class VncViewer:
    """Viewers are carried to the server, which asks for its password; videos dial for themselves."""

    def __init__(self, dial: Callable[[float], socket.socket], films: Films) -> None:
        """Lead viewers where `dial` connects within so many seconds; it raises OSError where it cannot."""
        self._call, self._films = dial, films

    def watch(self, *, port: int, path: str | Path | None) -> ViewerRelay:
        relay = ViewerRelay(self._dial, port=port, path=path)
        self._films.keep(relay)
        return relay

    def _dial(self) -> socket.socket:
        dialled = self._call(DIAL_SEC)
        dialled.settimeout(None)  # a viewer may look at a still screen for hours
        return dialled

    def record(self, path: str | Path, *, fps: float) -> ScreenRecorder:
        return self._films.record(Path(path), fps)
