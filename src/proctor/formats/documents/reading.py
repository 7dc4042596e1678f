"""Text documents of both families of formats, and the text of PDF files."""

from __future__ import annotations

import re
from typing import Any

from proctor.formats.documents.reading_docx import read_docx
from proctor.formats.documents.reading_odt import read_odt
from proctor.formats.guard import open_zip
from proctor.tasks.finding import CannotSee

LIGATURES = str.maketrans({"\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl"})
"""Some programs write joined letters as one sign; they are read as the letters that they are."""


def read_document(data: bytes, path: str) -> dict[str, Any]:
    """Return a text document as plain data, whichever of the formats it is in."""
    with open_zip(data, path) as archive:
        names = archive.namelist()
        if "word/document.xml" in names:
            return {"path": path, **read_docx(archive, path)}
        if "content.xml" in names:
            return {"path": path, **read_odt(archive, path)}
    raise CannotSee("unreadable", f"{path} is neither an OpenDocument text nor a Word document")


def page_texts(printed: str) -> list[str]:
    """Return the text of each page in what `pdftotext` prints, with single blanks between words."""
    # Every page ends with a form feed, the last one too.
    pages = printed.translate(LIGATURES).split("\f")[:-1]
    return [re.sub(r"\s+", " ", page).strip() for page in pages]
