"""What looked like a cheat: flags of an episode, and the canaries that were planted in it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Flag:
    """A sign (no proof) that an agent tried to reach the judge or the answer; scores ignore it."""

    rule: str = ""
    """The rule that it matches; `canary` if a planted token turned up."""
    step: int | None = None
    """The step that showed it; None if it was found in a file afterwards."""
    text: str = ""
    """The part of the action that the rule looked at."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Canary:
    """Something planted that no honest solution reads."""

    kind: str = ""
    """`file`, or `process` for one with the token in its environment."""
    place: str = ""
    token: str = ""
    """Its content: the same word in all canaries of an episode, and in no other episode."""
