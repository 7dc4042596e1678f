"""Presentations of both families of formats."""

from __future__ import annotations

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.guard import open_zip
from proctor.vocabulary.formats.office.parse_odf import flat_parts, odf_parts
from proctor.vocabulary.formats.pictures import parse as pictures
from proctor.vocabulary.formats.slides.parse_odp import read_odp
from proctor.vocabulary.formats.slides.parse_pptx import read_pptx


def preload() -> None:
    """Load what pictures are read with."""
    pictures.preload()


def read_slides(data: bytes, path: str) -> dict[str, object]:
    """Return a presentation as plain data; its content, not its name, tells the format."""
    if (flat := flat_parts(data, path)) is not None:
        return {"path": path, **read_odp(flat, path)}
    with open_zip(data, path) as archive:
        names = archive.namelist()
        if "ppt/presentation.xml" in names:
            return {"path": path, **read_pptx(archive, path)}
        if "content.xml" in names:
            return {"path": path, **read_odp(odf_parts(archive, path), path)}
    raise CannotSee("unreadable", f"{path} is neither an OpenDocument nor a PowerPoint presentation")
