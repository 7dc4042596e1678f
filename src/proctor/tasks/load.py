"""Reading task files: everything is checked at once, and every fault is named with its line."""

from __future__ import annotations

from typing import Any

from proctor.tasks.task import Task


def from_data(data: Any) -> Task:
    """Read plain data."""
    return Task.model_validate(data)
