"""What a kind of disturbance is."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from proctor.computers.capabilities import Capability
from proctor.tasks.call import Call


@dataclass(frozen=True)
class Disturbance:
    """One kind: which setup steps bring it about."""

    name: str
    about: str
    """What happens, in a few words."""
    steps: Callable[[random.Random], tuple[Call, ...]]
    """Returns them; whatever may vary is drawn."""
    needs: tuple[Capability, ...] = ("windows", "shell")
    """What a computer must have for it."""
    at_start: bool = False
    """Whether it is there from the beginning; others come while a window is in use."""
