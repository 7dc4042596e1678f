"""What a command left that was run on another machine, whichever way it went there."""

from __future__ import annotations

from dataclasses import dataclass

from proctor.plain_text import one_line

MOST_SAID = 300
"""Characters of a foreign message that are repeated."""


@dataclass(frozen=True, kw_only=True)
class CommandOutput:
    """How a command ended, and what it said."""

    code: int
    """Below zero: the signal that ended it."""
    stdout: bytes
    stderr: bytes
    missing: str = ""
    """The program that is not there, where that is why it did not begin."""
    cut: bool = False
    """Whether it said more than was kept."""

    @property
    def said(self) -> str:
        """What it said, wherever, as one line for messages."""
        return said(self.stderr + b" " + self.stdout)


def said(data: bytes) -> str:
    """Return what the other side said, short and safe to print."""
    return one_line(" ".join(data.decode("utf-8", "replace").split()))[:MOST_SAID]
