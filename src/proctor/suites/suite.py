"""Suites: named, versioned sets of task templates and hand-written tasks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from proctor.errors import SpecError, UnknownName
from proctor.suites.hidden_seeds import SeedSecret
from proctor.tasks.task import Task
from proctor.tasks.template import Template, Written


@dataclass(frozen=True)
class Suite:
    """A set of templates under one name; its version changes when any of its tasks does."""

    name: str
    version: int
    summary: str
    templates: tuple[Template, ...]
    tasks_from: str = ""
    """The suite whose tasks these are, where this one is a selection of another."""
    assets: Path | None = None
    """The folder of the files that its tasks use, where it is one."""
    place: str = ""
    """What it is asked for by, where that is neither its folder nor its name."""
    computer: str = ""
    """The computer its tasks are made for, with options, as a run names one; empty for the usual one."""

    def __post_init__(self) -> None:
        names = [template.name for template in self.templates]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise SpecError(f"suite {self.name!r} has two templates named {', '.join(twice)}", remedy="rename one")
        for template in self.templates:
            if template.twin and not self.tasks_from:
                self.template(template.twin)

    def template(self, name: str) -> Template:
        """Return a template by its name, with or without the suite's before it, or by its tasks' id.

        Raises UnknownName with a suggestion.
        """
        found = self.get(name)
        if found is None:
            names = [template.name for template in self.templates]
            listing = f"proctor tasks list --suite {self.place or self.assets or self.name}"
            raise UnknownName(f"task of suite {self.name!r}", name.rpartition("/")[2], names, listing=listing)
        return found

    def get(self, name: str) -> Template | None:
        """Return a template as `template` does; None when there is no such."""
        for template in self.templates:
            id = template.id(self._home)
            alone = (template.name, id.rpartition("/")[2])
            if name in (*alone, id, f"{self._home}/{template.name}", f"{self.name}/{template.name}"):
                return template
        return None

    def id(self, template: Template) -> str:
        """Return the id of a template's tasks."""
        return template.id(self._home)

    def task(self, name: str, seed: int = 0) -> Task:
        """Return the task of one template and seed."""
        template = self.template(name)
        twin = next((other for other in self.templates if other.name == template.twin), None)
        return template.task(self._home, seed, twin=twin)

    def tasks(self, seeds: Sequence[int] = (0,)) -> Iterator[Task]:
        """Yield every task for every seed, seed by seed."""
        for _, template, seed in variants([(self, template) for template in self.templates], seeds):
            yield self.task(template.name, seed)

    @property
    def _home(self) -> str:
        return self.tasks_from or self.name


def variants(
    templates: Sequence[tuple[Suite, Template]], seeds: Iterable[int], secret: SeedSecret | None = None
) -> Iterator[tuple[Suite, Template, int]]:
    """Yield templates with seeds, seed by seed.

    A task that was written by hand is the same for all of them. With a secret, each template has seeds of its own, made
    from it and these numbers.
    """
    for place, seed in enumerate(seeds):
        for suite, template in templates:
            if place == 0 or not isinstance(template, Written):
                yield suite, template, secret.seed(suite.id(template), seed) if secret else seed


def folder_of_files(suites: Iterable[Suite]) -> Path | None:
    """Return the one folder that the files of tasks are in; raises SpecError where there are several."""
    folders = {suite.assets for suite in suites if suite.assets}
    if len(folders) > 1:
        raise SpecError(
            "tasks with their own files can come from one suite at a time only", remedy="run the command once for each"
        )
    return next(iter(folders), None)


def collect(modules: Iterable[ModuleType]) -> tuple[Template, ...]:
    """Return every template of some modules in their order; those in a tuple belong together."""
    found = [thing for module in modules for thing in vars(module).values()]
    return tuple(
        each
        for thing in found
        for each in (thing if isinstance(thing, tuple) else (thing,))
        if isinstance(each, Template)
    )
