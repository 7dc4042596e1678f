"""What a critic said of an episode: a model that looks at the pictures and knows no check."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Criticism:
    """One judgement by a critic; it accompanies the verdict and is never part of a score."""

    model: str = ""
    """`provider/name`."""
    step: int = 0
    """How many steps it had seen."""
    success: bool | None = None
    """Whether it considers the task done; None if its reply says neither or both, or there was none."""
    confidence: float | None = None
    """Its stated confidence, from 0 to 1."""
    problem: str = ""
    """Why there is no judgement, if so."""
    reply: str = ""
    """What it wrote, up to 8,000 characters."""
    told: bool = False
    """Whether the agent was told about it."""
    tokens: int = 0
    """Input and output tokens of the critic; not part of the agent's usage."""
    cost_usd: float | None = None
    """None if the price is unknown."""
