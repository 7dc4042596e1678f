"""What a kind of disturbance is."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from proctor.computers.capabilities import Capability
from proctor.tasks.call import Call
from proctor.tasks.events import Undo
from proctor.tasks.shelves import hand
from proctor.tasks.task import Task

Steps = tuple[Call, ...]
GONE_SEC = 5.0
"""How long it may take until what was closed is gone."""


def close_by(button: str, window: str) -> Steps:
    """Return the moves that click a button of a window and wait until the window is gone."""
    return (hand.click(name=button, window=window), hand.await_window(window, gone=True, timeout_sec=GONE_SEC))


@dataclass(frozen=True, kw_only=True)
class Staged:
    """One disturbance of one task, with all that may vary drawn."""

    do: Steps
    """Setup steps that bring it about."""
    undo: Undo | None = None
    """How it is taken back, where it does not end by itself."""
    answer: Steps | None = None
    """What somebody at work does about it, as moves, before returning to the window; None where it hinders nobody."""
    loses_work: bool = False
    """Whether what was done so far is lost, so that it must be done from the beginning."""


@dataclass(frozen=True)
class Disturbance:
    """One kind: which setup steps bring it about."""

    name: str
    about: str
    """What happens, in a few words."""
    stage: Callable[[random.Random, Task], Staged | None]
    """Draws one; None for a task in which there is nothing to disturb in this way."""
    needs: tuple[Capability, ...] = ("windows", "shell")
    """What a computer must have for it."""
    wants: str = ""
    """What a task must have for it, in words; empty where any will do."""
    at_start: bool = False
    """Whether it is there from the beginning; others come while a window is in use."""
    soon: bool = False
    """Whether it comes after the first action, when there is little to lose; others come when they come."""
    harmless: bool = False
    """Whether who knows what to do needs no answer to it: it distracts, and hinders nobody."""


def find_step(task: Task, name: str) -> Call | None:
    """Return a task's first setup step of a name."""
    return next((step for step in task.setup if step.name == name), None)
