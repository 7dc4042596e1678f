"""Tasks: frozen data with an answer key.

What is asked, how the computer is prepared, how the result is judged.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import AfterValidator, Field, model_validator

from proctor import taxonomy
from proctor.computers.computer import Capability
from proctor.errors import SpecError
from proctor.tasks.call import Call, FrozenDict, freeze
from proctor.tasks.checkpoints import (
    MOST_CHECKPOINTS,
    UNSTATED,
    Checkpoint,
    checkpoint_problems,
    combine,
    name_problems,
)
from proctor.tasks.day import Day
from proctor.tasks.events import Event, event_problems
from proctor.tasks.machine import Machine, is_time, unknown
from proctor.tasks.model import PlainModel, Text
from proctor.tasks.people import fact_problems, people_events, people_problems
from proctor.tasks.person import Respondent, User
from proctor.tasks.provenance import Provenance
from proctor.tasks.shelf import Problem
from proctor.tasks.shelves import problems as call_problems
from proctor.tasks.task_graph import TaskGraph

if TYPE_CHECKING:
    from proctor.computers.fit import MachineNeeds

ID = re.compile(r"^[a-z0-9]+(-[a-z0-9]+)*/[a-z0-9]+(-[a-z0-9]+)*-v[1-9][0-9]*$")


class NearMiss(PlainModel):
    """A tempting way to get it wrong, and what it must score."""

    name: Text
    """What goes wrong, in a few words: `saved under the wrong name`."""
    moves: tuple[Call, ...]
    score: Annotated[float, Field(ge=0.0, lt=1.0)] = 0.0
    """More than 0 only if the check gives partial credit on purpose."""
    breaks: str = ""
    """The one checkpoint that does not hold then, by its name; it scores what the others weigh."""


class Way(PlainModel):
    """An alternative to the solution: another right way, or a cheat."""

    name: Text
    """What it does, in a few words: `by the command line`."""
    moves: Annotated[tuple[Call, ...], Field(min_length=1)]


class Admission(PlainModel):
    """A difference in the end state that a proof reports and the task allows."""

    which: Text
    """A pattern over the labels of mutants and variants, with `*` for anything."""
    why: Text
    """Why it is allowed."""


class Limits(PlainModel):
    """How long an agent may work on the task."""

    steps: Annotated[int, Field(ge=1, le=1000)] = 50
    seconds: Annotated[int, Field(ge=1, le=86_400)] = 900


UNJUDGED = "unjudged"
"""The source of tasks that ask for nothing: desktops of the studio, for showing or preparing something."""


class Source(PlainModel):
    """The origin of a task that was written elsewhere."""

    format: Text
    """The format it was written in, such as `osworld`."""
    file: str = ""
    """The file it was read from, as named in its own project."""
    digest: Annotated[str, Field(pattern="^([0-9a-f]{64})?$")] = ""
    """The SHA-256 of that file."""


class Tags(PlainModel):
    """How a task is classified and what it needs."""

    apps: Annotated[tuple[str, ...], Field(min_length=1)]
    """Applications, by their names in `taxonomy.APPLICATIONS`; a task from elsewhere may use other names."""
    level: Annotated[int, Field(ge=1, le=5)]
    domain: str
    scenario: str
    demand: str
    feasible: bool = True
    services: tuple[str, ...] = ()
    needs: tuple[Capability, ...] = ()
    """What a computer must be able to do, in addition to `Machine.capabilities`."""
    demand_tree: str = ""
    """The demand tree of domain, scenario and demand; empty for OS-MAP's, in which they must then occur."""

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories of its applications, each once, sorted."""
        known = taxonomy.APPLICATIONS
        return tuple(sorted({known[app].category for app in self.apps if app in known}))

    def problems(self, *, elsewhere: bool = False) -> Iterator[Problem]:
        """Yield every name that the taxonomy does not know.

        A task from elsewhere may use applications of its own.
        """
        for place, app in enumerate(() if elsewhere else self.apps):
            yield from unknown(("apps", place), "application", app, taxonomy.APPLICATIONS)
        for place, service in enumerate(self.services):
            yield from unknown(("services", place), "service", service, taxonomy.SERVICES)
        tree = taxonomy.DEMANDS
        if self.demand_tree:
            return
        if self.domain not in tree:
            yield from unknown(("domain",), "demand domain", self.domain, tree)
        elif self.scenario not in tree[self.domain]:
            yield from unknown(("scenario",), f"scenario of {self.domain}", self.scenario, tree[self.domain])
        else:
            known = tree[self.domain][self.scenario]
            yield from unknown(("demand",), f"demand of {self.scenario}", self.demand, known)


class Draft(PlainModel):
    """The part of a task that a template writes again for each seed."""

    instruction: Text
    """What the user asks for, in the user's own words."""
    paraphrases: tuple[Text, ...] = ()
    intent: str = ""
    """What the user wants to achieve, if that is more than the instruction says."""
    setup: tuple[Call, ...] = ()
    """Steps that prepare the computer, in order."""
    goal: Call | None = None
    """A probe that reads the wording of the task after setup; the agent is told this instead of the instruction. For
    tasks whose wording is known only to the prepared computer."""
    ready: Call | None = None
    """A check that must hold after setup, before the agent starts; otherwise setup has failed."""
    events: Annotated[tuple[Event, ...], Field(max_length=100)] = ()
    """What happens while the agent works, and when; events that are due at once happen in this order."""
    finish: tuple[Call, ...] = ()
    """Steps after the agent has ended and before judgement, such as saving what is open."""
    check: Call = UNSTATED
    """What must hold at the end; a day, and a task with checkpoints, is judged by these instead."""
    checkpoints: Annotated[tuple[Checkpoint, ...], Field(max_length=MOST_CHECKPOINTS)] = ()
    """The parts of long work, in the order in which the solution reaches them."""
    guards: tuple[Call, ...] = ()
    """Checks that hold from beginning to end, for a task with checkpoints; where one fails, nothing counts."""
    expected: tuple[Text, ...] = ()
    """Paths that the task may change, relative to the home folder; other changes are collateral. Patterns with `*` and
    `**` cover what is created or moved there, never changes to what was there before."""
    may_change: tuple[Text, ...] = ()
    """Parts of documents and stores that the task leaves open, written like side effects: `Documents/plan.odt: page *`.
    What the check asks for need not be listed."""
    copies: Annotated[dict[Text, Text], AfterValidator(freeze)] = FrozenDict()
    """Files copied from others, as new file: old file; whatever got lost in copying is collateral."""
    user: User = User()
    people: Annotated[tuple[Respondent, ...], Field(max_length=8)] = ()
    """Others who can be asked, in the chat or by email."""
    solution: tuple[Call, ...] = ()
    """Moves that do the task; without them it is unproven, and marked as such wherever it is shown."""
    near_misses: tuple[NearMiss, ...] = ()
    other_ways: tuple[Way, ...] = ()
    """Other right ways, by different routes; each must score 1 and change nothing else."""
    cheats: tuple[Way, ...] = ()
    """Ways to score without doing the work; none may score 1 without changing something else."""
    may_differ: tuple[Admission, ...] = ()
    """Changes to the end state that the verdict may rightly overlook, and why."""
    day: Day | None = None
    """For a day: what is due on it and what only looks so; its check follows from that."""
    graph: TaskGraph | None = None
    """For a composed task: its subtasks and how they depend on one another. Its score is then the coverage rate."""
    clock: str = ""
    """Overrides the machine's clock, if a template draws the day itself."""

    @model_validator(mode="after")
    def _judge_by_parts(self) -> Self:
        if self.check == UNSTATED and (self.day or self.checkpoints):
            object.__setattr__(self, "check", self._check_of_parts)
        return self

    @property
    def _check_of_parts(self) -> Call:
        """The check that follows from its day or its checkpoints."""
        return self.day.check if self.day else combine(self.checkpoints, self.guards, self.head_start)

    @property
    def head_start(self) -> int:
        """How many of its checkpoints hold when the agent begins."""
        return 0

    def task(self, **rest: Any) -> Task:
        """Return the task that it is, with the rest of its fields."""
        return Task(**{name: getattr(self, name) for name in Draft.model_fields}, **rest)


