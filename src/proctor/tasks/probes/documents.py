"""Probes that look into text documents and PDF files."""

from __future__ import annotations

import re
from typing import Any

from proctor.tasks.finding import CannotSee
from proctor.tasks.guard import open_zip
from proctor.tasks.probes.odf_text import read_odt
from proctor.tasks.probes.ooxml_text import read_docx
from proctor.tasks.scene import Scene
from proctor.tasks.shelves import PROBES

MOST_PDF_BYTES = 32 * 2**20
PDF_PATIENCE_SEC = 20
LIGATURES = str.maketrans({"\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl"})
"""Some programs write joined letters as one sign; they are read as the letters that they are."""


@PROBES.register
def document(scene: Scene, path: str) -> dict[str, Any]:
    """A text document, .odt or .docx: paragraphs with their styles and runs, tables, pages, changes, comments.

    Both formats give the same form. Styles are resolved through their parents; the text is the one that stands once
    recorded changes are accepted.
    """
    return read_document(scene.read(path), path)


@PROBES.register
def document_before(scene: Scene, path: str) -> dict[str, Any]:
    """A text document as it was before the agent began, in the same form."""
    data = scene.computer.before(path)
    if data is None:
        raise CannotSee("absent", f"there was no file {path} at the beginning")
    return read_document(data, path)


def read_document(data: bytes, path: str) -> dict[str, Any]:
    """Return a text document as plain data, whichever of the formats it is in."""
    with open_zip(data, path) as archive:
        names = archive.namelist()
        if "word/document.xml" in names:
            return {"path": path, **read_docx(archive, path)}
        if "content.xml" in names:
            return {"path": path, **read_odt(archive, path)}
    raise CannotSee("unreadable", f"{path} is neither an OpenDocument text nor a Word document")


@PROBES.register
def pdf(scene: Scene, path: str) -> dict[str, Any]:
    """A PDF file: the text of each page, read by the computer itself (`pdftotext`)."""
    data = scene.read(path, most=MOST_PDF_BYTES)
    if not data.startswith(b"%PDF-"):
        raise CannotSee("unreadable", f"{path} is not a PDF file")
    # The content goes in by the pipe: what stands at the path may have changed since it was looked at.
    argv = ["timeout", str(PDF_PATIENCE_SEC), "pdftotext", "-layout", "-enc", "UTF-8", "-", "-"]
    result = scene.computer.run(argv, root=True, input=data, timeout_sec=PDF_PATIENCE_SEC + 10)
    if result.code != 0:
        raise CannotSee("unreadable", f"{path} cannot be read as PDF: {result.stderr.strip()[-200:]}")
    return {"path": path, "pages": page_texts(result.stdout)}


def page_texts(printed: str) -> list[str]:
    """Return the text of each page in what `pdftotext` prints, with single blanks between words."""
    # Every page ends with a form feed, the last one too.
    pages = printed.translate(LIGATURES).split("\f")[:-1]
    return [re.sub(r"\s+", " ", page).strip() for page in pages]
