"""Parquet in the layout of Hugging Face datasets, pictures included (extra `parquet`).

A table of episodes, a table of steps with their pictures, and a card.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from proctor.errors import MissingExtra, RecordError
from proctor.records import Saw, Step, plain
from proctor.store.collection import Recorded
from proctor.store.export_parts import about_people, whole_text

GROUP_BYTES = 32 * 1024 * 1024
"""Rows are written in groups of about this size, which is all that is held in memory."""
FILE_BYTES = 512 * 1024 * 1024
"""A new file begins after this much."""

_JSON = ("collateral", "flags", "metrics", "settings")
_PEOPLE = ("refined", "reviews")
_CARD = """---
configs:
- config_name: episodes
  data_files: data/episodes-*.parquet
- config_name: steps
  data_files: data/steps-*.parquet
tags:
- computer-use
- agents
---

# Episodes of computer-use agents

Recorded by Proctor. `episodes` has one row for the last try at each episode; a void one, about which nothing can be
said, has no score. `steps` has one row for each action, with what the agent was shown before it, and a last row
(`end`) for what was on the screen when the episode ended. Columns that hold structures (`action`, `element`, `output`,
`meant`, `collateral`, `flags`, `metrics`, `settings`, `refined`, `reviews`) are JSON. `steps.episode` is `episodes.id`.
`clean` says of a passed episode whether nothing else was changed; it is null where nobody could look
(`collateral_unknown` says why).

What people did and said: `episodes.person` did it by hand, `refined` says of which demonstration it is an edited
version, `reviews` what reviewers say. `steps.purpose` is what a step is for, `by` who acted where that was not the
agent, `meant` what was there before a person corrected the action.

