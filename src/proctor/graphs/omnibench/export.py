"""OmniBench's records of composed tasks, made from their graphs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from random import Random
from string import Formatter
from uuid import NAMESPACE_URL, uuid5

from proctor.errors import SpecError
from proctor.graphs.compose.resource import is_a, kind_of
from proctor.graphs.mathematics.dag import Dag
from proctor.graphs.mathematics.orders import Orders
from proctor.graphs.omnibench.records import Graph, SubtaskMetadata, TaskMetadata, TaskResources
from proctor.tasks.task_graph import GraphNode, TaskGraph

MOST_ORDERS = 100
"""Up to so many orders are all listed; of more, as many as SAMPLE."""
SAMPLE = 20
MOST_SETS = 20_000

RESOURCES = {
    "file": "file_path", "folder": "dir_path", "text_file": "txt_path", "table_file": "csv_path", "pdf": "pdf_path",
    "spreadsheet": "xlsx_path", "document": "docx_path", "slides": "pptx_path", "image": "img_path",
    "video": "video_path", "archive": "zip_path", "clipboard_text": "text_in_clipboard",
    "playing_track": "playing_song",
}  # fmt: skip
"""OmniBench's names for kinds of resources; kinds that it has no name for keep ours."""
CONTENTS = "contents"
"""A parameter that no wording names: the same files may hold something else in another task, and be judged by that."""


class TaskRecords:
    """A composed task and its subtasks, as OmniBench writes them."""

    def __init__(
        self,
        graph: TaskGraph,
        *,
        name: str,
        instruction: str,
        intent: str = "",
        keys: bool = False,
        proctor: Mapping[str, object] | None = None,
    ) -> None:
        """Take a graph apart; with `keys`, parameters tell what a subtask is judged by."""
        self.name, self.instruction, self.intent, self.graph = name, instruction, intent, graph
        self.proctor = dict(proctor) if proctor else None
        self.subtasks: dict[str, SubtaskMetadata] = {}
        """By node, with the parameters of this task alone."""
        asked: dict[str, int] = {}
        for node in graph.nodes:
            asked[node.subtask] = asked.get(node.subtask, 0) + 1
            self.subtasks[node.id] = _subtask(node, asked[node.subtask], keys=keys)
        self.orders, self.count = list_orders(graph.order_gates, name)

    def ids(self, nodes: Iterable[str]) -> tuple[str, ...]:
        """Return the ids of the subtasks at some nodes."""
        return tuple(self.subtasks[node].id for node in nodes)

    def metadata(self, task_id: str = "") -> TaskMetadata:
        """Return the record of the task, with the orders that are listed by now."""
        ids = {node: subtask.id for node, subtask in self.subtasks.items()}
        return TaskMetadata(
            task_id=task_id or self.name,
            task_instruction=self.instruction,
            dag=_graph_record(self.graph.dag, ids),
            task_intent=self.intent,
            successful_topo=tuple(self.ids(order) for order in self.orders),
            successful_topo_count=None if self.count == len(self.orders) else self.count,
            parameters={ids[node]: subtask.available_parameters[0] for node, subtask in self.subtasks.items()},
            resources={
                ids[node.id]: TaskResources(takes=_concrete(node, node.takes), gives=_concrete(node, node.gives))
                for node in self.graph.nodes
            },
            proctor=self.proctor,
        )


class SubtaskCollection:
    """Subtasks by their ids, each with all parameters that some task asks for it with."""

    def __init__(self) -> None:
        self._found: dict[str, SubtaskMetadata] = {}
        self._sets: dict[str, dict[str, None]] = {}

    def add(self, record: SubtaskMetadata) -> None:
        """Add a subtask, or to a known one its parameters."""
        self._found.setdefault(record.id, record)
        sets = self._sets.setdefault(record.id, {})
        sets.update(dict.fromkeys(json.dumps(each) for each in record.available_parameters))

    def __iter__(self) -> Iterator[SubtaskMetadata]:
        """Yield each once."""
        for id, record in self._found.items():
            yield record.model_copy(update={"available_parameters": tuple(map(json.loads, self._sets[id]))})


