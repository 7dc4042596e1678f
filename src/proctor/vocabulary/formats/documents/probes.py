"""Probes that look into text documents and PDF files."""

from __future__ import annotations

import base64 as encoding
from typing import Annotated

from pydantic import Field

from proctor.computers.computer import CommandResult
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.formats.documents.parse import read_document
from proctor.vocabulary.formats.documents.parse_docx_places import docx_as_written
from proctor.vocabulary.formats.documents.parse_pdf import legible, page_margins, page_texts, pages_as_pictures
from proctor.vocabulary.formats.office.parse_noise import changed_by_saving

MOST_PDF_BYTES = 32 * 2**20
PDF_PATIENCE_SEC = 20
DRAWN_PAGES, DRAWN_PIXELS = 10, 1000
"""How many pages are drawn to see whether their words show, and how long the longer side is then."""
DRAW = f"pdftoppm -q -png -gray -scale-to {DRAWN_PIXELS} -l {DRAWN_PAGES} - | base64"


@PROBES.register_with(read_document, whole="file", noise=changed_by_saving)
def document(context: ProbeContext, path: str) -> dict[str, object]:
    """A text document, .odt or .docx: paragraphs with styles and runs, tables, changes, comments.

    Both formats give the same form. Styles are resolved through their parents; the text is the one that stands once
    recorded changes are accepted.
    """
    return parsed(path, read_document, context.read(path), path)


@PROBES.register_with(read_document)
def document_before(context: ProbeContext, path: str) -> dict[str, object]:
    """A text document as it was before the agent began, in the same form."""
    return parsed(path, read_document, context.before(path), path)


@PROBES.register_with(docx_as_written)
def docx(context: ProbeContext, path: str) -> dict[str, object]:
    """A .docx as saved: tab stops, subscripts, equations, positions of pictures, words in tables."""
    return parsed(path, docx_as_written, context.read(path), path)


@PROBES.register_with(page_texts, legible)
def pdf(context: ProbeContext, path: str) -> dict[str, object]:
    """A PDF file: the text that can be read on each page, extracted by the computer's `pdftotext`."""
    return {"path": path, "pages": pages_of_pdf(context, context.read(path, most=MOST_PDF_BYTES), path)}


@PROBES.register_with(page_texts, legible)
def given_pdf(
    context: ProbeContext, base64: Annotated[str, Field(max_length=MOST_PDF_BYTES)], name: str = "the expected PDF"
) -> dict[str, object]:
    """The text on each page of a PDF file that comes with the task, to compare with."""
    return {"path": name, "pages": pages_of_pdf(context, encoding.b64decode(base64), name)}


@PROBES.register_with(page_margins)
def pdf_margins(context: ProbeContext, path: str) -> dict[str, object]:
    """A PDF file: how much of each page is empty below its last word, in points."""
    told = _made_of(context, context.read(path, most=MOST_PDF_BYTES), "pdftotext -bbox -enc UTF-8 - -")
    if told.code != 0:
        raise CannotSee("unreadable", f"{path} cannot be read as PDF: {told.stderr.strip()[-200:]}")
    return {"path": path, "pages": parsed(path, page_margins, told.stdout)}


@PROBES.register_with(pages_as_pictures)
def drawn_pdf(context: ProbeContext, path: str) -> dict[str, object]:
    """The first pages of a PDF file as pictures, rendered by the computer's `pdftoppm`."""
    return {"path": path, "pages": _draw(context, context.read(path, most=MOST_PDF_BYTES), path)}


@PROBES.register_with(pages_as_pictures)
def given_drawn_pdf(
    context: ProbeContext, base64: Annotated[str, Field(max_length=MOST_PDF_BYTES)], name: str = "the expected PDF"
) -> dict[str, object]:
    """The first pages, as pictures, of a PDF file that comes with the task, to compare with."""
    return {"path": name, "pages": _draw(context, encoding.b64decode(base64), name)}


def _draw(context: ProbeContext, data: bytes, path: str) -> list[dict[str, object]]:
    drawn = _made_of(context, data, DRAW)
    if drawn.code != 0 or not data.startswith(b"%PDF-"):
        raise CannotSee("unreadable", f"{path} cannot be drawn: {drawn.stderr.strip()[-200:]}")
    return parsed(path, pages_as_pictures, drawn.stdout)


def pages_of_pdf(context: ProbeContext, data: bytes, path: str) -> list[str]:
    """Return the text that can be read on each page of a PDF file."""
    if not data.startswith(b"%PDF-"):
        raise CannotSee("unreadable", f"{path} is not a PDF file")
    read = _made_of(context, data, "pdftotext -layout -enc UTF-8 - -")
    if read.code != 0:
        raise CannotSee("unreadable", f"{path} cannot be read as PDF: {read.stderr.strip()[-200:]}")
    pages = parsed(path, page_texts, read.stdout)
    boxes = _made_of(context, data, f"pdftotext -bbox -enc UTF-8 -l {DRAWN_PAGES} - -")
    drawn = _made_of(context, data, DRAW)
    if boxes.code == drawn.code == 0:
        pages = parsed(path, legible, pages, boxes.stdout, drawn.stdout)
    return pages


def _made_of(context: ProbeContext, data: bytes, command: str) -> CommandResult:
    # It goes in by the pipe: what stands at the path may have changed since it was looked at.
    argv = ["timeout", str(PDF_PATIENCE_SEC), "sh", "-c", command]
    return context.run(argv, reader=True, input=data, timeout_sec=PDF_PATIENCE_SEC + 10)
