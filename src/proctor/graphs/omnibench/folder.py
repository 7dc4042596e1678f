"""A folder of OmniBench's records: tasks, the subtasks that they name, and how those are judged."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO

from proctor.graphs.omnibench.evaluations import ENDING, begin_evaluation, end_evaluation, evaluation_entry
from proctor.graphs.omnibench.export import CONTENTS, SubtaskCollection
from proctor.graphs.omnibench.records import OmniBenchRecord, SubtaskMetadata, TaskMetadata
from proctor.tasks.call import Call

TASKS, SUBTASKS, EVALUATIONS = "tasks.jsonl", "subtasks.jsonl", "evaluations"


@dataclass(frozen=True)
class TaskLines:
    """What is written of one composed task."""

    task: TaskMetadata
    subtasks: tuple[SubtaskMetadata, ...]
    checks: tuple[Call, ...] = ()
    """How each subtask is judged, if that is to be told."""


def write_lines(path: Path, records: Iterable[OmniBenchRecord]) -> None:
    """Write records, one to a line."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(map(line, records))


def line(record: OmniBenchRecord) -> str:
    """Return a record as one line."""
    return json.dumps(record.to_json(), ensure_ascii=False) + "\n"


def number_tasks(found: Iterable[TaskLines]) -> Iterator[TaskLines]:
    """Give each task the number under which it comes as its id."""
    for number, one in enumerate(found):
        yield replace(one, task=one.task.model_copy(update={"task_id": str(number)}))


def write_composed(folder: Path, found: Iterable[TaskLines], advance: Callable[[], None] = lambda: None) -> None:
    """Write tasks as they come, what their subtasks are judged by, and in the end the subtasks."""
    subtasks = SubtaskCollection()
    open_evaluations: dict[str, TextIO] = {}
    told: set[tuple[str, str]] = set()
    (folder / EVALUATIONS).mkdir()
    with ExitStack() as stack:
        tasks = stack.enter_context((folder / TASKS).open("w", encoding="utf-8"))
        for one in found:
            tasks.write(line(one.task))
            advance()
            for record, check in zip(one.subtasks, one.checks, strict=True):
                subtasks.add(record)
                key = record.available_parameters[0][CONTENTS]
                if (record.id, key) in told:
                    continue
                told.add((record.id, key))
                if record.id not in open_evaluations:
                    path = folder / EVALUATIONS / f"{record.id}{ENDING}"
                    open_evaluations[record.id] = stack.enter_context(path.open("w", encoding="utf-8"))
                    open_evaluations[record.id].write(begin_evaluation())
                open_evaluations[record.id].write(evaluation_entry(key, check))
        for record in subtasks:
            open_evaluations[record.id].write(end_evaluation(record))
    write_lines(folder / SUBTASKS, subtasks)
