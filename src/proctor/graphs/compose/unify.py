"""Unification: what one subtask gives is what another takes, and no two things share a name."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_lowercase

from proctor.errors import SpecError
from proctor.graphs.compose.casts import CastPart
from proctor.graphs.compose.composition import Binding, Composition, NodePlan
from proctor.graphs.compose.initial import initial_resource
from proctor.graphs.compose.pool import broken_promises
from proctor.graphs.compose.resource import Resource, is_a, kind_of
from proctor.graphs.compose.subtask import Bound, Subtask
from proctor.graphs.compose.theme import Theme
from proctor.graphs.mathematics.dag import Dag, Edge
from proctor.graphs.mathematics.slots import SlotHold, Slots
from proctor.tasks.draw import Draw

PLANS = 6
"""How often a subtask is planned again because a name is taken already."""
SHARED = 0.5
"""How often a subtask works on what another works on too, where it could."""


class Clash(SpecError):
    """These subtasks do not go together like this; others, or other parameters, may."""


def unify(subtasks: Sequence[Subtask], parts: Sequence[CastPart], seed: str, draw: Draw) -> Composition:
    """Bind every subtask of a cast and put what shares a slot in order.

    The parts are in a topological order; theme and parameters come from `draw`, which `seed` stands for.

    Raises:
        Clash: A subtask cannot work on what it is handed, names collide, or the slots cannot be put in order.
        SpecError: A subtask does not give what it promises.
    """
    theme = Theme.draw(draw)
    names = _Names()
    nodes: list[NodePlan] = []
    bindings: list[Binding] = []
    for place, part in enumerate(parts):
        subtask, id = subtasks[part.subtask], node_id(place)
        takes: dict[str, Resource] = {}
        for port, kind in subtask.takes.items():
            source = part.sources.get(port)
            if source is None:
                takes[port] = names.initial(subtask, kind, takes, draw, theme)
            else:
                producer = nodes[source[0]]
                takes[port] = producer.bound.gives[source[1]]
                bindings.append(Binding(producer.id, source[1], id, port))
        bound = names.plan_subtask(subtask, draw, theme, takes)
        nodes.append(NodePlan(id=id, subtask=subtask.name, bound=bound))
    try:
        ordering = slot_ordering(nodes, bindings)
    except SpecError as error:
        raise Clash(error.message, remedy=error.remedy) from error
    return Composition(seed=seed, theme=theme, nodes=tuple(nodes), bindings=tuple(bindings), ordering=ordering)


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


class _Names:
    """The names that are taken in one composition, and what is there from the beginning."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._there: dict[str, Resource] = {}
        self._users: set[tuple[str, str]] = set()
        """Which subtask takes which initial resource."""

    def initial(self, subtask: Subtask, kind: str, beside: dict[str, Resource], draw: Draw, theme: Theme) -> Resource:
        """Return something to begin with: what is there if nobody does the same with it, or a new thing."""
        usable = [
            resource
            for resource in self._there.values()
            if is_a(resource.kind, kind)
            and resource not in beside.values()
            and (subtask.name, resource.value) not in self._users
        ]
        if usable and draw.random() < SHARED:
            found = draw.choice(usable)
        else:
            found = initial_resource(kind, draw, theme, self._taken)
            self._taken.add(found.value)
            self._there[found.value] = found
        self._users.add((subtask.name, found.value))
        return found

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
            given = [f"{one.kind}: {one.value}" if kind_of(one.kind).slot else one.value for one in plan.gives.values()]
            if self._taken.isdisjoint(given) and len(set(given)) == len(given):
                self._taken.update(given)
                return Bound(takes=takes, gives=plan.gives, params=plan.params)
        raise Clash(
            f"subtask {subtask.name!r} gives {given[0]!r} again and again, which already exists",
            remedy="let its plan draw from more names",
        )