def check_key(node: GraphNode) -> str:
    """Return what a check goes by among those of its subtask."""
    return hashlib.sha256(json.dumps(node.check.to_json(), sort_keys=True).encode()).hexdigest()[:12]


def lone_subtask(key: str, app: str, ask: str) -> SubtaskMetadata:
    """Return the record of what is asked for in one application, and is no part of a composed task."""
    return SubtaskMetadata(
        id=_subtask_id(key),
        instruction_template=ask.replace("{", "{{").replace("}", "}}"),
        application=app,
        available_parameters=({},),
        OS="Linux",
    )


def list_orders(dag: Dag, seed: str) -> tuple[list[tuple[str, ...]], int | None]:
    """Return all orders where they are few, or some at random, and how many there are, if known."""
    orders = Orders(dag, most_sets=MOST_SETS)
    try:
        count = orders.count()
    except SpecError:
        return [dag.order], None
    if count <= MOST_ORDERS:
        return list(orders), count
    random = Random(f"{seed} orders")
    return list(dict.fromkeys(orders.sample(random) for _ in range(SAMPLE))), count


def _subtask(node: GraphNode, time: int, *, keys: bool) -> SubtaskMetadata:
    """Return a subtask as one node asks for it; asked for a second time, it is another record."""
    if not node.wording:
        return lone_subtask(f"{node.subtask} {node.ask}", node.app, node.ask)
    names = _parameter_names(node)
    pieces = [
        part.replace("{", "{{").replace("}", "}}") + (f"{{{names[name]}}}" if name is not None else "")
        for part, name, _, _ in Formatter().parse(node.wording)
    ]
    template = "".join(pieces)
    said = {name for _, name, _, _ in Formatter().parse(node.wording) if name is not None}
    parameters = {names[name]: value for name, value in node.parameters.items() if name in said}
    return SubtaskMetadata(
        id=_subtask_id(json.dumps([node.subtask, node.version, node.wording, *([time] if time > 1 else [])])),
        instruction_template=f"{template[:1].upper()}{template[1:]}.",
        application=node.app,
        available_parameters=({**parameters, **({CONTENTS: check_key(node)} if keys else {})},),
        OS="Linux",
        input_resources=tuple(_resource_name(kind) for kind in node.takes.values()),
        # A picture will do where a file is expected.
        output_resources=tuple(dict.fromkeys(name for kind in node.gives.values() for name in _will_do_for(kind))),
    )


def _parameter_names(node: GraphNode) -> dict[str, str]:
    """Return what names in braces are called here: things go by their kinds, numbered if need be."""
    names: dict[str, str] = {}
    for name in node.parameters:
        kind = node.takes.get(name) or node.gives.get(name)
        plain = _resource_name(kind) if kind else name
        taken = sum(each == plain or each.startswith(f"{plain}_") for each in names.values())
        names[name] = f"{plain}_{taken + 1}" if taken else plain
    return names


def _resource_name(kind: str) -> str:
    return RESOURCES.get(kind, kind)


def _will_do_for(kind: str) -> Iterator[str]:
    while kind:
        yield _resource_name(kind)
        kind = kind_of(kind).parent


def _concrete(node: GraphNode, ports: Mapping[str, str]) -> tuple[str, ...]:
    """Return what is taken or given by its path, or by its kind and title."""
    return tuple(
        node.parameters[port]
        if is_a(kind, "file") or kind == "folder"
        else f"{_resource_name(kind)}: {node.parameters[port]}"
        for port, kind in ports.items()
    )


def _subtask_id(key: str) -> str:
    return str(uuid5(NAMESPACE_URL, f"proctor:subtask:{key}"))


def _graph_record(dag: Dag, ids: Mapping[str, str]) -> Graph:
    """Return a graph whose nodes are named by the ids of their subtasks."""
    plain = dag.to_json()
    return Graph(
        nodes=tuple(ids[node] for node in plain["nodes"]),
        edges={ids[node]: tuple(ids[later] for later in after) for node, after in plain["edges"].items()},
    )