class TaskFields(Draft):
    """All fields of a task, whether or not they make sense together."""

    id: str
    """`suite/name-vN`. A file may leave out the version (default: 1) and the suite (default: its folder)."""
    seed: int | None = None
    """The seed its template was called with; None for a task written by hand."""
    tags: Tags
    limits: Limits = Limits()
    machine: Machine = Machine()
    twin: str = ""
    """The id of a task that differs only in what makes this one infeasible, or in what happens under way."""
    assets: Annotated[dict[str, Annotated[str, Field(pattern="^[0-9a-f]{64}$")]], AfterValidator(freeze)] = FrozenDict()
    """Files next to the task file that its setup uses, by name, with their SHA-256."""
    source: Source | None = None
    """For a task that was written elsewhere: its origin."""
    counterparts: Annotated[dict[Text, Text], AfterValidator(freeze)] = FrozenDict()
    """Expected files (assets), by the path that the check compares with them: a proof without an answer key puts them
    there."""
    begin_after: str = ""
    """The checkpoint up to which its solution is carried out before the agent begins; the agent earns the rest."""
    original: Call | None = None
    """For a task that was written elsewhere: a check with its original verdict, if that may differ."""
    provenance: Provenance | None = None
    """For a task that `proctor tasks synth` made: who proposed it, and what that took."""

    @property
    def elsewhere(self) -> bool:
        """Whether it may name what our own taxonomy and images do not have."""
        return self.source is not None or bool(self.machine.image)

    @property
    def head_start(self) -> int:
        """How many of its checkpoints hold when the agent begins."""
        names = [each.name for each in self.checkpoints]
        return names.index(self.begin_after) + 1 if self.begin_after in names[:-1] else 0

    def problems(self) -> Iterator[Problem]:
        """Yield everything wrong with the task that its types cannot tell."""
        if not ID.match(self.id):
            yield Problem(("id",), f"{self.id!r} is not of the form suite/name-vN, lower case, digits and hyphens")
        for problem in self.tags.problems(elsewhere=self.elsewhere):
            yield Problem(("tags", *problem.path), problem.message)
        for problem in self.machine.problems():
            yield Problem(("machine", *problem.path), problem.message)
        for place, app in enumerate(() if self.elsewhere else self.machine.applications):
            yield from unknown(("machine", "applications", place), "application", app, taxonomy.APPLICATIONS)
        if self.machine.network == "off" and (self.machine.services or self.tags.services):
            yield Problem(("machine", "network"), "services need the network 'loopback', and it is 'off'")
        yield from self._part_problems()
        yield from event_problems(self.events, self.limits.steps, [each.name for each in self.checkpoints])
        yield from people_problems(self.people, self.events, self.setup)
        if self.graph is not None:
            yield from self.graph.problems(len(self.solution))
        if self.day is not None:
            yield from self.day.problems({event.name for event in self.events})
        yield from self._way_problems()
        yield from self._reply_problems()
        if self.clock and not is_time(self.clock):
            yield Problem(("clock",), f"{self.clock!r} is not a time such as 2026-03-12T09:30:00")
        if not self.tags.feasible and not self.twin and self.source is None:
            yield Problem(("twin",), "an infeasible task needs a feasible twin; name its id")
        if self.twin and not ID.match(self.twin):
            yield Problem(("twin",), f"{self.twin!r} is not the id of a task")

    def _part_problems(self) -> Iterator[Problem]:
        """Yield what is wrong with setup, checks and the solution."""
        yield from call_problems(self.setup, ("setup",), "setup")
        if self.goal is not None:
            yield from call_problems(self.goal, ("goal",), "probe")
        yield from call_problems(self.finish, ("finish",), "setup", "move")
        if self.check == UNSTATED:
            yield Problem(("check",), "the task lacks the field 'check'")
        elif not self.checkpoints and not self.day:
            yield from call_problems(self.check, ("check",), "check")
        elif self.check != self._check_of_parts:
            what = "a day" if self.day else "checkpoints"
            yield Problem(("check",), f"it has {what}, by which it is judged; leave 'check' out")
        yield from checkpoint_problems(self.checkpoints, self.guards, len(self.solution))
        yield from name_problems(self.begin_after, [each.name for each in self.checkpoints][:-1], ("begin_after",))
        for field, check in (("ready", self.ready), ("original", self.original)):
            if check is not None:
                yield from call_problems(check, (field,), "check")
        yield from call_problems(self.solution, ("solution",), "move")

    def _way_problems(self) -> Iterator[Problem]:
        """Yield what is wrong with the moves of near misses, other ways and cheats."""
        fields: dict[str, Sequence[NearMiss | Way]] = {
            "near_misses": self.near_misses,
            "other_ways": self.other_ways,
            "cheats": self.cheats,
        }
        for field, ways in fields.items():
            for place, way in enumerate(ways):
                yield from call_problems(way.moves, (field, place, "moves"), "move")
        names = [each.name for each in self.checkpoints]
        for place, miss in enumerate(self.near_misses):
            yield from name_problems(miss.breaks, names, ("near_misses", place, "breaks"))

    def _reply_problems(self) -> Iterator[Problem]:
        """Yield what is wrong with what the user knows."""
        names = {event.name for event in self.events}
        for place, reply in enumerate(self.user.replies):
            yield from fact_problems(reply, ("user", "replies", place), names)
            if reply.undecided is not None:
                yield from call_problems(reply.undecided, ("user", "replies", place, "undecided"), "check")


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
        return self.machine.image or taxonomy.image_for(self.machine.applications or self.tags.apps)

    @property
    def unjudged(self) -> bool:
        """Whether it asks for nothing that could be judged, such as a desktop to show things on."""
        return self.source is not None and self.source.format == UNJUDGED

    @property
    def unproven(self) -> bool:
        """Whether it has no answer key, so that nothing shows that it can be done."""
        return not self.solution

    @property
    def every_event(self) -> tuple[Event, ...]:
        """Its events, and what people may say; checkpoints that they wait for are checks."""
        checks = {each.name: each.check for each in self.checkpoints}
        return (*(event.with_checks(checks) for event in self.events), *people_events(self.people))

    @property
    def lead_in(self) -> tuple[Call, ...]:
        """The moves of its solution that come before the agent begins."""
        return self.solution[: sum(each.moves for each in self.checkpoints[: self.head_start])]

    def score_of(self, miss: NearMiss) -> float:
        """Return what a near miss must score: what it says, or all but what it breaks."""
        lost = sum(each.weight for each in self.checkpoints if each.name == miss.breaks)
        return 1.0 - lost if lost else miss.score

    @property
    def whole_user(self) -> User:
        """Its user, who on a day decides about everything that it brings."""
        return self.day.with_matters(self.user) if self.day else self.user

    @property
    def checks(self) -> tuple[Call, ...]:
        """The check that judges it, and that of its own system where there is one."""
        return (self.check,) if self.original is None else (self.check, self.original)

    @property
    def needs(self) -> MachineNeeds:
        """What it needs of a computer, whichever that is."""
        tags = self.tags
        needed = self.machine.needs(
            image=self.image, clock=self.clock, apps=tags.apps, services=tags.services, needs=tags.needs
        )
        return replace(needed, prepared=bool(self.setup))

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data, without what has its default or follows from the rest."""
        made = {"check"} if self.checkpoints else None
        data: dict[str, Any] = self.model_dump(mode="json", exclude_defaults=True, exclude=made)
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
