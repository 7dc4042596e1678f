"""How long work on images tells its caller how far it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Phase = Literal["waiting", "updating", "downloading", "installing", "finishing", "packing", "unpacking", "checking"]


@dataclass(frozen=True, slots=True)
class BuildStep:
    """One sign of progress."""

    phase: Phase
    done: float | None = None
    """Share of the phase that is done, 0 to 1; None where it cannot be told."""
    detail: str = ""


Progress = Callable[[BuildStep], None]


def silent(step: BuildStep) -> None:
    """Ignore a step."""
