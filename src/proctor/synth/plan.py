"""What a synthesis is to do."""

from __future__ import annotations

from dataclasses import dataclass

SEARCH = "search"
"""Who proposes where no model does."""


@dataclass(frozen=True, kw_only=True)
class SynthesisPlan:
    """What a synthesis is to do."""

    by: str
    """The model, or `search`."""
    apps: tuple[str, ...]
    count: int
    """How many proposals are made."""
    rounds: int = 3
    """How often the key is tried, each time with other foreign keys."""
    repairs: int = 2
    """How often what failed is written again."""
    backend: str = "sandbox"

    def lasting_part(self) -> dict[str, object]:
        """Return what must stay the same to go on; there may be more proposals later."""
        return {key: value for key, value in vars(self).items() if key != "count"}

    def app(self, number: int) -> str:
        """Return the application of a proposal."""
        return self.apps[(number - 1) % len(self.apps)]
