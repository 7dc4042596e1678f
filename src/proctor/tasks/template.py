"""Templates: functions of a seeded generator that return a task.

The same seed gives the same task, byte for byte.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass

from proctor.errors import SpecError
from proctor.tasks.draw import Draw
from proctor.tasks.machine import Machine
from proctor.tasks.task import Draft, Limits, Tags, Task

Writer = Callable[[Draw], Draft]


@dataclass(frozen=True)
class Template:
    """A kind of task: what stays the same over all seeds, and the function that writes the rest."""

    name: str
    version: int
    write: Writer
    tags: Tags
    limits: Limits
    machine: Machine
    twin: str
    """Name of the template beside this one: feasible where this is not, or another event under way."""
    summary: str

    def id(self, suite: str) -> str:
        """Return the id of its tasks in a suite."""
        return f"{suite}/{self.name}-v{self.version}"

    @property
    def unproven(self) -> bool:
        """Whether its tasks are known to have no answer key."""
        return False

    def task(self, suite: str, seed: int, *, twin: Template | None = None) -> Task:
        """Return the task of one seed."""
        draft = self.write(Draw(f"{self.name}-v{self.version}:{seed}"))
        return draft.task(
            id=self.id(suite),
            seed=seed,
            tags=self.tags,
            limits=self.limits,
            machine=self.machine,
            twin=twin.id(suite) if twin else "",
        )


@dataclass(frozen=True)
class Written(Template):
    """A task that was written by hand, among templates: the same task whatever the seed."""

    fixed: Task

    @property
    def unproven(self) -> bool:
        """Whether the task has no answer key."""
        return self.fixed.unproven

    def id(self, suite: str) -> str:
        """Return the task's own id."""
        return self.fixed.id

    def task(self, suite: str, seed: int, *, twin: Template | None = None) -> Task:
        """Return the task as it is."""
        return self.fixed


def fixed_template(task: Task) -> Written:
    """Return a hand-written task as suites hold it, under its id without the suite."""
    return Written(
        name=task.id.partition("/")[2],
        version=1,
        write=_refuse,
        tags=task.tags,
        limits=task.limits,
        machine=task.machine,
        twin="",
        summary=task.instruction.partition("\n")[0],
        fixed=task,
    )


def _refuse(_draw: Draw) -> Draft:
    raise SpecError("a task that was written by hand is not written again")


def template(
    *,
    apps: tuple[str, ...],
    level: int,
    demand: str,
    services: tuple[str, ...] = (),
    feasible: bool = True,
    twin: str = "",
    version: int = 1,
    limits: Limits | None = None,
    machine: Machine | None = None,
) -> Callable[[Writer], Template]:
    """Make a template of a function; its name, with hyphens, is the name of its tasks.

    `demand` is a path in the demand hierarchy, such as `Office/Documentation/Writing`.
    """

    def make(write: Writer) -> Template:
        parts = demand.split("/")
        if len(parts) != 3:
            raise SpecError(
                f"template {write.__name__!r}: demand {demand!r} is not a path", remedy="write Domain/Scenario/Demand"
            )
        tags = Tags(
            apps=apps,
            level=level,
            domain=parts[0],
            scenario=parts[1],
            demand=parts[2],
            services=services,
            feasible=feasible,
        )
        return Template(
            name=write.__name__.replace("_", "-"),
            version=version,
            write=write,
            tags=tags,
            limits=limits or Limits(),
            machine=machine or Machine(),
            twin=twin,
            summary=(inspect.getdoc(write) or "").partition("\n")[0],
        )

    return make
