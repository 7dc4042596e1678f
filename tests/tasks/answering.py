"""A fake computer on which more programs can be run: what they answer is up to the test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.computer import CommandResult


def said(stdout: str = "", *, code: int = 0, stderr: str = "") -> CommandResult:
    """What a program leaves."""
    return CommandResult(code=code, stdout=stdout, stderr=stderr)


class AnsweringComputer(FakeComputer):
    """Asks a function what a command leaves, and keeps every command."""

    def __init__(self, answer: Callable[[Sequence[str]], CommandResult]) -> None:
        super().__init__()
        self.answer = answer
        self.commands: list[tuple[str, ...]] = []
        self.start()

    def run(self, argv: Sequence[str], **options: Any) -> CommandResult:
        self.commands.append(tuple(argv))
        return self.answer(argv)
