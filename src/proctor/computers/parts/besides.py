"""What the parts of some computers can do besides."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from proctor.computers.parts.tree import AccessibilityTree
from proctor.observations.box import Box
from proctor.observations.tree import Still, Tree


@runtime_checkable
class RememberedTree(AccessibilityTree, Protocol):
    """One that remembers what it read, for those who know where nothing was drawn since."""

    def reread(self, still: Still) -> Tree:
        """Return every application's elements; those in `still` places are told from memory."""


@runtime_checkable
class Popups(Protocol):
    """What lies above all windows, for those who can tell: menus, lists of choices, tips."""

    def popups(self) -> list[Box]:
        """Return where they are."""
