"""Commands, run from outside the desktop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from proctor.computers.values import CommandResult


class Shell(Protocol):
    """Runs programs without a window."""

    def run(
        self,
        argv: Sequence[str],
        *,
        input: bytes,
        timeout_sec: float,
        env: Mapping[str, str] | None,
        cwd: str | None,
        root: bool,
        reader: bool,
    ) -> CommandResult:
        """Run a command to its end, as `Computer.run` describes."""
