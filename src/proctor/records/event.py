"""What happened by itself in an episode: events and disturbances, and when they were seen."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Happening:
    """One event: each time it happened, or that it did not.

    Times are seconds since the epoch; steps are their numbers in the episode.
    """

    name: str = ""
    disturbance: str = ""
    """The kind of disturbance it is; empty for an event of the task itself."""
    window: str = ""
    """Of a disturbance: the title of the window that was in use."""
    needed: bool = False
    """Whether the verdict depends on it."""
    due: float | None = None
    """When it was found to be due."""
    at: float | None = None
    """When it had happened; None if it did not."""
    step: int | None = None
    """The step during which it happened, or before which."""
    seen: int | None = None
    """The step before which the first screenshot was taken that could show it."""
    answered: int | None = None
    """The first action of the agent after it was shown such a screenshot."""
    recovery: int | None = None
    """Of a disturbance: how many actions after it came into sight the application in use had the focus again."""
    undone: float | None = None
    """When it was undone."""
    undone_step: int | None = None
    failed: str = ""
    """Why it failed, or could not be undone."""
    missed: str = ""
    """Why it did not happen."""

    @property
    def happened(self) -> bool:
        """Whether it was brought about."""
        return self.at is not None
