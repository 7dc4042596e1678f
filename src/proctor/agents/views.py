"""What an agent is shown, by name: OSWorld's four settings and nothing at all."""

from __future__ import annotations

from typing import Literal

from proctor.observations.observation import Want

Observe = Literal["screenshot", "tree", "screenshot+tree", "marks"]
ObserveOrNot = Literal["screenshot", "tree", "screenshot+tree", "marks", "nothing"]


def want_for(
    observe: ObserveOrNot,
    *,
    scale: float = 1.0,
    fit: tuple[int, int] | None = None,
    windows: bool = False,
    terminal: bool = False,
) -> Want:
    """Return what has to be gathered for a setting; raises SpecError for a scale outside 0 to 1."""
    return Want(
        screenshot="screenshot" in observe,
        tree="tree" in observe,
        marks=observe == "marks",
        windows=windows,
        terminal=terminal,
        scale=scale,
        fit=fit,
    )
