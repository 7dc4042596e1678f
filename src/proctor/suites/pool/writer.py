"""Subtasks on documents in LibreOffice Writer."""

from __future__ import annotations

from collections.abc import Mapping

from proctor.errors import SpecError
from proctor.suites.pool.doing import lines_of, named
from proctor.suites.pool.office import WRITER, exported_as_pdf, merely_copied, office, quitted, saved_as
from proctor.tasks.call import Call
from proctor.tasks.checks import expect
from proctor.tasks.draw import Draw
from proctor.tasks.graph.resource import Resource
from proctor.tasks.graph.subtask import Bound, Subtask, Work
from proctor.tasks.graph.theme import Theme
from proctor.tasks.moves import hand
from proctor.tasks.probes import see
from proctor.tasks.task import NearMiss

WRITING = "Office/Documentation/Writing"
LONGEST_LINE = 60
"""What is longer may not fit on one line."""


def _document(draw: Draw, theme: Theme, words: tuple[str, ...], lines: list[str]) -> Resource:
    return Resource("document", named(draw, theme, "Documents", words, ".odt"), lines)


def _says(document: Resource) -> Call:
    """Expect a document with these paragraphs; empty ones do not count."""
    seen = see.document(document.value)
    lines = [line for line in document.content if line.strip()]
    return expect.all_of([expect.document_text_is(seen, lines), expect.document_format(seen, "odt")])


class TurnATextIntoADocument(Subtask):
    """A plain text becomes a document."""

    app = "libreoffice-writer"
    takes = {"source": "text_file"}
    gives = {"document": "document"}
    asks = (
        "turn {source} into an OpenDocument text {document} with the same lines",
        "open {source} in Writer and save it as an OpenDocument text {document}",
        "make an OpenDocument text {document} out of {source} with the same wording",
    )
    steps = ("Open {source} in LibreOffice Writer.", "Save it as an OpenDocument text {document}.", "Close Writer.")
    demand = WRITING

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        document = _document(draw, theme, ("paper", "handout", "sheet"), lines_of(takes["source"]))
        return Bound(takes=takes, gives={"document": document})

    def work(self, bound: Bound) -> Work:
        source, document = bound.takes["source"], bound.gives["document"]
        return Work(
            moves=(*office(WRITER, source), *saved_as(document), *quitted()),
            check=_says(document),
            near_misses=(NearMiss(name="only its name changed", moves=merely_copied(source, document)),),
        )


class ExportADocument(Subtask):
    """A document becomes a PDF."""

    app = "libreoffice-writer"
    takes = {"source": "document"}
    gives = {"pdf": "pdf"}
    asks = (
        "export {source} as a PDF to {pdf}",
        "make a PDF {pdf} of {source}",
        "turn {source} into a PDF {pdf}",
    )
    steps = ("Open {source} in LibreOffice Writer.", "Export it as a PDF to {pdf}.", "Close Writer.")
    demand = WRITING

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        path = named(draw, theme, "Documents", ("printout", "to-send", "final"), ".pdf")
        return Bound(takes=takes, gives={"pdf": Resource("pdf", path, lines_of(takes["source"]))})

    def work(self, bound: Bound) -> Work:
        source, pdf = bound.takes["source"], bound.gives["pdf"]
        lines = [line for line in pdf.content if line.strip()]
        return Work(
            moves=(*office(WRITER, source), *exported_as_pdf(pdf), *quitted()),
            check=expect.pdf_has_text(see.pdf(pdf.value), lines),
            near_misses=(NearMiss(name="only its name changed", moves=merely_copied(source, pdf)),),
        )
