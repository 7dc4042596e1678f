"""What a critic said of an episode: a model that looks at the pictures and knows no check."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Criticism:
    """One judgement of a critic; it stands beside the verdict and is never part of a score."""

    model: str = ""
    """`provider/name`."""
    step: int = 0
    """Of how many steps it has heard."""
    success: bool | None = None
    """Whether it takes the task for done; None where its reply says neither, or both, or there was none."""
    confidence: float | None = None
    """How sure it says it is, from 0 to 1."""
    problem: str = ""
    """Why there is no judgement."""
    reply: str = ""
    """What it wrote, up to 8,000 characters."""
    told: bool = False
    """Whether the agent was told of it."""
    tokens: int = 0
    """Read and written for it; no part of what the agent used."""
    cost_usd: float | None = None
    """None when no price is known."""
