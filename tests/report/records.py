"""Made-up results and records of runs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from proctor.records import EpisodeKey, Result
from proctor.report.columns import gather
from proctor.report.episodes import Episodes
from proctor.store.chain import forge
from proctor.store.paths import FORMAT


def result(agent: str, task: str, score: float | None, **fields: Any) -> Result:
    """Return a result; what belongs to its key is taken from the fields."""
    key = EpisodeKey(
        task=task if "/" in task else f"core/{task}-v1",
        agent=agent,
        **{name: fields.pop(name) for name in ("seed", "sample", "paraphrase") if name in fields},
    )
    fields.setdefault("stop", "void" if score is None else "done")
    return Result(key=key, score=score, **fields)


def outcomes(agent: str, by_task: dict[str, Sequence[float | None]], **fields: Any) -> list[Result]:
    """Return attempts at tasks, one for each score."""
    return [
        result(agent, task, score, sample=sample, **fields)
        for task, scores in by_task.items()
        for sample, score in enumerate(scores)
    ]


def columns(*runs: Iterable[Result]) -> Episodes:
    """Return results as a report reads them."""
    return gather([item.to_json() for item in run] for run in runs)


def write_run(folder: Path, results: Iterable[Result], *, finished: bool = True, **about: Any) -> Path:
    """Write the index of a run, chained as the store does, without the records of its episodes."""
    folder.mkdir(parents=True)
    config = json.dumps({"format": FORMAT, **about}).encode()
    (folder / "run.json").write_bytes(config)
    last, lines = hashlib.sha256(config).hexdigest(), []
    for item in results:
        line, last = forge(last, item.to_json())
        lines.append(line)
    (folder / "index.jsonl").write_bytes(b"".join(lines))
    if finished:
        (folder / "seal.json").write_text("{}")
    return folder
