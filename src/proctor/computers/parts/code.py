"""Interpreters for the code that agents write."""

from __future__ import annotations

from typing import Protocol

from proctor.computers.values import CodeResult


class Code(Protocol):
    """Interpreters whose state lasts from one piece of code to the next."""

    def execute(self, code: str, *, language: str, timeout_sec: float) -> CodeResult:
        """Run code as the agent's user; an unknown language is an AgentError."""
