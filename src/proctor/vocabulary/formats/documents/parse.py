"""Text documents of both families of formats."""

from __future__ import annotations

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.documents.parse_docx import read_docx
from proctor.vocabulary.formats.documents.parse_odt import read_odt
from proctor.vocabulary.formats.guard import open_zip
from proctor.vocabulary.formats.office.parse_odf import flat_parts, odf_parts


def read_document(data: bytes, path: str) -> dict[str, object]:
    """Return a text document as plain data; its content, not its name, tells the format."""
    if (flat := flat_parts(data, path)) is not None:
        return {"path": path, **read_odt(flat, path)}
    with open_zip(data, path) as archive:
        names = archive.namelist()
        if "word/document.xml" in names:
            return {"path": path, **read_docx(archive, path)}
        if "content.xml" in names:
            return {"path": path, **read_odt(odf_parts(archive, path), path)}
    raise CannotSee("unreadable", f"{path} is neither an OpenDocument text nor a Word document")
