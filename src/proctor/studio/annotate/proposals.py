"""Boxes that an annotator may take: elements of the tree, and lines read from the picture."""

from __future__ import annotations

import threading
from importlib.util import find_spec
from typing import Any

from proctor.errors import RecordError
from proctor.offline.ocr import PictureTexts
from proctor.offline.sample import PictureFile, Shot
from proctor.store.files import read_packed_json
from proctor.studio.annotate.items import AnnotationItem
from proctor.studio.annotate.sets import AnnotationSet

MOST = 3_000
"""Of each kind, for one picture."""
MOST_NAME = 200

Proposal = dict[str, Any]


def can_read() -> bool:
    """Tell whether text can be read off pictures here."""
    return find_spec("rapidocr_onnxruntime") is not None


def from_tree(opened: AnnotationSet, item: AnnotationItem) -> list[Proposal]:
    """Return the elements that showed on an item's picture, the smallest first, each place once."""
    if not item.elements:
        return []
    try:
        listed = read_packed_json(opened.folder / "elements" / item.elements)
    except RecordError:
        return []
    found: dict[tuple[float, ...], Proposal] = {}
    for each in listed if isinstance(listed, list) else ():
        box = _inside(each.get("box"), item.size) if isinstance(each, dict) else None
        if box:
            name = str(each.get("name") or each.get("text") or "")[:MOST_NAME]
            found.setdefault(tuple(box), {"box": box, "role": str(each.get("role") or ""), "name": name, "by": "tree"})
    return sorted(found.values(), key=_area)[:MOST]


class Texts:
    """Reads pictures of one set, one at a time: reading takes seconds of a whole core."""

    def __init__(self, opened: AnnotationSet) -> None:
        self._set = opened
        self._texts: PictureTexts | None = None
        self._lock = threading.Lock()

    def of(self, item: AnnotationItem) -> list[Proposal]:
        """Return the lines of text on an item's picture; kept in the set by the digest of the picture."""
        with self._lock:
            if self._texts is None:
                self._texts = PictureTexts(self._set.folder)
            lines = self._texts.lines(Shot(PictureFile(self._set.picture(item.pictures[0]))))
        found: list[Proposal] = []
        for text, (left, top, right, bottom) in lines:
            if box := _inside([left, top, right - left, bottom - top], item.size):
                found.append({"box": box, "role": "text", "name": text[:MOST_NAME], "by": "ocr"})
        return sorted(found, key=_area)[:MOST]


def _inside(box: object, size: tuple[int, int]) -> list[float] | None:
    """Return the part of a box (left, top, width, height) on the picture as corners; None for none."""
    if not isinstance(box, list) or len(box) != 4 or not all(isinstance(each, int | float) for each in box):
        return None
    left, top = max(box[0], 0), max(box[1], 0)
    right, bottom = min(box[0] + box[2], size[0]), min(box[1] + box[3], size[1])
    if right - left < 2 or bottom - top < 2 or (right - left) * (bottom - top) > 0.9 * size[0] * size[1]:
        return None
    return [round(float(value), 1) for value in (left, top, right, bottom)]


def _area(proposal: Proposal) -> float:
    left, top, right, bottom = proposal["box"]
    return float((right - left) * (bottom - top))
