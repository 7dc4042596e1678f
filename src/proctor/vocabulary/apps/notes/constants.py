"""What is fixed in notes that setup steps write, so that the same notes give the same files."""

from __future__ import annotations

WRITTEN = "2026-03-02T08:00:00"
"""When everything was written."""


def fixed_id(number: int, group: str = "8") -> str:
    """Return the id of the note or task of this number."""
    return f"00000000-0000-4000-{group}000-{number:012d}"
