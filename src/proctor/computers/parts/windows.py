"""Windows and the applications that open them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from proctor.computers.values import App, Window
from proctor.observations.box import Box


class Windows(Protocol):
    """The windows of a desktop."""

    def windows(self) -> list[Window]:
        """Return the top-level windows, bottom to top."""

    def launch(
        self, argv: Sequence[str], *, window: str | None, wait: bool, timeout_sec: float, env: Mapping[str, str] | None
    ) -> App:
        """Start an application; if told to wait, return when a window whose title contains `window` is up."""


@runtime_checkable
class Popups(Protocol):
    """What lies above all windows, for those who can tell: menus, lists of choices, tips."""

    def popups(self) -> list[Box]:
        """Return where they are."""
