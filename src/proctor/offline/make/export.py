"""A made data set in other forms: Parquet for Hugging Face, and conversations for fine-tuning."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from proctor.errors import MissingExtra
from proctor.offline.answers.spaces import from_pixel
from proctor.offline.loaders.load import load
from proctor.offline.prompts import PromptWording
from proctor.offline.sample import TASKS, CriticSample, GroundSample, IdmSample, OfflineSample, Shot, Task
from proctor.store.files import plain_json

GROUP_ROWS = 64
"""Rows that are written at a time, pictures included."""
SPACE = "unit"
"""In which conversations give points: it does not depend on how a model scales its pictures."""

_CARD = """---
configs:
{configs}
---

"""


def write_parquet(folder: Path) -> None:
    """Write each task of a made set as Parquet, a file for each split; raises MissingExtra."""
    try:
        arrow, parquet = importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ModuleNotFoundError as error:
        raise MissingExtra("export to Parquet", "parquet") from error
    configs = []
    for task in TASKS:
        if not (folder / f"{task}.jsonl").is_file():
            continue
        (folder / "parquet").mkdir(exist_ok=True)
        rows = [json.loads(line) for line in (folder / f"{task}.jsonl").read_text(encoding="utf-8").splitlines()]
        configs.append(f"- config_name: {task}\n  data_files:")
        for split in sorted({str(row["split"]) for row in rows}):
            name = f"parquet/{task}-{split}.parquet"
            chosen = [row for row in rows if row["split"] == split]
            _write_table(arrow, parquet, folder, name, chosen)
            configs.append(f"  - split: {split}\n    path: {name}")
    card = folder / "README.md"
    card.write_text(_CARD.format(configs="\n".join(configs)) + card.read_text(encoding="utf-8"), encoding="utf-8")


def _write_table(arrow: Any, parquet: Any, folder: Path, name: str, rows: list[dict[str, Any]]) -> None:
    """Write rows with their pictures; what is nested, and differs between rows, is JSON."""
    columns = list(dict.fromkeys(column for row in rows for column in row))
    first = {column: next((row[column] for row in rows if row.get(column) is not None), None) for column in columns}
    image = arrow.struct([("bytes", arrow.binary()), ("path", arrow.string())])
    kinds = [(column, _kind(arrow, column, first[column])) for column in columns if column != "image"]
    pictures = "image" if "image" in columns else "images"
    fields = [*kinds, (pictures, image if pictures == "image" else arrow.list_(image))]
    feature: Any = {"_type": "Image"}
    features = {"info": {"features": {pictures: feature if pictures == "image" else [feature]}}}
    schema = arrow.schema(fields, metadata={"huggingface": json.dumps(features)})
    with parquet.ParquetWriter(folder / name, schema, compression="zstd") as writer:
        for start in range(0, len(rows), GROUP_ROWS):
            filled = [_fill(folder, row, dict(kinds), arrow) for row in rows[start : start + GROUP_ROWS]]
            writer.write_table(arrow.Table.from_pylist(filled, schema=schema))


def _kind(arrow: Any, column: str, value: Any) -> Any:
    if isinstance(value, bool):
        return arrow.bool_()
    if column in ("bbox", "point", "resolution"):
        return arrow.list_(arrow.float64())
    return arrow.list_(arrow.string()) if column == "action_space" else arrow.string()


def _fill(folder: Path, row: dict[str, Any], kinds: dict[str, Any], arrow: Any) -> dict[str, Any]:
    found = {name: value for name, value in row.items() if name in kinds}
    for name, value in found.items():
        if kinds[name] == arrow.string() and value is not None and not isinstance(value, str):
            found[name] = json.dumps(value)
    if "image" in row:
        return {**found, "image": _bytes(folder, row["image"])}
    return {**found, "images": [_bytes(folder, name) for name in _in_order(row)]}


def _in_order(row: dict[str, Any]) -> list[str]:
    actions = row.get("actions") or [row]
    return [*(action["obs_before"] for action in actions), actions[-1]["obs_after"]]


def _bytes(folder: Path, name: str) -> dict[str, Any]:
    return {"bytes": (folder / name).read_bytes(), "path": name}


def write_sft(folder: Path) -> int:
    """Write the train split as conversations, one a line; returns how many."""
    count = 0
    with (folder / "sft.jsonl").open("wb") as file:
        for task in TASKS:
            if (folder / f"{task}.jsonl").is_file():
                for line in _conversations(task, folder):
                    file.write(plain_json(line) + b"\n")
                    count += 1
    return count


def _conversations(task: Task, folder: Path) -> Iterator[dict[str, Any]]:
    # A sequence is used whole: nothing is cut down to what a model is asked for at once.
    for sample in load(task, folder / f"{task}.jsonl", last=50).samples:
        if sample.groups.get("split") == "train":
            content, answer = _conversation(task, sample)
            for part in content:
                if part["type"] == "image":
                    part["image"] = str(Path(part["image"]).relative_to(folder))
            messages = [{"role": "user", "content": content}, {"role": "assistant", "content": answer}]
            yield {"id": sample.id, "task": task, "messages": messages}


def _conversation(task: Task, sample: OfflineSample) -> tuple[list[dict[str, str]], str]:
    wording = PromptWording(task)
    if isinstance(sample, GroundSample):
        left, top, right, bottom = sample.target.box
        x, y = from_pixel((left + right) / 2, (top + bottom) / 2, SPACE, sent=sample.size, size=sample.size)
        prompt = wording.ground(sample, space=SPACE, sent=sample.size, may_refuse=False)
        return [_image(sample.shot), _text(prompt)], f"Answer: ({x:.4f}, {y:.4f})"
    if isinstance(sample, IdmSample):
        letters = "\n".join(chr(ord("A") + place) for place in sample.answer)
        answer = f"Answer:\n{letters}" if sample.several else f"Answer: {letters}"
        return [*map(_image, sample.shots), _text(wording.idm(sample))], answer
    assert isinstance(sample, CriticSample)
    parts = []
    for place, shot in enumerate(sample.shots):
        parts.append(_image(shot))
        if place < len(sample.actions):
            parts.append(_text(f"Action: {sample.actions[place]}"))
    return [*parts, _text(wording.critic(sample, with_actions=True))], f"Confidence: 1\nAnswer: {sample.success}"


def _image(shot: Shot) -> dict[str, str]:
    return {"type": "image", "image": shot.name}


def _text(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}
