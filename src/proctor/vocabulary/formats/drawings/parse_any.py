"""Vector drawings, whichever program made them: SVG, and those of LibreOffice."""

from __future__ import annotations

from proctor.vocabulary.formats.drawings.parse import parse_drawing
from proctor.vocabulary.formats.guard import open_zip
from proctor.vocabulary.formats.office.parse_odf import flat_parts, odf_parts
from proctor.vocabulary.formats.slides.parse_odp import read_odg


def read_drawing(path: str, data: bytes) -> dict[str, object]:
    """Return the shapes of a drawing in one form; content, not name, tells the format."""
    if data.startswith(b"PK"):
        with open_zip(data, path) as archive:
            return {"path": path, **read_odg(odf_parts(archive, path), path)}
    if (flat := flat_parts(data, path)) is not None:
        return {"path": path, **read_odg(flat, path)}
    return parse_drawing(path, data)
