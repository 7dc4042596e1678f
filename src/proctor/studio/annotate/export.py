"""What annotators agreed on, or somebody decided, as data that `proctor offline` and others read."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from proctor.errors import RecordError, SpecError
from proctor.offline.make.export import write_parquet
from proctor.offline.make.make import split_of
from proctor.offline.make.samples import sample_id
from proctor.store.files import plain_json
from proctor.studio.annotate.agreement import differs
from proctor.studio.annotate.items import AnnotationItem
from proctor.studio.annotate.labels import answer_of, boxes_of
from proctor.studio.annotate.sets import AnnotationSet

FORMATS = ("groundui", "parquet", "proctor", "screenspot")
_ICONS = frozenset({
    "icon", "image", "graphic", "picture", "canvas", "drawing area", "check box", "radio button", "slider",
    "spin button", "toggle", "toggle button", "switch", "scroll bar", "separator", "progress bar",
    "color chooser", "calendar",
})  # fmt: skip
"""Roles of what ScreenSpot calls an icon or widget; all else is known by its text."""


@dataclass
class ExportedSet:
    """What was written."""

    samples: int = 0
    pictures: int = 0
    left_out: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Settled:
    """An item and the label that counts."""

    item: AnnotationItem
    label: dict[str, object]
    annotators: int
    decided: bool


def settled_items(opened: AnnotationSet, left_out: Counter[str], *, annotator: str = "") -> Iterator[Settled]:
    """Walk the items whose label is settled, by decision or agreement, or what one annotator says."""
    labels, decisions = opened.labels(), opened.decisions.latest()
    for item in opened.items():
        done = opened.done_labels(labels, item.id)
        decision = decisions.get(item.id)
        if annotator:
            if annotator in done:
                yield Settled(item, done[annotator], 1, False)
            else:
                left_out[f"items that {annotator} has not done"] += 1
        elif decision and decision.data.get("done") is True:
            yield Settled(item, decision.data, len(done), True)
        elif not done:
            left_out["items that nobody has done"] += 1
        elif differs(opened.about.kind, done):
            left_out["items that annotators differ on and nobody decided"] += 1
        else:
            yield Settled(item, next(iter(done.values())), len(done), False)


def export(
    opened: AnnotationSet, form: str, folder: Path, *, annotator: str = "", ambiguous: bool = False
) -> ExportedSet:
    """Write a set into an empty folder, in one of FORMATS.

    Only what `annotator` says where one is named; `ambiguous` takes the boxes along that are marked so. Raises
    SpecError where nothing is settled or the form has no place for what is annotated, MissingExtra without Parquet.
    """
    kind = opened.about.kind
    if kind != "ground" and form not in ("proctor", "parquet"):
        raise SpecError(f"{form} has boxes only, and this set has none", remedy="use --format proctor or parquet")
    done = ExportedSet()
    found = settled_items(opened, done.left_out, annotator=annotator)
    images = "screenspot_imgs" if form == "screenspot" else "images"
    (folder / images).mkdir(parents=True, exist_ok=True)
    writer = _Rows(opened, folder, images, done)
    for each in found:
        if kind == "ground":
            writer.boxes(each, ambiguous=ambiguous)
        elif kind == "idm":
            writer.transition(each)
        else:
            writer.attempt(each)
    if not writer.rows:
        reasons = "; ".join(f"{reason} ({count})" for reason, count in done.left_out.items())
        raise SpecError(
            f"nothing in {opened.name} can be exported: {reasons or 'it is empty'}", remedy="annotate something first"
        )
    done.samples, done.pictures = len(writer.rows), len(writer.copied)
    _write(form, kind, folder, writer.rows, opened, done)
    return done


class _Rows:
    """Makes rows of settled labels as `proctor offline make` does, and copies their pictures."""

    def __init__(self, opened: AnnotationSet, folder: Path, images: str, done: ExportedSet) -> None:
        self._set, self._folder, self._images, self._done = opened, folder, images, done
        self.rows: list[dict[str, Any]] = []
        self.copied: set[str] = set()
        self._splits: dict[str, str] = {}
        self._ids: set[str] = set()

    def boxes(self, each: Settled, *, ambiguous: bool) -> None:
        item = each.item
        drawn = boxes_of(each.label)
        if not drawn:
            self._done.left_out["items without a box"] += 1
        for box in drawn:
            words = str(box.get("instruction") or "").strip()
            if box.get("ambiguous") and not ambiguous:
                self._done.left_out["boxes that are ambiguous"] += 1
            elif not words:
                self._done.left_out["boxes without an instruction"] += 1
            elif common := self._common(each):
                left, top, right, bottom = corners = box["box"]
                row = {
                    "id": sample_id(item.id, corners, words),
                    "image": common.pop("pictures")[0],
                    "picture": item.name,
                    "instruction": words,
                    "bbox": corners,
                    "resolution": list(item.size),
                    "role": str(box.get("role") or ""),
                    "point": [(left + right) / 2, (top + bottom) / 2],
                    "checked": False,
                    **({"ambiguous": True} if box.get("ambiguous") else {}),
                    **({"elements": found} if (found := self._elements(item)) else {}),
                    **common,
                }
                self._add(row["id"], row)

    def transition(self, each: Settled) -> None:
        if common := self._common(each):
            before, after = common.pop("pictures")[:2]
            operation = answer_of("idm", each.label)
            row = {
                "id": sample_id(each.item.id, operation),
                "instruction": each.item.instruction,
                "obs_before": before,
                "obs_after": after,
                "operation": operation,
                "action_space": list(self._set.about.options),
                "metadata": {"repr": operation, **({"recorded": each.item.recorded} if each.item.recorded else {})},
                **common,
            }
            self._add(row["id"], row)

    def attempt(self, each: Settled) -> None:
        if common := self._common(each):
            shots = common.pop("pictures")
            words = [*each.item.actions, *(["an action"] * len(shots))][: len(shots) - 1]
            actions = [
                {"obs_before": before, "obs_after": after, "operation": said, "metadata": {"repr": said}}
                for before, after, said in zip(shots, shots[1:], words, strict=False)
            ]
            row = {
                "annotation_id": sample_id(each.item.id, "attempt"),
                "instruction": each.item.instruction,
                "actions": actions,
                "metadata": {"recorded": each.item.recorded} if each.item.recorded else {},
                "is_success": each.label.get("success") is True,
                "made": "annotated",
                **common,
            }
            self._add(row["annotation_id"], row)

    def _add(self, id: str, row: dict[str, Any]) -> None:
        if id in self._ids:
            self._done.left_out["repeats"] += 1
            return
        self._ids.add(id)
        self.rows.append(row)

    def _common(self, each: Settled) -> dict[str, Any] | None:
        """Return what all rows have, pictures copied; None without a picture, or one of the other split."""
        item = each.item
        group = item.group or item.pictures[0]
        known = {self._splits[name] for name in item.pictures if name in self._splits}
        split = next(iter(known), None) or split_of(group)
        if len(known) > 1:
            self._done.left_out["items with pictures of two splits"] += 1
            return None
        try:
            names = [self._copy(name) for name in item.pictures]
        except RecordError:
            self._done.left_out["items whose picture is missing"] += 1
            return None
        self._splits |= dict.fromkeys(item.pictures, split)
        note = str(each.label.get("note") or "").strip()
        return {
            "pictures": names,
            "platform": "desktop",
            "source": "annotated",
            "task": group,
            "split": split,
            "annotators": each.annotators,
            "decided": each.decided,
            **({"note": note} if note else {}),
        }

    def _copy(self, name: str) -> str:
        if name not in self.copied:
            try:
                shutil.copyfile(self._set.picture(name), self._folder / self._images / name, follow_symlinks=False)
            except FileNotFoundError as error:
                raise RecordError(f"the picture {name} is missing") from error
            self.copied.add(name)
        return f"{self._images}/{name}"

    def _elements(self, item: AnnotationItem) -> str:
        source = self._set.folder / "elements" / item.elements
        if not item.elements or not source.is_file() or source.is_symlink():
            return ""
        (self._folder / "elements").mkdir(exist_ok=True)
        shutil.copyfile(source, self._folder / "elements" / item.elements)
        return f"elements/{item.elements}"


def _write(
    form: str, kind: str, folder: Path, rows: list[dict[str, Any]], opened: AnnotationSet, done: ExportedSet
) -> None:
    (folder / "README.md").write_text(_card(form, kind, opened, done), encoding="utf-8")
    if form == "screenspot":
        listed = [_screenspot(row) for row in rows]
        (folder / "screenspot_desktop.json").write_text(json.dumps(listed, indent=1), encoding="utf-8")
    elif form == "groundui":
        lines = [plain_json(_groundui(row)) + b"\n" for row in rows]
        (folder / "metadata.jsonl").write_bytes(b"".join(lines))
    else:
        (folder / f"{kind}.jsonl").write_bytes(b"".join(plain_json(row) + b"\n" for row in rows))
        if form == "parquet":
            write_parquet(folder)


def _groundui(row: dict[str, Any]) -> dict[str, Any]:
    columns = ("image", "picture", "instruction", "bbox", "source", "platform", "resolution")
    return {**{name: row[name] for name in columns}, "raw_instruction": row["instruction"], "role": row["role"]}


def _screenspot(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row as ScreenSpot was first published: left, top, width and height in pixels."""
    left, top, right, bottom = row["bbox"]
    return {
        "img_filename": row["image"].rpartition("/")[2],
        "picture": row["picture"],
        "bbox": [left, top, round(right - left, 1), round(bottom - top, 1)],
        "instruction": row["instruction"],
        "data_type": "icon" if row["role"].lower() in _ICONS else "text",
        "data_source": "annotated",
    }


def _card(form: str, kind: str, opened: AnnotationSet, done: ExportedSet) -> str:
    left = "\n".join(f"- {reason}: {count}" for reason, count in done.left_out.items()) or "- nothing"
    what = {"ground": "boxes on screens", "idm": "actions between screens", "critic": "outcomes of attempts"}[kind]
    return (
        f"# {opened.name}\n\n{done.samples} samples on {done.pictures} pictures: {what}, annotated by people and "
        f"written by `proctor studio export --format {form}`. Each item is what was decided, or what its annotators "
        f"agree on.\n\nLeft out:\n\n{left}\n"
    )
