"""Unification: what one subtask gives is what another takes, and no two things share a name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from string import ascii_lowercase

from proctor.errors import SpecError
from proctor.graphs.compose.composition import Binding, Composition, NodePlan
from proctor.graphs.compose.initial import start_resource
from proctor.graphs.compose.pool import SubtaskPool, broken_promises
from proctor.graphs.compose.resource import Resource, is_a, kind_of
from proctor.graphs.compose.subtask import Bound, Subtask
from proctor.graphs.compose.theme import NAMES, PLACES, Theme
from proctor.graphs.goals.goal import Goal
from proctor.graphs.mathematics.dag import Dag, Edge
from proctor.graphs.mathematics.slots import SlotHold, Slots
from proctor.tasks.draw import Draw

PLANS = 6
"""How often a subtask is planned again because a name is taken already."""


class Clash(SpecError):
    """These subtasks do not go together like this; others, or other parameters, may."""


@dataclass(frozen=True, slots=True)
class CastPart:
    """What is made, by which subtask, and for each port of which role or thing."""

    role: str
    subtask: str
    sources: tuple[tuple[str, str], ...]


def unify(pool: SubtaskPool, goal: Goal, parts: Sequence[CastPart], seed: str, draw: Draw) -> Composition:
    """Bind the subtasks of some parts of a goal and put what shares a slot in order.

    The parts are in a topological order; theme and parameters come from `draw`, which `seed` stands for.

    Raises:
        Clash: A subtask cannot work on what it is handed, names collide, or the slots cannot be put in order.
        SpecError: A subtask does not give what it promises, or is not in the pool.
    """
    theme = draw_theme(goal, draw)
    names = _Names()
    nodes: dict[str, NodePlan] = {}
    bindings: list[Binding] = []
    for place, part in enumerate(parts):
        subtask, id = pool[part.subtask], node_id(place)
        takes: dict[str, Resource] = {}
        for port, kind in subtask.takes.items():
            source = dict(part.sources)[port]
            if source in nodes:
                producer = nodes[source]
                (given,) = producer.bound.gives
                takes[port] = producer.bound.gives[given]
                bindings.append(Binding(producer.id, given, id, port))
            else:
                takes[port] = names.start(goal, source, draw, theme)
            if not is_a(takes[port].kind, kind):
                raise SpecError(f"{part.subtask} takes no {takes[port].kind}", remedy="name another source")
        way = goal.part(part.role, part.subtask)
        hints = dict(way.hints) if way else {}
        bound = names.plan_subtask(subtask, draw, theme.with_part(part.role, hints), takes)
        nodes[part.role] = NodePlan(id=id, subtask=subtask.name, bound=bound)
    planned = tuple(nodes.values())
    try:
        ordering = slot_ordering(planned, bindings)
    except SpecError as error:
        raise Clash(error.message, remedy=error.remedy) from error
    purpose = goal.purpose.replace("{title}", theme.title)
    return Composition(
        seed=seed, theme=theme, nodes=planned, bindings=tuple(bindings), ordering=ordering, goal=goal.name,
        purpose=purpose[:1].upper() + purpose[1:],
    )  # fmt: skip


def draw_theme(goal: Goal, draw: Draw) -> Theme:
    """Draw what a goal is about this time."""
    name = draw.choice(NAMES[goal.names])
    return Theme(
        occasion=draw.choice(goal.titles),
        place=name if goal.names == "places" else draw.choice(PLACES),
        person=draw.person(),
        year=2026,
        name=name,
        remarks=goal.remarks,
        table=goal.table,
    )


def node_id(place: int) -> str:
    """Return a short name for the node at a place: a to z, then aa and so on."""
    high, low = divmod(place, len(ascii_lowercase))
    return (node_id(high - 1) if high else "") + ascii_lowercase[low]


def slot_ordering(nodes: Sequence[NodePlan], bindings: Sequence[Binding]) -> frozenset[Edge]:
    """Return the pairs of nodes that must follow one another, so that nothing in a slot is lost.

    What nobody takes out of a slot is meant to stay there, so whoever puts it there comes last.

    Raises:
        SpecError: There is no such order.
    """
    written: dict[str, list[tuple[str, str]]] = {}
    for node in nodes:
        for port, given in node.bound.gives.items():
            if kind_of(given.kind).slot:
                written.setdefault(given.kind, []).append((node.id, port))
    if not any(len(writers) > 1 for writers in written.values()):
        return frozenset()
    dag = Dag(tuple(node.id for node in nodes), frozenset((one.producer, one.consumer) for one in bindings))
    holds, last = [], set()
    for slot, writers in written.items():
        for node_port in writers:
            consumers = frozenset(one.consumer for one in bindings if (one.producer, one.gives) == node_port)
            if consumers:
                holds.append(SlotHold(slot, node_port[0], consumers))
            else:
                last |= {(other, node_port[0]) for other, _ in writers if other != node_port[0]}
    last_first = dag.with_edges(last)
    writers_of = {slot: [node for node, _ in writers] for slot, writers in written.items()}
    found = Slots(last_first, holds, writers_of).ordering_edges() | last
    return dag.with_edges(found).reduction().edges - dag.edges


def _key(resource: Resource) -> str:
    """Return what is taken once there is this: a path, or a title among things of its kind."""
    return resource.value if is_a(resource.kind, "file") else f"{resource.kind}: {resource.value}"


class _Names:
    """The names that are taken in one composition, and what is there from the beginning."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._there: dict[str, Resource] = {}

    def start(self, goal: Goal, name: str, draw: Draw, theme: Theme) -> Resource:
        """Return what is there under a name, the same whoever takes it."""
        if name not in goal.starts:
            raise SpecError(f"the goal {goal.name!r} has no {name!r}", remedy="name what it begins with, or a role")
        if name not in self._there:
            start = goal.starts[name]
            self._there[name] = start_resource(name, start.kind, start.topic, draw, theme)
            self._taken.add(_key(self._there[name]))
        return self._there[name]

    def plan_subtask(self, subtask: Subtask, draw: Draw, theme: Theme, takes: dict[str, Resource]) -> Bound:
        """Plan a subtask so that it gives no name that is taken, and puts nothing where it was before.

        Who copies a text that another one has just pasted from the clipboard would be done before beginning.
        """
        for _ in range(PLANS):
            try:
                plan = subtask.plan(draw, theme, takes)
            except SpecError as error:
                raise Clash(f"subtask {subtask.name!r}: {error.message}", remedy=error.remedy) from error
            for fault in broken_promises(subtask, plan):
                raise SpecError(f"subtask {subtask.name!r}: {fault}", remedy="correct its plan")
            given = [_key(one) for one in plan.gives.values()]
            if self._taken.isdisjoint(given) and len(set(given)) == len(given):
                self._taken.update(given)
                gives = {port: replace(one, word=one.word or f"the {theme.part}") for port, one in plan.gives.items()}
                return Bound(takes=takes, gives=gives, params=plan.params)
        raise Clash(
            f"subtask {subtask.name!r} gives {given[0]!r} again and again, which already exists",
            remedy="let its plan draw from more names",
        )
