"""A task prepared without an exam, for tests of what stands below exams."""

from __future__ import annotations

from pathlib import Path

from proctor.computers.computer import Computer
from proctor.tasks.prepare import set_up
from proctor.tasks.task import Task


def prepare(task: Task, computer: Computer, *, assets: Path | None = None) -> None:
    """Carry out the setup, and begin to count changes."""
    set_up(task, computer, assets=assets)
    if "changes" in computer.capabilities:
        computer.baseline()
    computer.history.clear()
