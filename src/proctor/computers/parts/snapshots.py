"""Snapshots: going back, and forking."""

from __future__ import annotations

from typing import Protocol, TypeVar

from proctor.computers.values import Snapshot

Twin = TypeVar("Twin", covariant=True)


class Snapshots(Protocol[Twin]):
    """Keeps whole states of a computer."""

    def snapshot(self) -> Snapshot:
        """Keep the file state and the list of open applications."""

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot: its files, a fresh desktop, its applications relaunched."""

    def fork(self) -> Twin:
        """Return a second, started computer in the same file state with the same applications."""
