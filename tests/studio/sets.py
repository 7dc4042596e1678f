"""Annotation sets of a workspace, made for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PIL import Image

from proctor.studio.annotate.make_sets import from_data, from_pictures, from_run
from proctor.studio.annotate.sets import HOME, AnnotationSet
from tests.offline.sets import groundui
from tests.web.recorded import write_run


def place(workspace: Path, name: str) -> Path:
    return workspace / HOME / name


def pictures(folder: Path, count: int, size: tuple[int, int] = (400, 300)) -> Path:
    """Draw pictures that differ."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        Image.new("RGB", size, (number % 256, number // 256, 90)).save(folder / f"{number:04d}.png")
    return folder


def drawn(workspace: Path, count: int = 3, *, name: str = "screens", annotators: int = 2) -> AnnotationSet:
    from_pictures(place(workspace, name), pictures(workspace / f"{name}-source", count), annotators=annotators)
    return AnnotationSet(place(workspace, name))


def recorded(workspace: Path, kind: Any, *, name: str = "recorded", annotators: int = 2) -> AnnotationSet:
    run = workspace / "runs" / "run"
    if not run.exists():
        write_run(run)
    from_run(place(workspace, name), run, kind=kind, annotators=annotators)
    return AnnotationSet(place(workspace, name))


def imported(workspace: Path, *, name: str = "imported") -> AnnotationSet:
    from_data(place(workspace, name), groundui(workspace / "groundui", 5))
    return AnnotationSet(place(workspace, name))


def box(*corners: float, id: str = "b1", instruction: str = "Click Save", **more: Any) -> dict[str, Any]:
    return {"id": id, "box": list(corners), "instruction": instruction, "role": "button", "ambiguous": False, **more}


def label(opened: AnnotationSet, who: str, item: str, data: dict[str, Any], *, done: bool = True) -> None:
    log = opened.log(who)
    found = log.find(item)
    log.save(item, found.number if found else 0, {"note": "", "done": done, **data}, by=who)
