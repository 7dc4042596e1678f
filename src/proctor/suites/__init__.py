"""Suites by name: named, versioned sets of tasks, from this distribution or an installed one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from proctor.errors import UnknownName
from proctor.registry import Registration, Registry
from proctor.suites.suite import Suite, variants

if TYPE_CHECKING:
    from proctor.tasks.task import Task
    from proctor.tasks.template import Template

SUITES: Registry[Suite] = Registry(
    "suite",
    {
        "core": Registration("proctor.suites.core:SUITE"),
        "days": Registration("proctor.suites.days:SUITE"),
        "expert": Registration("proctor.suites.expert:SUITE"),
        "graph": Registration("proctor.suites.graph:SUITE"),
        "miniwob": Registration("proctor.suites.miniwob:SUITE"),
        "moving": Registration("proctor.suites.moving:SUITE"),
        "pool": Registration("proctor.suites.pool:SUITE"),
        "tour": Registration("proctor.suites.tour:SUITE"),
    },
    group="proctor.suites",
)

FOREIGN = (
    "osworld", "osmap", "agentstudio", "redteamcua", "cuagym", "gymanything", "opencomputer", "macosworld",
    "windowsagentarena", "osworld2", "omnibench",
)  # fmt: skip
"""Other systems whose task files are read as they are, as far as their tasks can run here."""

DEFAULT = "core"
"""The suite that is meant where none is named."""


def load_suite(name: str | Path) -> Suite:
    """Return a suite by its name, or that of a folder with task files and templates of one's own.

    A folder whose name a suite has is named with its path, such as `./core`; one of another system's tasks with the
    name of that before it, `osworld:FOLDER`. Raises UnknownName for any other name.
    """
    if isinstance(name, str) and (format := _misspelt(name)):
        raise UnknownName("format of tasks", format, FOREIGN)
    if isinstance(name, str) and is_foreign(name):
        from proctor.suites.foreign.suite import foreign_suite

        return foreign_suite(name)
    if isinstance(name, str) and (SUITES.knows(name) or not is_folder(name)):
        return SUITES.get(name)
    from proctor.suites.folder import folder_suite

    return folder_suite(Path(name))


def chosen_templates(suite: str | Path, names: Sequence[str]) -> list[tuple[Suite, Template]]:
    """Return the templates of these names, or all of a suite, each with the suite it is from.

    Names are looked for in the given suite; an id that is not in it carries the name of its own. Raises UnknownName
    with the nearest names.
    """
    if not names:
        source = load_suite(suite)
        return [(source, template) for template in source.templates]
    found = []
    for name in names:
        own, slash, _ = name.partition("/")
        carries_suite = bool(slash) and SUITES.knows(own)
        source = load_suite(own if carries_suite and suite == DEFAULT else suite)
        if carries_suite and source.get(name) is None:
            source = load_suite(own)
        found.append((source, source.template(name)))
    return found


def write_tasks(suite: str | Path, names: Sequence[str], seeds: Iterable[int]) -> Iterator[Task]:
    """Yield the tasks of these names, or all of a suite, for every seed."""
    for source, template, seed in variants(chosen_templates(suite, names), seeds):
        yield source.task(template.name, seed)


def is_foreign(name: str) -> bool:
    """Tell whether a suite is named as a folder of another system's tasks, such as `osworld:FOLDER`."""
    return name.partition(":")[0] in FOREIGN and ":" in name


def _misspelt(name: str) -> str:
    """Return what stands before a colon where it is nearly the name of another system."""
    format, colon, rest = name.partition(":")
    near = bool(colon and rest) and format not in FOREIGN and get_close_matches(format.lower(), FOREIGN, 1, 0.8)
    return format if near else ""


def is_folder(name: str) -> bool:
    """Tell whether a name is meant as that of a folder: it is one, or it is written as a path."""
    return os.sep in name or name in (os.curdir, os.pardir) or Path(name).is_dir()
