"""A view of an application as grounding samples, in the form of GroundUI."""

from __future__ import annotations

import hashlib
import threading
from pathlib import Path

from proctor.observations.encode import png
from proctor.observations.tree import Node
from proctor.offline.harvest.catalogue import Visit
from proctor.offline.harvest.walk import VisitView
from proctor.offline.make.samples import list_elements, sample_id
from proctor.offline.make.words import instruction
from proctor.records import Hit
from proctor.store.files import packed_json, write_whole

_WRITING = threading.Lock()
"""Two visits may see the same picture at the same time, and its name is made of what it shows."""


def rows_of(folder: Path, visit: Visit, view: VisitView, size: tuple[int, int]) -> list[dict[str, object]]:
    """Return the samples of a view, its picture and its list of elements written beside them."""
    if not view.targets:
        return []
    data = png(view.image)
    name = hashlib.sha256(data).hexdigest()[:20]
    rows = [row for node in view.targets if (row := _row(visit, view, node, name, size))]
    if rows:
        elements = packed_json(list_elements(view.tree))
        with _WRITING:
            write_whole(folder / "images", f"{name}.png", data)
            write_whole(folder / "elements", f"{name}.json.gz", elements)
    return rows


def _row(visit: Visit, view: VisitView, node: Node, picture: str, size: tuple[int, int]) -> dict[str, object]:
    assert node.box is not None
    x, y, width, height = node.box
    hit = Hit(role=node.role, name=node.name, box=(x, y, width, height), app=node.app, window=node.window)
    words = instruction("click", hit)
    if not words:
        return {}
    box = [x, y, x + width, y + height]
    return {
        "id": sample_id(picture, box, words),
        "image": f"images/{picture}.png",
        "instruction": words,
        "bbox": box,
        "resolution": list(size),
        "platform": "desktop",
        "source": "proctor",
        "application": visit.program.name,
        "role": node.role,
        "task": f"harvest/{visit.program.name}",
        "point": list(node.box.center),
        "checked": True,
        "elements": f"elements/{picture}.json.gz",
        "theme": visit.theme,
        "scale": visit.scale,
        "locale": visit.locale,
        "view": view.what,
    }
