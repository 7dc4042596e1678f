"""What the record of a run can do, wherever it is kept; `RunRecord` keeps it in a folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from proctor.records import Result


class RunStore(Protocol):
    """The record of one run, to read or to write; `proctor.testing.StoreContract` tests its promises."""

    config: dict[str, object]
    """What the run is: plan, configuration, versions, host facts."""

    @property
    def sealed(self) -> bool:
        """Whether the run was done."""

    def results(self) -> Iterator[Result]:
        """Walk all results in the order they were added."""

    def final(self) -> Iterator[Result]:
        """Walk the last try at each episode, in the order they were added."""

    def add(self, result: Result) -> None:
        """Add the result of an episode whose record is whole, each try once; a sealed run is open again."""

    def commit(self) -> None:
        """Make everything durable that was added."""

    def keep_task(self, digest: str, data: Mapping[str, object]) -> None:
        """Keep a task as it was set, once, under the hash of its text."""

    def task(self, digest: str) -> str:
        """Return the text of a task as it was set."""

    def seal(self) -> str:
        """Say that the run is done; returns a hash that vouches for everything in it."""

    def close(self) -> None:
        """Commit and let others write; a second time has no effect."""
