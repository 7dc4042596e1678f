"""The pool: subtasks by name, found by what they take and give, by application and by category."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from string import Formatter
from types import MappingProxyType

from proctor import taxonomy
from proctor.errors import SpecError, UnknownName
from proctor.graphs.compose.goal_faults import goal_faults
from proctor.graphs.compose.initial import INITIAL_KINDS, initial_resource
from proctor.graphs.compose.resource import KINDS, Resource, is_a, kind_of
from proctor.graphs.compose.subtask import Bound, Subtask
from proctor.graphs.compose.theme import Theme
from proctor.graphs.goals.goal import Goal
from proctor.tasks.draw import Draw


class SubtaskPool:
    """Subtasks to compose tasks from, and the goals that they may serve."""

    def __init__(
        self, subtasks: Iterable[Subtask], *, goals: Iterable[Goal] = (), initial: Collection[str] = INITIAL_KINDS
    ) -> None:
        """Take them in; `initial` are the kinds of resources that a task may begin with.

        Raises:
            SpecError: Names every fault of every subtask, or says that there is none.
        """
        listed = list(subtasks)
        faults = [f"{one.name}: {fault}" for one in listed for fault in faults_of(one)]
        goals = list(goals)
        self.goals = {goal.name: goal for goal in goals}
        for what, names in (("subtasks", [one.name for one in listed]), ("goals", [goal.name for goal in goals])):
            times = Counter(names)
            faults += [f"{name}: {times[name]} {what} have this name" for name in sorted(times) if times[name] > 1]
        if not faults:
            by_name = {one.name: one for one in listed}
            faults += [f"goal {goal.name}: {it}" for goal in goals for it in goal_faults(goal, by_name, initial)]
        if faults:
            lines = "".join(f"\n  - {fault}" for fault in faults)
            raise SpecError(
                f"the pool has {len(faults)} fault{'s' * (len(faults) > 1)}:{lines}", remedy="correct each of them"
            )
        if not listed:
            raise SpecError("the pool has no subtasks", remedy="add subtasks, or widen the choice of applications")
        self.initial = frozenset(initial)
        self._subtasks = {one.name: one for one in sorted(listed, key=lambda one: one.name)}

    def __len__(self) -> int:
        return len(self._subtasks)

    def __iter__(self) -> Iterator[Subtask]:
        """Yield the subtasks by name, so that nothing depends on the order in which they were added."""
        return iter(self._subtasks.values())

    def __getitem__(self, name: str) -> Subtask:
        if name not in self._subtasks:
            raise UnknownName("subtask", name, self._subtasks)
        return self._subtasks[name]

    def __contains__(self, name: object) -> bool:
        return name in self._subtasks

    @property
    def by_name(self) -> Mapping[str, Subtask]:
        """The subtasks by their names."""
        return MappingProxyType(self._subtasks)

    @cached_property
    def uses(self) -> Mapping[str, int]:
        """How many parts of goals each subtask serves."""
        return Counter(part.subtask for goal in self.goals.values() for part in goal.parts)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all subtasks."""
        return tuple(self._subtasks)

    @property
    def apps(self) -> tuple[str, ...]:
        """The applications, each once, sorted."""
        return tuple(sorted({one.app for one in self}))

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories of the applications, each once, sorted."""
        return tuple(sorted({category_of(one) for one in self}))

    def only(self, *, apps: Collection[str] = (), categories: Collection[str] = ()) -> SubtaskPool:
        """Return the pool of some applications and categories; an empty choice is not a restriction.

        Raises:
            SpecError: A name is unknown, or nothing is left.
        """
        for kind, chosen, known in (
            ("application", apps, taxonomy.APPLICATIONS),
            ("category", categories, taxonomy.CATEGORIES),
        ):
            for name in chosen:
                if name not in known:
                    raise UnknownName(kind, name, known)
        if not apps and not categories:
            return self
        left = [
            one for one in self if (not apps or one.app in apps) and (not categories or category_of(one) in categories)
        ]
        if not left:
            wanted = ", ".join([*sorted(apps), *sorted(categories)])
            raise SpecError(f"the pool has no subtask of {wanted}", remedy=f"choose among {', '.join(self.apps)}")
        part = object.__new__(SubtaskPool)  # these subtasks have been checked already
        part.initial, part._subtasks = self.initial, {one.name: one for one in left}
        lasting = {one.name for one in left if not any(kind_of(kind).slot for kind in one.gives.values())}
        part.goals = {name: goal.within(part._subtasks, lasting) for name, goal in self.goals.items()}
        return part


def category_of(subtask: Subtask) -> str:
    """Return the category of a subtask's application."""
    return taxonomy.APPLICATIONS[subtask.app].category


