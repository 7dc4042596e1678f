"""OmniBench's records read from files, ours or another's, with every fault named."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from proctor.errors import SpecError
from proctor.graphs.compose.record import form_faults
from proctor.graphs.omnibench.records import (
    Evaluation,
    Records,
    SubtaskMetadata,
    SubtaskTrajectory,
    TaskMetadata,
    TaskTrajectory,
)

MOST_BYTES = 1 << 30

FILES: dict[str, tuple[str, type[BaseModel]]] = {
    "subtasks.jsonl": ("subtasks", SubtaskMetadata),
    "tasks.jsonl": ("tasks", TaskMetadata),
    "subtask_trajectories.jsonl": ("subtask_trajectories", SubtaskTrajectory),
    "task_trajectories.jsonl": ("task_trajectories", TaskTrajectory),
}
"""The files of a folder of records, one record a line; `.json` with one list is read too. Evaluations are `ID.txt`."""
EVALUATIONS = "evaluations"


def read_records(folder: Path) -> Records:
    """Read a folder of records, ours or another's.

    Raises:
        SpecError: Names every fault: of the form by file and line, dangling ids, cycles, placeholders without values.
    """
    faults: list[str] = []
    found: dict[str, list[BaseModel]] = {}
    for name, (field, form) in FILES.items():
        for where, data in _lines(folder, name, faults):
            try:
                found.setdefault(field, []).append(form.model_validate(data))
            except ValidationError as error:
                faults += [f"{where}: {line.strip(' -')}" for line in form_faults(error).strip().splitlines()]
    texts = sorted((folder / EVALUATIONS).glob("*.txt"))
    evaluations = tuple(Evaluation(subtask_id=path.stem, text=_text(path)) for path in texts)
    if not found and not evaluations and not faults:
        raise SpecError(f"{folder} has no records", remedy=f"it must hold {', '.join(FILES)} or {EVALUATIONS}/")
    records = Records.model_validate({**found, "evaluations": evaluations})
    faults += records.faults()
    if faults:
        listed = "".join(f"\n  - {fault}" for fault in faults)
        raise SpecError(f"the records in {folder} have faults:{listed}", remedy="correct each of them")
    return records


def _lines(folder: Path, name: str, faults: list[str]) -> Iterator[tuple[str, Any]]:
    """Yield the records of one file with their places, from `.jsonl` or else from `.json`."""
    path = folder / name
    if path.is_file():
        for number, line in enumerate(_text(path).splitlines(), start=1):
            if line.strip():
                yield from _parsed(line, f"{name} line {number}", faults)
        return
    path = path.with_suffix(".json")
    if path.is_file():
        for where, data in _parsed(_text(path), path.name, faults):
            if not isinstance(data, list):
                faults.append(f"{where}: it is not a list of records")
                continue
            yield from ((f"{where} record {number}", one) for number, one in enumerate(data))


def _parsed(text: str, where: str, faults: list[str]) -> Iterator[tuple[str, Any]]:
    try:
        yield where, json.loads(text)
    except (ValueError, RecursionError) as error:
        faults.append(f"{where}: not JSON: {error}")


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise SpecError(f"{path} has more than {MOST_BYTES} bytes", remedy="split it")
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SpecError(f"{path} cannot be read: {error}", remedy="see that it is a text file in UTF-8") from error
