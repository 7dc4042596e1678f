"""A view of an application as grounding samples, in the form of GroundUI."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Collection, Mapping
from pathlib import Path

from proctor.actions.in_words import label
from proctor.observations.encode import png
from proctor.observations.tree import Node
from proctor.offline.harvest.catalogue import Visit
from proctor.offline.harvest.walk import VisitView
from proctor.offline.make.samples import list_elements, sample_id
from proctor.offline.make.shown_language import shown_language
from proctor.offline.make.wordings import NAME, ElementWords, choose_wording
from proctor.store.files import packed_json, write_whole

_WRITING = threading.Lock()
"""Two visits may see the same picture at the same time, and its name is made of what it shows."""


def rows_of(
    folder: Path, visit: Visit, view: VisitView, size: tuple[int, int], desktop: Collection[str] = ()
) -> list[dict[str, object]]:
    """Return the samples of a view, its picture and its list of elements written beside them.

    `desktop` names the applications that were there before the program: what is theirs is not the program's.
    """
    if not view.targets:
        return []
    data = png(view.image)
    name = hashlib.sha256(data).hexdigest()[:20]
    words, languages = ElementWords(view.tree, size), {node.app: "" for node in view.targets}
    for app in languages:
        languages[app] = shown_language(view.tree, app)
    rows = []
    for node in view.targets:
        owner = node.app if node.app in desktop and node.app != visit.program.name else visit.program.name
        if ways := words.of(node, languages[node.app]):
            rows.append(_row(visit, view, node, name, size, ways) | _whose(owner, languages[node.app]))
    if rows:
        elements = packed_json(list_elements(view.tree))
        with _WRITING:
            write_whole(folder / "images", f"{name}.png", data)
            write_whole(folder / "elements", f"{name}.json.gz", elements)
    return rows


def _whose(owner: str, language: str) -> dict[str, object]:
    return {"application": owner, "task": f"harvest/{owner}", "language": language}


def _row(
    visit: Visit, view: VisitView, node: Node, picture: str, size: tuple[int, int], ways: Mapping[str, str]
) -> dict[str, object]:
    assert node.box is not None
    x, y, width, height = node.box
    box = [x, y, x + width, y + height]
    id = sample_id(picture, box, ways[NAME])
    way, words = choose_wording(ways, id)
    return {
        "id": id,
        "image": f"images/{picture}.png",
        "instruction": words,
        "wording": way,
        "wordings": dict(ways),
        "bbox": box,
        "resolution": list(size),
        "platform": "desktop",
        "source": "proctor",
        "role": node.role,
        "name": label(node.name, ""),
        "point": list(node.box.center),
        "checked": True,
        "elements": f"elements/{picture}.json.gz",
        "theme": visit.theme,
        "scale": visit.scale,
        "view": view.what,
    }
