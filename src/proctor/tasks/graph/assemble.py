"""Assemble a composition into a task: setup, answer key, near misses and the graph it is judged by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from proctor.tasks.call import Call
from proctor.tasks.checks import expect
from proctor.tasks.draw import Draw
from proctor.tasks.graph.composition import Composition, NodePlan
from proctor.tasks.graph.coverage import coverage_rate
from proctor.tasks.graph.dag import Edge
from proctor.tasks.graph.equip import equipment
from proctor.tasks.graph.intent import intent
from proctor.tasks.graph.orders import Orders, is_prefix
from proctor.tasks.graph.progress import PATIENCE
from proctor.tasks.graph.realise import realise
from proctor.tasks.graph.resource import Resource, is_a, kind_of
from proctor.tasks.graph.slots import Hold, Slots
from proctor.tasks.graph.speaking import said_alone
from proctor.tasks.graph.subtask import Subtask, Work
from proctor.tasks.graph.task_graph import GraphNode, TaskGraph
from proctor.tasks.graph.wording import asks
from proctor.tasks.task import Draft, Limits, NearMiss, Tags, Task

NEAR_MISSES = 3
"""How many near misses of its subtasks a task takes over."""
PARAPHRASES = 2
STEPS, SECONDS = 80, 240
"""How many actions and how long an agent may take for each subtask."""


def composed_task(composition: Composition, subtasks: Mapping[str, Subtask], id: str) -> Task:
    """Return the task that a composition is, under an id of its own."""
    draft = assemble(composition, subtasks)
    parts = [subtasks[composition.node(node).subtask] for node in composition.dag.order]
    fields = {name: getattr(draft, name) for name in Draft.model_fields}
    return Task(**fields, id=id, tags=tags_of(parts), limits=limits_of(len(parts)))


def tags_of(subtasks: Sequence[Subtask]) -> Tags:
    """Return how a task of these subtasks is classified; its demand is that of the last."""
    domain, scenario, demand = subtasks[-1].demand.split("/")
    apps = tuple(sorted({subtask.app for subtask in subtasks}))
    return Tags(
        apps=apps,
        # Over several applications it takes a plan of one's own.
        level=4 if len(apps) > 1 else 2,
        domain=domain,
        scenario=scenario,
        demand=demand,
        services=tuple(sorted({service for subtask in subtasks for service in subtask.services})),
    )


def limits_of(subtasks: int) -> Limits:
    """Return how long an agent may work on so many subtasks."""
    return Limits(steps=min(1000, STEPS * subtasks), seconds=SECONDS * subtasks)


def assemble(composition: Composition, subtasks: Mapping[str, Subtask]) -> Draft:
    """Return the task that a composition is; the same composition gives the same task."""
    draw = Draw(f"assemble:{composition.seed}")
    parts = {node.id: subtasks[node.subtask] for node in composition.nodes}
    works = {node.id: parts[node.id].work(node.bound) for node in composition.nodes}
    order = Orders(composition.admitted).sample(draw)
    wordings = [realise(composition, subtasks, variant=variant) for variant in range(1 + PARAPHRASES)]
    nodes = tuple(_graph_node(composition, node, parts[node.id], works[node.id]) for node in composition.nodes)
    graph = TaskGraph(
        nodes=nodes,
        edges=tuple(sorted(composition.dag.edges)),
        last=tuple(sorted(_last(composition))),
        order=order,
        patience=max(PATIENCE, 3 * max(_actions(work) for work in works.values())),
    )
    return Draft(
        instruction=wordings[0],
        paraphrases=tuple(wordings[1:]),
        intent=intent(composition),
        setup=_setup(composition, works.values()),
        check=_whole(graph),
        expected=tuple(sorted({path for node in composition.nodes for path in _expected(node, works[node.id])})),
        solution=_moves(order, works),
        near_misses=tuple(_near_misses(composition, works, order, draw)),
        graph=graph,
    )


def initial_resources(composition: Composition) -> list[Resource]:
    """Return what is there from the beginning, each thing once."""
    handed = {(binding.consumer, binding.takes) for binding in composition.bindings}
    found: dict[tuple[str, str], Resource] = {}
    for node in composition.nodes:
        for port, taken in node.bound.takes.items():
            if (node.id, port) not in handed:
                found[taken.kind, taken.value] = taken
    return list(found.values())


def _setup(composition: Composition, works: Iterable[Work]) -> tuple[Call, ...]:
    """Return all setup steps, each once, services first."""
    steps = [*(step for work in works for step in work.setup), *equipment(initial_resources(composition))]
    return tuple({step.key: step for step in steps}.values())


def _graph_node(composition: Composition, node: NodePlan, subtask: Subtask, work: Work) -> GraphNode:
    return GraphNode(
        id=node.id,
        subtask=node.subtask,
        app=subtask.app,
        ask=said_alone(node, asks(subtask)[0]),
        check=work.check,
        lasts=not any(_replaced(composition, node, port) for port in node.bound.gives),
        moves=len(work.moves),
    )


def _replaced(composition: Composition, node: NodePlan, port: str) -> bool:
    """Tell whether what a node puts into a slot may give way to something else later."""
    slot = node.bound.gives[port].kind
    others = [one for one in _writers(composition, slot) if one != node.id]
    taken = any((one.producer, one.gives) == (node.id, port) for one in composition.bindings)
    return kind_of(slot).slot and bool(others) and taken


def _writers(composition: Composition, slot: str) -> list[str]:
    return [node.id for node in composition.nodes if any(given.kind == slot for given in node.bound.gives.values())]


def _last(composition: Composition) -> Iterator[Edge]:
    """Yield which node puts something into a slot before another one whose content is to stay there."""
    for node in composition.nodes:
        for port, given in node.bound.gives.items():
            taken = any((one.producer, one.gives) == (node.id, port) for one in composition.bindings)
            if kind_of(given.kind).slot and not taken:
                yield from ((other, node.id) for other in _writers(composition, given.kind) if other != node.id)


def _expected(node: NodePlan, work: Work) -> Iterator[str]:
    for given in node.bound.gives.values():
        if is_a(given.kind, "file"):
            yield given.value
        elif given.kind == "folder":
            yield from (given.value, f"{given.value}/**")
    yield from work.expected


def _moves(order: Sequence[str], works: Mapping[str, Work]) -> tuple[Call, ...]:
    return tuple(move for node in order for move in works[node].moves)


def _actions(work: Work) -> int:
    """Return about how many actions the moves of a subtask are."""
    return sum(int(move.arguments.get("times", 1)) for move in work.moves)


def _whole(graph: TaskGraph) -> Call:
    """Return the check of the result alone: everything that lasts is there."""
    return expect.all_of([node.check for node in graph.nodes if node.lasts] or [graph.nodes[-1].check])


def _near_misses(
    composition: Composition, works: Mapping[str, Work], order: Sequence[str], draw: Draw
) -> Iterator[NearMiss]:
    """Yield near misses of some nodes, each made last, when all that does not depend on it is done."""
    dag, admitted = composition.dag, composition.admitted
    all_of_them = [(id, miss) for id, work in works.items() for miss in work.near_misses]
    for id, miss in draw.some(all_of_them, min(NEAR_MISSES, len(all_of_them))):
        undone = {id, *dag.names(admitted.descendants[admitted.position(id)])}
        before = [node for node in order if node not in undone]
        yield NearMiss(
            name=f"{id}: {miss.name}" if len(works) > 1 else miss.name,
            moves=(*_moves(before, works), *miss.moves),
            score=coverage_rate(dag, before),
        )
    if found := overwritten(composition, order):
        *before, late = found
        yield NearMiss(
            name=f"{late}: what it takes was overwritten before",
            moves=_moves(found, works),
            score=coverage_rate(dag, before),
        )


def overwritten(composition: Composition, order: Sequence[str]) -> tuple[str, ...]:
    """Return a way that seems to work and whose last node finds something else in a slot than it needs; () if none.

    Every other node on the way finds what it needs, as a simulation shows.
    """
    dag = composition.dag
    holds = [
        Hold(given.kind, node.id, frozenset(one.consumer for one in composition.bindings if one.producer == node.id))
        for node in composition.nodes
        for given in node.bound.gives.values()
        if kind_of(given.kind).slot
    ]
    writers = {hold.slot: _writers(composition, hold.slot) for hold in holds}
    slots = Slots(dag, holds, writers)
    for hold in holds:
        for late in sorted(hold.consumers):
            rest = [id for id in order if id not in {late, *dag.names(dag.descendants[dag.position(late)])}]
            for writer in writers[hold.slot]:
                if writer == hold.producer or writer not in rest:
                    continue
                # As late as what takes from it allows, which must not come before.
                after = [id for id in rest if writer in dag.predecessors(id)]
                way = (*(id for id in rest if id != writer and id not in after), writer, *after, late)
                found = slots.clobbers(way)
                if is_prefix(dag, way) and [one.consumer for one in found] == [late]:
                    return way
    return ()
