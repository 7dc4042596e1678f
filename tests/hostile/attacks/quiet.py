"""An attack that is none, to compare the others with."""

from __future__ import annotations


def nothing() -> str:
    """Nothing is tried."""
    return ""
