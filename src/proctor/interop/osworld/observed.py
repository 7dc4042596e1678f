"""Observations as OSWorld's agents get them."""

from __future__ import annotations

from typing import TypedDict

from proctor.observations.encode import png
from proctor.observations.observation import Observation
from proctor.observations.xml import to_xml


class Observed(TypedDict):
    """What an agent is shown; what is not asked for is None."""

    screenshot: bytes | None
    accessibility_tree: str | None
    terminal: str | None
    instruction: str


def observed_as(seen: Observation, instruction: str) -> Observed:
    """Return an observation in OSWorld's form."""
    return Observed(
        screenshot=png(seen.screenshot) if seen.screenshot is not None else None,
        accessibility_tree=to_xml(seen.tree) if seen.tree is not None else None,
        terminal=seen.terminal,
        instruction=instruction,
    )
