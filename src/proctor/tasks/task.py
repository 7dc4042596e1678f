"""Tasks: frozen data with an answer key; what is asked, how the computer is prepared, how the result is judged."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Annotated, Any, Self

from pydantic import AfterValidator, Field, model_validator

from proctor import taxonomy
from proctor.computers.computer import Capability
from proctor.errors import SpecError, UnknownName
from proctor.tasks.call import Call, FrozenDict, Path, frozen
from proctor.tasks.model import Model, Text
from proctor.tasks.shelf import Problem
from proctor.tasks.shelves import problems as call_problems
from proctor.tasks.task_graph import TaskGraph

ID = re.compile(r"^[a-z0-9]+(-[a-z0-9]+)*/[a-z0-9]+(-[a-z0-9]+)*-v[1-9][0-9]*$")


class NearMiss(Model):
    """A tempting way to get it wrong, and what it must score."""

    name: Text
    """What goes wrong, in a few words: `saved under the wrong name`."""
    moves: tuple[Call, ...]
    score: Annotated[float, Field(ge=0.0, lt=1.0)] = 0.0
    """More than 0 only where the check gives partial credit on purpose."""


class Reply(Model):
    """What the simulated user answers when the agent asks about something."""

    about: Annotated[tuple[Text, ...], Field(min_length=1)]
    """Words, any of which in a question calls for this reply, whatever the case."""
    reply: Text


class User(Model):
    """The simulated user behind the task."""

    replies: tuple[Reply, ...] = ()
    otherwise: Text = "I can't help you there. Please do your best with what you have."
    """The answer to every other question; a refusal is an answer too."""


class Limits(Model):
    """How long an agent may work on the task."""

    steps: Annotated[int, Field(ge=1, le=1000)] = 50
    seconds: Annotated[int, Field(ge=1, le=86_400)] = 900


class Machine(Model):
    """The computer that a task is set on."""

    image: str = ""
    """Name of the desktop image; empty for the smallest that has the task's applications."""
    look: str = "xfce"
    size: tuple[int, int] = (1920, 1080)
    locale: str = "en_US.UTF-8"
    timezone: str = "UTC"
    clock: str = "2026-03-12T09:30:00"
    """What the computer believes the time to be when the task begins, so that "next Friday" is reproducible."""


class Tags(Model):
    """How a task is classified and what it needs."""

    apps: Annotated[tuple[str, ...], Field(min_length=1)]
    """Applications, by their names in `taxonomy.APPLICATIONS`."""
    level: Annotated[int, Field(ge=1, le=5)]
    domain: str
    scenario: str
    demand: str
    feasible: bool = True
    services: tuple[str, ...] = ()
    needs: tuple[Capability, ...] = ()

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories of its applications, each once, sorted."""
        known = taxonomy.APPLICATIONS
        return tuple(sorted({known[app].category for app in self.apps if app in known}))

    def problems(self) -> Iterator[Problem]:
        """Yield every name that the taxonomy does not know."""
        for place, app in enumerate(self.apps):
            yield from _unknown(("apps", place), "application", app, taxonomy.APPLICATIONS)
        for place, service in enumerate(self.services):
            yield from _unknown(("services", place), "service", service, taxonomy.SERVICES)
        tree = taxonomy.DEMANDS
        if self.domain not in tree:
            yield from _unknown(("domain",), "demand domain", self.domain, tree)
        elif self.scenario not in tree[self.domain]:
            yield from _unknown(("scenario",), f"scenario of {self.domain}", self.scenario, tree[self.domain])
        else:
            known = tree[self.domain][self.scenario]
            yield from _unknown(("demand",), f"demand of {self.scenario}", self.demand, known)


class Draft(Model):
    """The part of a task that a template writes anew for each seed."""

    instruction: Text
    """What the user asks for, in the user's own words."""
    paraphrases: tuple[Text, ...] = ()
    intent: str = ""
    """What the user is after with it all, where that is more than the instruction says."""
    setup: tuple[Call, ...] = ()
    """Steps that prepare the computer, in order."""
    ready: Call | None = None
    """A check that must hold after setup, before the agent starts; where it does not, setup has failed."""
    finish: tuple[Call, ...] = ()
    """Steps after the agent has ended and before judgement, such as saving what is open."""
    check: Call
    expected: tuple[Text, ...] = ()
    """Paths the task may change, relative to the home folder, with `*` and `**`; other changes are collateral."""
    user: User = User()
    solution: Annotated[tuple[Call, ...], Field(min_length=1)]
    near_misses: tuple[NearMiss, ...] = ()
    graph: TaskGraph | None = None
    """For a composed task: its subtasks and how they depend on one another. Its score is then the coverage rate."""
    clock: str = ""
    """Overrides the machine's clock where a template draws the day itself."""

    def task(self, **rest: Any) -> Task:
        """Return the task that it is, with the rest of its fields."""
        return Task(**{name: getattr(self, name) for name in Draft.model_fields}, **rest)


