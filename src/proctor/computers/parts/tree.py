"""The accessibility tree."""

from __future__ import annotations

from typing import Protocol

from proctor.observations.tree import Node, Tree


class AccessibilityTree(Protocol):
    """The elements that applications say they show."""

    def tree(self) -> Tree:
        """Return the elements of every application."""

    def element_at(self, x: float, y: float) -> Node | None:
        """Return the element that a click at this place would hit."""

    def focused(self) -> Node | None:
        """Return the element that receives keys, with its text, or None where that is not cheap."""
