"""Runs: agents examined on the tasks of a suite, recorded as it happens."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from proctor.records import Result


def run(suite: str, agents: Sequence[str], *, out: str | Path, **options: Any) -> list[Result]:
    """Examine agents on a suite and return the last try at each episode.

    A folder that holds this run is gone on with.

    Args:
        suite: Name of a suite, such as `tour`.
        agents: What `--agent` takes, such as `idle` or `mine:Agent,temperature=0`.
        out: Folder of the record.
        options: `tasks` (names of some of its tasks), `seeds`, `attempts`, `workers`, `skip_unfit` (go on without
            episodes that cannot be held), and what `runner.job.Rules`
            takes, such as `steps=15`.
    """
    # Imported here: naming `proctor.run` must not cost a second.
    from proctor.runner.api import run_suite

    return run_suite(suite, agents, Path(out), **options)
