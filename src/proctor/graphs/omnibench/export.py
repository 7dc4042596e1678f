"""OmniBench's records made from compositions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from random import Random
from uuid import NAMESPACE_URL, uuid5

from proctor.errors import SpecError
from proctor.graphs.compose.composition import Composition
from proctor.graphs.compose.pool import SubtaskPool
from proctor.graphs.compose.subtask import Bound, Subtask
from proctor.graphs.mathematics.dag import Dag
from proctor.graphs.mathematics.orders import Orders
from proctor.graphs.omnibench.records import Graph, SubtaskMetadata, TaskMetadata

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


def subtask_record(subtask: Subtask, bound: Bound) -> SubtaskMetadata:
    """Return a subtask with the parameters of one composition; other parameters give it another id."""
    things = {**bound.takes, **bound.gives}
    values = {port: thing.value for port, thing in things.items()} | dict(bound.params)
    template = f"{subtask.asks[0][0].upper()}{subtask.asks[0][1:]}."
    named = {name: value for name, value in values.items() if f"{{{name}}}" in template}
    return SubtaskMetadata(
        id=subtask_id(json.dumps([subtask.name, subtask.version, values], sort_keys=True)),
        instruction_template=template,
        application=subtask.app,
        available_parameters=(named,),
        OS="Linux",
        input_resources=tuple(RESOURCES.get(kind, kind) for kind in subtask.takes.values()),
        output_resources=tuple(RESOURCES.get(kind, kind) for kind in subtask.gives.values()),
    )


def task_record(
    composition: Composition, pool: SubtaskPool, *, task_id: str = "", instruction: str, intent: str = ""
) -> tuple[TaskMetadata, tuple[SubtaskMetadata, ...]]:
    """Return a composition as a task, and the subtasks that it names."""
    subtasks = {node.id: subtask_record(pool[node.subtask], node.bound) for node in composition.nodes}
    ids = {node: record.id for node, record in subtasks.items()}
    if len(set(ids.values())) < len(ids):
        raise SpecError(
            f"two nodes of composition {composition.seed!r} do the same to the same", remedy="compose coherent tasks"
        )
    orders, count = list_orders(composition.gates, composition.seed)
    task = TaskMetadata(
        task_id=task_id,
        task_instruction=instruction,
        dag=graph_record(composition.dag, ids),
        task_intent=intent,
        successful_topo=tuple(tuple(ids[node] for node in order) for order in orders),
        successful_topo_count=None if count == len(orders) else count,
    )
    return task, tuple(subtasks.values())


def subtask_id(key: str) -> str:
    """Return the id of a subtask; another key gives another one."""
    return str(uuid5(NAMESPACE_URL, f"proctor:subtask:{key}"))


def graph_record(dag: Dag, ids: Mapping[str, str]) -> Graph:
    """Return a graph whose nodes are named by the ids of their subtasks."""
    plain = dag.to_json()
    return Graph(
        nodes=tuple(ids[node] for node in plain["nodes"]),
        edges={ids[node]: tuple(ids[later] for later in after) for node, after in plain["edges"].items()},
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
