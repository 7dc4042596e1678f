"""Checks that what a task leaves alone is still what it was."""

from __future__ import annotations

from collections.abc import Iterable

from proctor.tasks.call import Call
from proctor.tasks.shelves import expect, see


def are_kept(folder: str, names: Iterable[str]) -> list[Call]:
    """Return checks that files of a folder are, byte for byte, what they were."""
    return [expect.unchanged(see.digest(f"{folder}/{name}")) for name in names]
