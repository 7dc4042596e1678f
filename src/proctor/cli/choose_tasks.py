"""How commands choose tasks: names, files, and filters by tag."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial, wraps
from pathlib import Path
from typing import Any

import click

from proctor import taxonomy
from proctor.cli.options import FOLDER, preset, with_options
from proctor.errors import SpecError, UnknownName
from proctor.runner.plan import refuse_doubles
from proctor.suites import DEFAULT, FOREIGN, SUITES, chosen_templates
from proctor.suites.hidden_seeds import SeedSecret
from proctor.suites.suite import Suite, folder_of_files, variants
from proctor.tasks.load import load_task
from proctor.tasks.task import Tags, Task
from proctor.tasks.template import Template

Filters = dict[str, tuple[str, ...]]

_FILTERS = (
    click.option("--app", multiple=True, metavar="NAME", help="Only this application; repeatable."),
    click.option("--category", multiple=True, metavar="NAME", help="Only this category of applications; repeatable."),
    click.option("--level", multiple=True, type=click.Choice([str(level) for level in taxonomy.LEVELS]),
                 help="Only this level: 1 spelled out, 2 planned, 3 adaptive, 4 across apps, 5 proactive; repeatable."),
    click.option("--domain", multiple=True, type=click.Choice(list(taxonomy.DEMANDS), case_sensitive=False),
                 help="Only this area of life or work; repeatable."),
    click.option("--service", multiple=True, type=click.Choice(taxonomy.SERVICES),
                 help="Only tasks with this service on the desktop; repeatable."),
    click.option("--feasible/--infeasible", default=None, help="Only tasks that can be done, or that cannot."),
)  # fmt: skip
_ASSETS = click.option(
    "--assets", type=FOLDER, metavar="FOLDER", help="Folder with the files that another system's tasks name."
)


def selection_options(command: Callable[..., object]) -> Callable[..., object]:
    """Give a command the arguments that choose tasks: TASK..., --suite, --assets and filters."""

    @wraps(command)
    def gather(*, feasible: bool | None, assets: Path | None, **given: Any) -> object:
        if assets is not None:
            from proctor.suites.foreign.suite import with_assets

            given["suite"] = with_assets(given["suite"], assets)
        filters: Filters = {name: given.pop(name) for name in ("app", "category", "level", "domain", "service")}
        if feasible is not None:
            filters["feasible"] = (str(feasible),)
        return command(filters=filters, **given)

    names = click.argument("names", nargs=-1, metavar="[TASK|FILE.json|FOLDER]...")
    return with_options(names, suite_option, _ASSETS, *_FILTERS)(gather)


suite_option = preset(
    "--suite", default=DEFAULT, metavar="NAME|FOLDER",
    help=f"Where tasks come from: {', '.join(SUITES.names())}, or a folder with your own task files and templates. "
    f"FORMAT:FOLDER reads another system's tasks and runs those that can run here; formats: {', '.join(FOREIGN)}.",
)  # fmt: skip


@dataclass(frozen=True)
class Choice:
    """A task that is chosen, and not yet written: suites have many, and writing takes its time."""

    id: str
    seed: int | None
    tags: Tags
    write: Callable[[], Task]
    unproven: bool = False
    """Whether it is known to have no answer key; templates have one."""


def chosen_tasks(
    suite: str,
    names: Iterable[str],
    filters: Filters,
    seeds: Iterable[int],
    *,
    limit: int | None = None,
    secret: SeedSecret | None = None,
) -> tuple[list[Task], Path | None]:
    """Return the tasks chosen, the first so many, and the folder of their files if they have one.

    Raises SpecError when nothing is left, UnknownName for a name that does not exist.
    """
    found, folder = choices(suite, names, filters, seeds, secret)
    return [choice.write() for choice in found[:limit]], folder


def choices(
    suite: str, names: Iterable[str], filters: Filters, seeds: Iterable[int], secret: SeedSecret | None = None
) -> tuple[list[Choice], Path | None]:
    """Return what `chosen_tasks` would write."""
    suite, listed = resolve_names(suite, names)
    files = [Path(name) for name in listed if name.endswith(".json")]
    if files:
        if len({file.resolve().parent for file in files}) > 1 or len(files) < len(listed):
            raise SpecError(
                "task files can come from one folder at a time only", remedy="run the command once for each folder"
            )
        tasks = [load_task(file) for file in files]
        refuse_doubles((task.id, task.seed or 0, task.digest) for task in tasks)
        kept = [Choice(task.id, task.seed, task.tags, partial(_as_it_is, task), task.unproven) for task in tasks]
        return kept, files[0].parent
    _check_names(filters)
    chosen = chosen_templates(suite, listed)
    if twice := [template.name for _, template in chosen if [t for _, t in chosen].count(template) > 1]:
        raise SpecError(f"the task {twice[0]!r} is named twice", remedy="name it once")
    wanted = [(source, template) for source, template in chosen if matches(template.tags, filters)]
    kept = [
        Choice(source.id(template), seed, template.tags, partial(source.task, template.name, seed), template.unproven)
        for source, template, seed in variants(wanted, seeds, secret)
    ]
    if not kept:
        raise SpecError(f"suite {suite!r} has no task {_filter_words(filters)}", remedy=_what_exists(chosen, filters))
    return kept, folder_of_files([source for source, _ in wanted])


def resolve_names(suite: str, names: Iterable[str]) -> tuple[str, list[str]]:
    """Return the suite and its tasks that are meant; a folder in place of a task is all in it."""
    listed = list(names)
    folders = [name for name in listed if Path(name).is_dir()]
    if not folders:
        return suite, listed
    if len(listed) > 1:
        raise SpecError(
            f"the folder {folders[0]!r} is named among other tasks",
            remedy=f"name it by itself, or choose tasks from it: --suite {shlex.quote(folders[0])} TASK...",
        )
    return str(Path(folders[0]).resolve()), []


def suite_name(suite: str, names: Iterable[str], tasks: Sequence[Task]) -> str:
    """Return the name of what was chosen, for records and folders: the suite's or the tasks'."""
    suite, listed = resolve_names(suite, names)
    if any(name.endswith(".json") for name in listed):
        return tasks[0].id.partition("/")[0]
    return "+".join(dict.fromkeys(source.name for source, _ in chosen_templates(suite, listed)))


def _filter_words(filters: Filters) -> str:
    asked = [f"{name} {' or '.join(values)}" for name, values in filters.items() if values]
    return f"with {', '.join(asked)}" if asked else "at all"


def _what_exists(chosen: Sequence[tuple[Suite, Template]], filters: Filters) -> str:
    """Return, for each filter, the values that tasks have when only the others hold."""
    hints = []
    for name, values in filters.items():
        if values:
            others = {each: held for each, held in filters.items() if each != name}
            left = [template.tags for _, template in chosen if matches(template.tags, others)]
            if found := sorted({value for tags in left for value in held_values(tags)[name]}):
                hints.append(f"{name}: {', '.join(found)}")
    return f"there is {'; '.join(hints)}" if hints else "leave out a filter; see `proctor tasks list`"


def _as_it_is(task: Task) -> Task:
    return task


def matches(tags: Tags, filters: Filters) -> bool:
    """Tell whether a task has one of the wanted values for each filter that is set."""
    held = held_values(tags)
    return all(not wanted or set(wanted) & set(held[name]) for name, wanted in filters.items())


def held_values(tags: Tags) -> Filters:
    """Return what a task has of each thing that can be filtered by."""
    return {
        "app": tuple(tags.apps),
        "category": tuple(tags.categories),
        "level": (str(tags.level),),
        "domain": (tags.domain,),
        "service": tuple(tags.services),
        "feasible": (str(tags.feasible),),
    }


def default_workers() -> int:
    """Return how many computers to use side by side: one for two cores, as applications use more."""
    return max(1, (os.cpu_count() or 2) // 2)


def _check_names(filters: Filters) -> None:
    for name in filters.get("app", ()):
        if name not in taxonomy.APPLICATIONS:
            raise UnknownName("application", name, taxonomy.APPLICATIONS, listing="proctor tasks list")
    for name in filters.get("category", ()):
        if name not in taxonomy.CATEGORIES:
            raise UnknownName("category of applications", name, taxonomy.CATEGORIES)
