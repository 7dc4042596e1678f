"""Runs: examine agents on a suite."""

from __future__ import annotations

from typing import NoReturn

from proctor.errors import SpecError
from proctor.suites import load_suite


def run(suite: str, **options: object) -> NoReturn:
    """Examine agents on a suite; this version can load one but has no runner, and says so."""
    load_suite(suite)
    raise SpecError(
        f"suite {suite!r} cannot be run: this version of Proctor has computers and environments, but no runner yet",
        remedy="drive the suite's tasks with proctor.Env, or use a later version",
    )
