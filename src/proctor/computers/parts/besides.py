"""What the parts of some computers can do besides."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol, runtime_checkable

from proctor.computers.parts.changes import Changes
from proctor.computers.parts.files import Files
from proctor.computers.parts.tree import AccessibilityTree
from proctor.computers.parts.windows import Windows
from proctor.observations.box import Box
from proctor.observations.tree import Node, Still, Tree


@runtime_checkable
class RememberedTree(AccessibilityTree, Protocol):
    """One that remembers what it read, for those who know where nothing was drawn since."""

    def reread(self, still: Still) -> Tree:
        """Return every application's elements; those in `still` places are told from memory."""


@runtime_checkable
class MenuTree(AccessibilityTree, Protocol):
    """One that knows the letters of menus."""

    def menu_item(self, key: str) -> Node | None:
        """Return the item that a letter chooses from the open menu; None where it chooses none."""


@runtime_checkable
class Popups(Protocol):
    """What lies above all windows, for those who can tell: menus, lists of choices, tips."""

    def popups(self) -> list[Box]:
        """Return where they are."""


@runtime_checkable
class KnownWindows(Windows, Protocol):
    """Windows of which somebody whom nobody inside can fool knows the programs."""

    def program_at(self, x: float, y: float) -> str:
        """Return the path of the program that a click here goes to; empty where it is none known."""

    def program_with_keys(self) -> str:
        """Return the path of the program that keys go to; empty where it is none known."""


@runtime_checkable
class SparingChanges(Changes, Protocol):
    """Changes that can be told from what happens by itself."""

    def spare_changes(self) -> AbstractContextManager[None]:
        """Take what changes in the block for how it was when the task began."""


@runtime_checkable
class FollowedFiles(Files, Protocol):
    """Files of which somebody knows when they are read."""

    def watch_reads(self, paths: Sequence[str]) -> None:
        """Follow these files and folders from now on; what is not there cannot be followed."""

    def reads(self) -> list[str]:
        """Return which of them were opened or read since this was last asked."""
