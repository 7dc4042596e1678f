"""Compositions as OmniBench's records, with what it takes to run them here."""

from __future__ import annotations

from proctor.graphs.compose.assemble import assemble, limits_of, tags_of
from proctor.graphs.compose.composition import Composition
from proctor.graphs.compose.pool import SubtaskPool
from proctor.graphs.omnibench.export import TaskRecords
from proctor.graphs.omnibench.folder import TaskLines
from proctor.tasks.call import plain


def lines_of(composition: Composition, pool: SubtaskPool) -> TaskLines:
    """Return what is written of a composition: the task, its subtasks, and how each is judged."""
    draft = assemble(composition, pool.by_name, paraphrases=0)
    assert draft.graph is not None
    parts = [pool[composition.node(node).subtask] for node in composition.dag.order]
    run = {
        "setup": [step.to_json() for step in draft.setup],
        "expected": list(draft.expected),
        "may_differ": [one.model_dump(mode="json") for one in draft.may_differ],
        "tags": tags_of(parts).model_dump(mode="json", exclude_defaults=True),
        "limits": limits_of(len(parts)).model_dump(mode="json", exclude_defaults=True),
        "patience": draft.graph.patience,
    }
    records = TaskRecords(
        draft.graph,
        name=composition.seed,
        instruction=draft.instruction,
        intent=draft.intent,
        keys=True,
        proctor={name: plain(value) for name, value in run.items()},
    )
    pairs = {name: getattr(draft.graph, name) for name in ("last", "ordering")}
    named = {name: [list(records.ids(pair)) for pair in found] for name, found in pairs.items() if found}
    passing = records.ids(node.id for node in draft.graph.nodes if not node.lasts)
    task = records.metadata()
    more = {**named, **({"passing": list(passing)} if passing else {})}
    task = task.model_copy(update={"proctor": {**(task.proctor or {}), **more}})
    return TaskLines(task, tuple(records.subtasks.values()), tuple(node.check for node in draft.graph.nodes))