class TaskFields(Draft):
    """Everything a task holds, whether or not it all makes sense together."""

    id: str
    """`suite/name-vN`."""
    seed: int | None = None
    """The seed its template was called with; None for a task written by hand."""
    tags: Tags
    limits: Limits = Limits()
    machine: Machine = Machine()
    twin: str = ""
    """For an infeasible task: the id of a feasible one that differs only in what makes this one infeasible."""
    assets: Annotated[dict[str, Annotated[str, Field(pattern="^[0-9a-f]{64}$")]], AfterValidator(frozen)] = FrozenDict()
    """Files beside the task file that its setup uses, by name, with their SHA-256."""

    def problems(self) -> Iterator[Problem]:
        """Yield everything wrong with the task that its types cannot tell."""
        if not ID.match(self.id):
            yield Problem(("id",), f"{self.id!r} is not of the form suite/name-vN, lower case, digits and hyphens")
        for problem in self.tags.problems():
            yield Problem(("tags", *problem.path), problem.message)
        yield from call_problems(self.setup, ("setup",), "setup")
        yield from call_problems(self.finish, ("finish",), "setup", "move")
        yield from call_problems(self.check, ("check",), "check")
        if self.ready is not None:
            yield from call_problems(self.ready, ("ready",), "check")
        yield from call_problems(self.solution, ("solution",), "move")
        if self.graph is not None:
            yield from self.graph.problems(len(self.solution))
        for place, miss in enumerate(self.near_misses):
            yield from call_problems(miss.moves, ("near_misses", place, "moves"), "move")
        clocks: dict[Path, str] = {("clock",): self.clock, ("machine", "clock"): self.machine.clock}
        for path, clock in clocks.items():
            if clock and not _is_time(clock):
                yield Problem(path, f"{clock!r} is no time such as 2026-03-12T09:30:00")
        if not self.tags.feasible and not self.twin:
            yield Problem(("twin",), "an infeasible task needs a feasible twin; name its id")
        if self.twin and not ID.match(self.twin):
            yield Problem(("twin",), f"{self.twin!r} is not the id of a task")


class Task(TaskFields):
    """One task, complete; two tasks with equal digests are the same in every respect."""

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if found := list(self.problems()):
            listed = "".join(f"\n  - {'.'.join(map(str, problem.path))}: {problem.message}" for problem in found)
            raise SpecError(f"task {self.id!r} has {count(found)}:{listed}", remedy="correct each of them")
        return self

    @property
    def image(self) -> str:
        """The desktop image it runs on."""
        if self.machine.image:
            return self.machine.image
        return "starter" if all(taxonomy.APPLICATIONS[app].image == "starter" for app in self.tags.apps) else "full"

    def options(self) -> dict[str, Any]:
        """Return what `open_computer` must be told to make the task's computer."""
        machine = self.machine
        return {
            "image": self.image,
            "look": machine.look,
            "size": machine.size,
            "locale": machine.locale,
            "timezone": machine.timezone,
            "clock": self.clock or machine.clock or None,
            "network": "loopback" if self.tags.services else "off",
        }

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data; what has its default is left out."""
        data: dict[str, Any] = self.model_dump(mode="json", exclude_defaults=True)
        return data

    @property
    def text(self) -> str:
        """The one text that stands for the task: equal tasks have equal texts."""
        return json.dumps(self.to_json(), sort_keys=True, ensure_ascii=False, separators=(",", ":"))

    @property
    def digest(self) -> str:
        """SHA-256 over everything the task is."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def count(faults: Sequence[object]) -> str:
    """Return how many faults there are, in words."""
    return "1 fault" if len(faults) == 1 else f"{len(faults)} faults"


def _is_time(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _unknown(path: tuple[str | int, ...], kind: str, name: str, known: Any) -> Iterator[Problem]:
    if name not in known:
        error = UnknownName(kind, name, known)
        yield Problem(path, f"{error.message}; {error.remedy}")
