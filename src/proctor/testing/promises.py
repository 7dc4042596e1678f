"""What the contracts of a computer share: how one is made, and an editor to work in."""

from __future__ import annotations

import posixpath
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import ClassVar

import pytest

from proctor.actions.action import Press
from proctor.computers.capabilities import Capability
from proctor.computers.computer import Computer
from proctor.computers.locator import Locator
from proctor.errors import NotReady
from proctor.observations.box import Box


def need(computer: Computer, *capabilities: Capability) -> None:
    """Skip a test of something that a backend says it cannot do."""
    missing = [name for name in capabilities if name not in computer.capabilities]
    if missing:
        pytest.skip(f"{computer.backend} has no {', '.join(missing)}")


def save_gives(computer: Computer, expected: str, name: str = "notes.txt") -> bool:
    """Save with the keyboard and tell whether the file becomes what is expected."""
    computer.perform(Press(keys="ctrl+s"))
    try:
        computer.wait_for(lambda c: c.read_file(name) == expected.encode(), what="saving", timeout_sec=5)
    except NotReady:
        assert computer.read_file(name).decode() == expected
    return True


def first_line(box: Box) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return a place before and one after the first line of a text area."""
    return (box.x + 1, box.y + 8), (box.x + 300, box.y + 8)


class Promises(ABC):
    """Promises of a computer, as tests."""

    mousepad: ClassVar[bool] = True
    """Whether the editor Mousepad can be launched there; without it, what needs an application is skipped."""

    @abstractmethod
    def new_computer(self) -> Computer:
        """Return a computer that is not started."""

    @pytest.fixture
    def computer(self) -> Iterator[Computer]:
        """Start a computer of its own for each test."""
        with self.new_computer() as computer:
            yield computer

    def need_mousepad(self, computer: Computer) -> None:
        """Skip a test that launches the editor where there is none."""
        if not self.mousepad:
            pytest.skip(f"{computer.backend} has no Mousepad")

    def open_editor(self, computer: Computer, content: str = "alpha\nbeta\n", name: str = "notes.txt") -> Locator:
        """Open a file in the editor and return its text area."""
        need(computer, "screen", "pointer", "keys", "tree", "windows", "files")
        self.need_mousepad(computer)
        computer.write_file(name, content.encode())
        computer.launch(["mousepad", name], window=posixpath.basename(name))
        return computer.locate(role="text", app="mousepad", window=posixpath.basename(name))
