"""The viewer: people who watch the screen, now or later."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol


class Watching(Protocol):
    """Viewers are let in until it is closed."""

    @property
    def address(self) -> object:
        """Where to point a viewer; its text is what a person types."""

    def close(self) -> None:
        """Let nobody in any more."""


class Filming(Protocol):
    """A video is being made until it is stopped."""

    def stop(self) -> object:
        """Finish the video."""


class Viewer(Protocol):
    """Lets people see what an agent does."""

    def watch(self, *, port: int, path: str | Path | None) -> Watching:
        """Let viewers in over VNC, on a loopback port (0: any free one) or a Unix socket."""

    def record(self, path: str | Path, *, fps: float) -> Filming:
        """Record the screen into a video."""
