"""What is asked of a computer to carry out an action."""

from __future__ import annotations

from typing import Protocol

from proctor.computers.capabilities import Capability, Parts
from proctor.computers.values import CodeResult, Performed
from proctor.observations.tree import Node


class Performer(Protocol):
    """What is asked of a computer to carry out an action; `Computer` is one."""

    parts: Parts
    history: list[Performed]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the desktop."""

    @property
    def pace(self) -> str:
        """Whether to wait after an action."""

    def need(self, *capabilities: Capability) -> None:
        """Refuse what is not there."""

    def element_at(self, x: float, y: float) -> Node | None:
        """Return the element at a place."""

    def settle(self) -> bool:
        """Wait until the screen is quiet."""

    def pass_time(self, seconds: float) -> None:
        """Let time go by."""

    def execute(self, code: str, *, language: str, timeout_sec: float) -> CodeResult:
        """Run code."""