```python
from datasets import load_dataset  # pip install datasets pillow

episodes = load_dataset("FOLDER", "episodes", split="train")
steps = load_dataset("FOLDER", "steps", split="train")
```
"""


def write(recorded: Iterator[Recorded], out: Path) -> None:
    """Write both tables and the card."""
    (out / "data").mkdir()
    (out / "README.md").write_text(_CARD, encoding="utf-8")
    episodes, steps = _Table(out, "episodes", _episode_schema()), _Table(out, "steps", _step_schema())
    try:
        for item in recorded:
            episodes.add(_episode_row(item))
            for step in item.episode.steps():
                steps.add(_step_row(item, step))
    finally:
        episodes.close()
        steps.close()


class _Table:
    def __init__(self, out: Path, name: str, schema: Any) -> None:
        self._out, self._name, self._schema = out, name, schema
        self._rows: list[dict[str, Any]] = []
        self._waiting = self._written = self._files = 0
        self._writer: Any = None

    def add(self, row: dict[str, Any]) -> None:
        self._rows.append(row)
        self._waiting += 500 + sum(_weight(value) for value in row.values())
        if self._waiting >= GROUP_BYTES:
            self._flush()

    def close(self) -> None:
        # An empty table is still a table.
        if self._rows or not self._files:
            self._flush()
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def _flush(self) -> None:
        pyarrow, parquet = _pyarrow()
        if self._writer is None:
            path = self._out / "data" / f"{self._name}-{self._files:05d}.parquet"
            self._writer = parquet.ParquetWriter(path, self._schema, compression="zstd", write_page_index=True)
            self._files += 1
        try:
            table = pyarrow.Table.from_pylist(self._rows, schema=self._schema)
        except pyarrow.ArrowException as error:
            raise RecordError(f"a record does not fit the table of {self._name}: {error}") from error
        self._writer.write_table(table)
        self._written += self._waiting
        self._rows, self._waiting = [], 0
        if self._written >= FILE_BYTES:
            self._writer.close()
            self._writer, self._written = None, 0


def _pyarrow() -> tuple[Any, Any]:
    try:
        return importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ModuleNotFoundError as error:
        raise MissingExtra("export to Parquet", "parquet") from error


def _weight(value: Any) -> int:
    if isinstance(value, dict):
        return len(value.get("bytes") or b"")
    return len(value) if isinstance(value, str) else 8


def _schema(columns: dict[str, Any], pictures: tuple[str, ...] = ()) -> Any:
    pyarrow, _ = _pyarrow()
    image = pyarrow.struct([("bytes", pyarrow.binary()), ("path", pyarrow.string())])
    fields = [(name, kind) for name, kind in columns.items()] + [(name, image) for name in pictures]
    # Tells the datasets library which structures are pictures.
    features = {"info": {"features": {name: {"_type": "Image"} for name in pictures}}}
    return pyarrow.schema(fields, metadata={"huggingface": json.dumps(features)} if pictures else None)


def _episode_schema() -> Any:
    pa, _ = _pyarrow()
    texts = (
        "id",
        "task",
        "agent",
        "person",
        "instruction",
        "domain",
        "scenario",
        "demand",
        "stop",
        "cause",
        "error",
        "digest",
    )
    whole = (
        "seed", "sample", "paraphrase", "retry", "level", "steps", "turns", "parse_errors", "refused", "asked", "calls",
        "input_tokens", "output_tokens", "cached_tokens", "cache_write_tokens",
    )  # fmt: skip
    numbers = ("score", "seconds", "agent_seconds", "cost_usd", "started")
    return _schema(
        {name: pa.string() for name in texts}
        | {name: pa.int64() for name in whole}
        | {name: pa.float64() for name in numbers}
        | {name: pa.bool_() for name in ("passed", "clean", "feasible")}
        | {name: pa.list_(pa.string()) for name in ("apps", "categories", "modes")}
        | {name: pa.string() for name in (*_JSON, *_PEOPLE, "collateral_unknown", "goal", "strategy")}
    )


def _step_schema() -> Any:
    pa, _ = _pyarrow()
    texts = (
        "episode", "task", "agent", "instruction", "reply", "thought", "problem", "action_type", "action", "element",
        "output", "refused", "terminal", "purpose", "by", "meant",
    )  # fmt: skip
    return _schema(
        {name: pa.string() for name in texts}
        | {"step": pa.int64(), "turn": pa.int64(), "at": pa.float64(), "end": pa.bool_(), "score": pa.float64()},
        pictures=("screenshot", "marks"),
    )


def _episode_row(item: Recorded) -> dict[str, Any]:
    result = item.result
    key = result.key
    row = {name: getattr(result, name) for name in _episode_schema().names if hasattr(result, name)}
    row |= {"id": item.place, "task": key.task, "agent": key.agent, "instruction": item.episode.instruction}
    row |= {"seed": key.seed, "sample": key.sample, "paraphrase": key.paraphrase}
    row |= {name: list(row[name]) for name in ("apps", "categories", "modes")}
    row |= {name: json.dumps(row[name]) for name in _JSON}
    people = about_people(item)
    row |= {"person": people.get("person")}
    row |= {name: json.dumps(people[name]) for name in _PEOPLE if name in people}
    # Lists and pictures are as Parquet has them.
    return {name: whole_text(value) if isinstance(value, str) else value for name, value in row.items()}


def _step_row(item: Recorded, step: Step) -> dict[str, Any]:
    saw, result = step.saw or Saw(), item.result
    row: dict[str, Any] = {"episode": item.place, "task": result.key.task, "agent": result.key.agent}
    row |= {"instruction": item.episode.instruction, "score": result.score, "terminal": saw.terminal}
    row |= {"end": step.end, "at": step.at, "step": step.step, "turn": step.turn, "action_type": step.kind or None}
    row |= {name: getattr(step, name) or None for name in ("reply", "thought", "problem", "refused")}
    # `instruction` is the task's.
    row |= {"purpose": step.instruction or None, "by": step.by or None}
    held = {"action": step.action, "element": step.element, "output": step.output, "meant": step.meant}
    row |= {name: json.dumps(plain(value)) for name, value in held.items() if value is not None}
    for name, picture in {"screenshot": saw.screenshot, "marks": saw.marks}.items():
        if picture:
            row[name] = {"bytes": item.episode.picture(picture), "path": f"{item.place}/{picture}"}
    return {name: whole_text(value) if isinstance(value, str) else value for name, value in row.items()}
