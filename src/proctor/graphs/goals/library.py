"""The goals that come with Proctor, one file for each domain of demands."""

from __future__ import annotations

from functools import cache
from importlib import resources

from proctor.graphs.goals.goal import Goal
from proctor.graphs.goals.read import read_goals


@cache
def own_goals() -> tuple[Goal, ...]:
    """Return all goals, by file and within each as written."""
    folder = resources.files("proctor.graphs.goals")
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".txt")), key=lambda file: file.name)
    return tuple(goal for file in files for goal in read_goals(file.read_text(encoding="utf-8"), source=file.name))
