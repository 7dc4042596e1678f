"""Probes that look into presentations."""

from __future__ import annotations

from typing import Any

from proctor.tasks.finding import CannotSee
from proctor.tasks.guard import open_zip
from proctor.tasks.probes.odf_slides import read_odp
from proctor.tasks.probes.ooxml_slides import read_pptx
from proctor.tasks.scene import Scene
from proctor.tasks.shelves import PROBES


@PROBES.register
def slides(scene: Scene, path: str) -> dict[str, Any]:
    """A presentation, .odp or .pptx: for each slide title, texts, notes, layout, background, pictures and shapes.

    Both formats give the same form; the order is the one in which the slides are shown, hidden ones included.
    """
    return read_slides(scene.read(path), path)


@PROBES.register
def slides_before(scene: Scene, path: str) -> dict[str, Any]:
    """A presentation as it was before the agent began, in the same form."""
    data = scene.computer.before(path)
    if data is None:
        raise CannotSee("absent", f"there was no file {path} at the beginning")
    return read_slides(data, path)


def read_slides(data: bytes, path: str) -> dict[str, Any]:
    """Return a presentation as plain data, whichever of the formats it is in."""
    with open_zip(data, path) as archive:
        names = archive.namelist()
        if "ppt/presentation.xml" in names:
            return {"path": path, **read_pptx(archive, path)}
        if "content.xml" in names:
            return {"path": path, **read_odp(archive, path)}
    raise CannotSee("unreadable", f"{path} is neither an OpenDocument nor a PowerPoint presentation")
