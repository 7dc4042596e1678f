"""Suites by name: named, versioned sets of tasks, from this distribution or an installed one."""

from __future__ import annotations

import os
from pathlib import Path

from proctor.registry import Entry, Registry
from proctor.suites.suite import Suite

SUITES: Registry[Suite] = Registry(
    "suite",
    {
        "core": Entry("proctor.suites.core:SUITE"),
        "graph": Entry("proctor.suites.graph:SUITE"),
        "pool": Entry("proctor.suites.pool:SUITE"),
        "tour": Entry("proctor.suites.tour:SUITE"),
    },
    group="proctor.suites",
)


def load_suite(name: str | Path) -> Suite:
    """Return a suite by its name, or that of a folder with task files and templates of one's own.

    A folder whose name a suite has is named with its path, such as `./core`. Raises UnknownName for any other name.
    """
    if isinstance(name, str) and (SUITES.knows(name) or not is_folder(name)):
        return SUITES.get(name)
    from proctor.suites.folder import folder_suite

    return folder_suite(Path(name))


def is_folder(name: str) -> bool:
    """Tell whether a name is meant as that of a folder: it is one, or it is written as a path."""
    return os.sep in name or name in (os.curdir, os.pardir) or Path(name).is_dir()
