"""Tasks whose every step is spelled out: the steps are made in the programs that are meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from proctor.applications import Applications
from proctor.errors import SpecError
from proctor.tasks.call import Call
from proctor.tasks.shelves import expect, see

_APPLICATIONS = Applications()


def by_the_book(steps: Sequence[Mapping[str, object]], *apps: str) -> Call:
    """Return a check that these steps were made, in this order, in windows of these applications."""
    programs = [program for app in apps for program in _APPLICATIONS[app].programs]
    if not programs:
        raise SpecError(
            f"nothing says which programs {' and '.join(apps)} are", remedy="add `programs` to the app.toml of one"
        )
    return expect.operated(see.history(), [dict(step) for step in steps], programs=programs)
