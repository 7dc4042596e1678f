"""Probes that look into text documents and PDF files."""

from __future__ import annotations

from typing import Any

from proctor.formats.documents.reading import page_texts, read_document
from proctor.tasks.finding import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES

MOST_PDF_BYTES = 32 * 2**20
PDF_PATIENCE_SEC = 20


@PROBES.register
def document(context: ProbeContext, path: str) -> dict[str, Any]:
    """A text document, .odt or .docx: paragraphs with their styles and runs, tables, pages, changes, comments.

    Both formats give the same form. Styles are resolved through their parents; the text is the one that stands once
    recorded changes are accepted.
    """
    return parsed(path, read_document, context.read(path), path)


@PROBES.register
def document_before(context: ProbeContext, path: str) -> dict[str, Any]:
    """A text document as it was before the agent began, in the same form."""
    return parsed(path, read_document, context.before(path), path)


@PROBES.register
def pdf(context: ProbeContext, path: str) -> dict[str, Any]:
    """A PDF file: the text of each page, read by the computer itself (`pdftotext`)."""
    data = context.read(path, most=MOST_PDF_BYTES)
    if not data.startswith(b"%PDF-"):
        raise CannotSee("unreadable", f"{path} is not a PDF file")
    # The content goes in by the pipe: what stands at the path may have changed since it was looked at.
    argv = ["timeout", str(PDF_PATIENCE_SEC), "pdftotext", "-layout", "-enc", "UTF-8", "-", "-"]
    result = context.run(argv, reader=True, input=data, timeout_sec=PDF_PATIENCE_SEC + 10)
    if result.code != 0:
        raise CannotSee("unreadable", f"{path} cannot be read as PDF: {result.stderr.strip()[-200:]}")
    return {"path": path, "pages": parsed(path, page_texts, result.stdout)}
