"""Windows and the applications that open them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from proctor.computers.values import App, Window


class Windows(Protocol):
    """The windows of a desktop."""

    def windows(self) -> list[Window]:
        """Return the top-level windows, bottom to top."""

    def launch(
        self, argv: Sequence[str], *, window: str | None, wait: bool, timeout_sec: float, env: Mapping[str, str] | None
    ) -> App:
        """Start an application; if told to, wait for a window whose title contains `window`."""
