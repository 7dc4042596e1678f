"""A made data set in other forms: Parquet for Hugging Face, and conversations for fine-tuning."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

from proctor.errors import MissingExtra
from proctor.offline.answers.spaces import from_pixel
from proctor.offline.loaders.load import load
from proctor.offline.prompts import PromptWording
from proctor.offline.sample import TASKS, CriticSample, GroundSample, IdmSample, OfflineSample, Shot, Task
from proctor.store.files import plain_json

Arrow: TypeAlias = Any
"""What pyarrow makes; the package is not there wherever ours is."""
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
        kinds = _kinds(arrow, rows)
        configs.append(f"- config_name: {task}\n  data_files:")
        for split in sorted({str(row["split"]) for row in rows}):
            name = f"parquet/{task}-{split}.parquet"
            chosen = [row for row in rows if row["split"] == split]
            _write_table(arrow, parquet, folder, name, kinds, chosen)
            configs.append(f"  - split: {split}\n    path: {name}")
    card = folder / "README.md"
    card.write_text(_CARD.format(configs="\n".join(configs)) + card.read_text(encoding="utf-8"), encoding="utf-8")


def _write_table(
    arrow: Arrow, parquet: Arrow, folder: Path, name: str, kinds: dict[str, Arrow], rows: list[dict[str, Any]]
) -> None:
    """Write rows with their pictures."""
    image = arrow.struct([("bytes", arrow.binary()), ("path", arrow.string())])
    pictures = "image" if "image" in rows[0] else "images"
    fields = [*kinds.items(), (pictures, image if pictures == "image" else arrow.list_(image))]
    feature: object = {"_type": "Image"}
    features = {"info": {"features": {pictures: feature if pictures == "image" else [feature]}}}
    schema = arrow.schema(fields, metadata={"huggingface": json.dumps(features)})
    with parquet.ParquetWriter(folder / name, schema, compression="zstd") as writer:
        for start in range(0, len(rows), GROUP_ROWS):
            filled = [_fill(folder, row, kinds, arrow) for row in rows[start : start + GROUP_ROWS]]
            writer.write_table(arrow.Table.from_pylist(filled, schema=schema))


def _kinds(arrow: Arrow, rows: list[dict[str, Any]]) -> dict[str, Arrow]:
    """Return the type of each column, by all that a set holds: those of its splits are the same."""
    columns = dict.fromkeys(column for row in rows for column in row if column != "image")
    found = {column: _kind(arrow, [row.get(column) for row in rows]) for column in columns}
    return {**found, **{name: arrow.list_(arrow.float64()) for name in ("bbox", "point") if name in found}}


def _kind(arrow: Arrow, values: list[object]) -> Arrow:
    """Return the type of a column; that of JSON texts where its values are of no one type."""
    try:
        found = arrow.infer_type(values)
    except (arrow.ArrowInvalid, arrow.ArrowTypeError):
        return arrow.string()
    return arrow.string() if _is_empty(arrow, found) else found


def _is_empty(arrow: Arrow, kind: Arrow) -> bool:
    """Tell whether a type has a part of which nothing is known, which Parquet does not take."""
    if arrow.types.is_struct(kind):
        return kind.num_fields == 0 or any(_is_empty(arrow, each.type) for each in kind)
    return bool(arrow.types.is_null(kind) or (arrow.types.is_list(kind) and _is_empty(arrow, kind.value_type)))


def _fill(folder: Path, row: dict[str, Any], kinds: dict[str, Arrow], arrow: Arrow) -> dict[str, Any]:
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