@lru_cache(maxsize=4096)
def parameters(subtask: Subtask) -> frozenset[str]:
    """Return the names in its first wording that are not resources."""
    return _placeholders(subtask.asks[0]) - set(subtask.takes) - set(subtask.gives)


def faults_of(subtask: Subtask) -> list[str]:
    """Return everything wrong with a subtask that can be told without a computer."""
    missing = [name for name in ("app", "asks", "steps", "demand") if not getattr(subtask, name, None)]
    if missing:
        return [f"{name} is missing" for name in missing]
    found = [*_unknown_names(subtask), *_wording_faults(subtask)]
    return found or list(_plan_faults(subtask))


def _unknown_names(subtask: Subtask) -> Iterator[str]:
    domain, _, rest = subtask.demand.partition("/")
    scenario, _, demand = rest.partition("/")
    if demand not in taxonomy.DEMANDS.get(domain, {}).get(scenario, ()):
        yield f"unknown demand {subtask.demand!r}"
    names: list[tuple[str, str, Collection[str]]] = [("application", subtask.app, taxonomy.APPLICATIONS)]
    names += [("kind of resource", kind, KINDS) for kind in (*subtask.takes.values(), *subtask.gives.values())]
    names += [("service", service, taxonomy.SERVICES) for service in subtask.services]
    for what, name, known in names:
        if name not in known:
            error = UnknownName(what, name, known)
            yield f"{error.message}; {error.remedy}"


def _wording_faults(subtask: Subtask) -> Iterator[str]:
    ports = {**subtask.takes, **subtask.gives}
    for port in sorted(set(subtask.takes) & set(subtask.gives)):
        yield f"{port!r} is both taken and given"
    slots = [kind for kind in subtask.gives.values() if kind in KINDS and KINDS[kind].slot]
    for kind in sorted({kind for kind in slots if slots.count(kind) > 1}):
        yield f"it gives {kind} twice, of which there is only one"
    asked = [*subtask.asks, *filter(None, [subtask.brief])]
    try:
        wordings = [_placeholders(ask) for ask in asked]
        steps = {name for step in subtask.steps for name in _placeholders(step)}
    except ValueError as error:
        yield f"a wording cannot be read: {error}"
        return
    params = set[str]().union(*wordings) - set(ports)
    # What is in a slot needs no name: there is only one clipboard.
    named = {port for port, kind in ports.items() if kind in KINDS and not KINDS[kind].slot} | params
    for ask, placeholders in zip(asked, wordings, strict=True):
        for name in sorted(named - placeholders):
            yield f"the wording {ask!r} does not name {{{name}}}"
    for name in sorted(steps - set(ports) - params):
        yield f"its steps name {{{name}}}, which no wording does"


def _plan_faults(subtask: Subtask) -> Iterator[str]:
    """Plan once with anything of the right kinds and compare what comes of it with what was promised."""
    draw = Draw(f"trial of {subtask.name}")
    theme = Theme.draw(draw)
    takes: dict[str, Resource] = {}
    for port, kind in subtask.takes.items():
        takes[port] = initial_resource(kind, draw, theme, {taken.value for taken in takes.values()})
    try:
        bound = subtask.plan(draw, theme, takes)
    except SpecError as error:
        yield f"it cannot be planned: {error.message}"
    else:
        yield from broken_promises(subtask, bound)


def broken_promises(subtask: Subtask, bound: Bound) -> Iterator[str]:
    """Yield what a plan says against what its subtask promises."""
    for port in sorted(set(subtask.gives) ^ set(bound.gives)):
        yield f"its plan {'does not give' if port in subtask.gives else 'gives undeclared'} {port!r}"
    for port in sorted(set(subtask.gives) & set(bound.gives)):
        kind = bound.gives[port].kind
        if not is_a(kind, subtask.gives[port]):
            yield f"its plan gives a {kind} as {port!r}, which is not a {subtask.gives[port]}"
    for name in sorted(parameters(subtask) - set(bound.params)):
        yield f"its plan does not choose the parameter {name!r}"


@lru_cache(maxsize=4096)
def _placeholders(text: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in Formatter().parse(text) if name is not None)
