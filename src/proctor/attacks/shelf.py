"""The attacks that `proctor doctor --attack` makes."""

from __future__ import annotations

from proctor.attacks import escapes, exhaustion, neighbours, secrets
from proctor.attacks.attack import Attack, attacks_of


def quick() -> list[Attack]:
    """Return every attack that takes seconds at most and does no harm where nothing stops it."""
    return [each for module in (secrets, escapes, neighbours, exhaustion) for each in attacks_of(module)]
