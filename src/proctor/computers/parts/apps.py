"""Applications that can be opened by what people call them."""

from __future__ import annotations

from typing import Protocol


class Apps(Protocol):
    """The applications of a computer whose user opens them from a list."""

    def names(self) -> list[str]:
        """Return what can be opened."""

    def open(self, name: str) -> None:
        """Open an application; AgentError with those that are near where there is none of this name."""
