"""What looked like a cheat: flags of an episode, and the canaries that were planted in it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Flag:
    """One sign that an agent tried to reach the judge or the answer: no proof, never part of a score."""

    rule: str = ""
    """Which rule it falls under; `canary` where a planted token turned up."""
    step: int | None = None
    """The step that showed it; None where it was found in a file afterwards."""
    text: str = ""
    """What was done, as far as the rule looked at it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Canary:
    """Something planted that no honest solution reads."""

    kind: str = ""
    """`file`, or `process` for one that holds the token in its environment."""
    place: str = ""
    token: str = ""
    """What it holds: the same word in all canaries of an episode, and in no other episode."""
