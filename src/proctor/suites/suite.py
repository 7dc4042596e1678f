"""Suites: named, versioned sets of task templates and hand-written tasks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from proctor.errors import SpecError, UnknownName
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

    def __post_init__(self) -> None:
        names = [template.name for template in self.templates]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise SpecError(f"suite {self.name!r} has two templates named {', '.join(twice)}", remedy="rename one")
        for template in self.templates:
            if template.twin and not self.tasks_from:
                self.template(template.twin)

    def template(self, name: str) -> Template:
        """Return a template by its name or by the id of its tasks; raises UnknownName with a suggestion."""
        by_name = {template.name: template for template in self.templates}
        by_id = {template.id(self._home): template for template in self.templates}
        found = by_name.get(name) or by_id.get(name)
        if found is None:
            raise UnknownName(f"task of suite {self.name!r}", name, [*by_name])
        return found

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
        for template, seed in self.variants(self.templates, seeds):
            yield self.task(template.name, seed)

    def variants(self, templates: Sequence[Template], seeds: Iterable[int]) -> Iterator[tuple[Template, int]]:
        """Yield templates with seeds, seed by seed; a task that was written by hand is the same for all of them."""
        for place, seed in enumerate(seeds):
            for template in templates:
                if place == 0 or not isinstance(template, Written):
                    yield template, seed

    @property
    def _home(self) -> str:
        return self.tasks_from or self.name


def collect(modules: Iterable[ModuleType]) -> tuple[Template, ...]:
    """Return every template of some modules, in the order they are written."""
    return tuple(thing for module in modules for thing in vars(module).values() if isinstance(thing, Template))
