"""A composition as a task: setup, answer key, near misses and the graph it is judged by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from proctor.graphs.compose.composition import Composition, NodePlan
from proctor.graphs.compose.equip import equipment
from proctor.graphs.compose.graph_of import graph_of
from proctor.graphs.compose.misses import moves_of, near_misses
from proctor.graphs.compose.resource import Resource, is_a
from proctor.graphs.compose.subtask import Subtask, Work
from proctor.graphs.language.realise import realise
from proctor.graphs.mathematics.orders import Orders
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect
from proctor.tasks.task import Draft, Limits, Tags, Task
from proctor.tasks.task_graph import TaskGraph

PARAPHRASES = 2
STEPS, SECONDS = 80, 240
"""How many actions and how long an agent may take for each subtask."""


def composed_task(composition: Composition, subtasks: Mapping[str, Subtask], id: str) -> Task:
    """Return the task that a composition is, under an id of its own."""
    draft = assemble(composition, subtasks)
    parts = [subtasks[composition.node(node).subtask] for node in composition.dag.order]
    return draft.task(id=id, tags=tags_of(parts), limits=limits_of(len(parts)))


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


def assemble(composition: Composition, subtasks: Mapping[str, Subtask], *, paraphrases: int = PARAPHRASES) -> Draft:
    """Return the task that a composition is; the same composition gives the same task."""
    draw = Draw(f"assemble:{composition.seed}")
    parts = {node.id: subtasks[node.subtask] for node in composition.nodes}
    works = {node.id: parts[node.id].work(node.bound) for node in composition.nodes}
    order = Orders(composition.gates).sample(draw)
    wordings: list[str] = []
    for variant in range(1 + paraphrases):
        wordings.append(realise(composition, subtasks, variant=variant, unlike=wordings))
    graph = graph_of(composition, parts, works, order)
    return Draft(
        instruction=wordings[0],
        paraphrases=tuple(wordings[1:]),
        intent=composition.purpose,
        setup=_setup(composition, works.values()),
        check=_whole(graph),
        expected=tuple(sorted({path for node in composition.nodes for path in _expected_paths(node, works[node.id])})),
        solution=moves_of(order, works),
        near_misses=tuple(near_misses(composition, works, order, draw)),
        may_differ=tuple(dict.fromkeys(admitted for work in works.values() for admitted in work.may_differ)),
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


def _expected_paths(node: NodePlan, work: Work) -> Iterator[str]:
    for given in node.bound.gives.values():
        if is_a(given.kind, "file"):
            yield given.value
        elif given.kind == "folder":
            yield from (given.value, f"{given.value}/**")
    yield from work.expected


def _whole(graph: TaskGraph) -> Call:
    """Return the check of the result alone: everything that lasts is there."""
    return expect.all_of([node.check for node in graph.nodes if node.lasts] or [graph.nodes[-1].check])
