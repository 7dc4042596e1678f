"""What has changed among the files since a task began."""

from __future__ import annotations

from typing import Protocol

from proctor.computers.entries import Change


class Changes(Protocol):
    """Compares the files with how they were."""

    def baseline(self) -> None:
        """Say that the task begins now."""

    def changes(self) -> list[Change]:
        """Return what was created, changed or deleted since then, sorted by path."""

    def before(self, path: str) -> bytes | None:
        """Return a file's content as it was then; None when it did not exist."""
