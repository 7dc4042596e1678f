"""How commands choose tasks: names, files, and filters by tag."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from proctor import taxonomy
from proctor.errors import SpecError, UnknownName
from proctor.suites import SUITES, load_suite
from proctor.tasks.load import load_task
from proctor.tasks.task import Task

Filters = dict[str, tuple[str, ...]]

_FILTERS = (
    click.option("--app", multiple=True, metavar="NAME", help="Only tasks that use this application; repeatable."),
    click.option("--category", multiple=True, metavar="NAME", help="Only this category of applications; repeatable."),
    click.option("--level", multiple=True, type=click.Choice([str(level) for level in taxonomy.LEVELS])),
    click.option("--domain", multiple=True, type=click.Choice(list(taxonomy.DEMANDS), case_sensitive=False)),
    click.option("--service", multiple=True, type=click.Choice(taxonomy.SERVICES)),
    click.option("--feasible/--infeasible", default=None, help="Only tasks that can be done, or cannot."),
)


def selection_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the arguments that choose tasks: TASK..., --suite and the filters, gathered in `filters`."""

    @wraps(command)
    def gathered(
        *,
        app: tuple[str, ...],
        category: tuple[str, ...],
        level: tuple[str, ...],
        domain: tuple[str, ...],
        service: tuple[str, ...],
        feasible: bool | None,
        **others: Any,
    ) -> Any:
        filters = {"app": app, "category": category, "level": level, "domain": domain, "service": service}
        if feasible is not None:
            filters["feasible"] = (str(feasible),)
        return command(filters=filters, **others)

    chosen: Callable[..., Any] = gathered
    for option in reversed(_FILTERS):
        chosen = option(chosen)
    chosen = click.option(
        "--suite", default="core", show_default=True, help=f"Suite to take tasks from: {', '.join(SUITES.names())}."
    )(chosen)
    return click.argument("names", nargs=-1, metavar="[TASK]...")(chosen)


def chosen_tasks(
    suite: str, names: Iterable[str], filters: Filters, seeds: Iterable[int]
) -> tuple[list[Task], Path | None]:
    """Return the tasks meant, and the folder of their files where they are files.

    Raises SpecError when nothing is left, UnknownName for a name that does not exist.
    """
    listed = list(names)
    files = [Path(name) for name in listed if name.endswith(".json")]
    if files:
        if len({file.resolve().parent for file in files}) > 1 or len(files) < len(listed):
            raise SpecError("task files are taken from one folder at a time", remedy="call once for each folder")
        return [load_task(file) for file in files], files[0].parent
    _known(filters)
    source = load_suite(suite)
    templates = [source.template(name) for name in listed] or list(source.templates)
    tasks = [source.task(template.name, seed) for seed in seeds for template in templates]
    kept = [task for task in tasks if matches(task, filters)]
    if not kept:
        raise SpecError(f"no task of suite {suite!r} is left", remedy="leave out a filter; see `proctor tasks list`")
    return kept, None


def matches(task: Task, filters: Filters) -> bool:
    """Tell whether a task has one of the wanted values for each filter that is set."""
    held = {
        "app": task.tags.apps,
        "category": task.tags.categories,
        "level": (str(task.tags.level),),
        "domain": (task.tags.domain,),
        "service": task.tags.services,
        "feasible": (str(task.tags.feasible),),
    }
    return all(not wanted or set(wanted) & set(held[name]) for name, wanted in filters.items())


def default_workers() -> int:
    """Return how many computers to use side by side: one for two cores, as applications use more than one."""
    return max(1, (os.cpu_count() or 2) // 2)


def _known(filters: Filters) -> None:
    for name in filters.get("app", ()):
        if name not in taxonomy.APPLICATIONS:
            raise UnknownName("application", name, taxonomy.APPLICATIONS)
    for name in filters.get("category", ()):
        if name not in taxonomy.CATEGORIES:
            raise UnknownName("category of applications", name, taxonomy.CATEGORIES)
