"""Subtasks on documents in LibreOffice Writer."""

from __future__ import annotations

from collections.abc import Mapping

from proctor.errors import SpecError
from proctor.graphs.composing.resource import Resource
from proctor.graphs.composing.subtask import Bound, Subtask, Work
from proctor.graphs.composing.theme import Theme
from proctor.suites.parts.office import (
    WRITER,
    Moves,
    chosen,
    exported_as_pdf,
    merely_copied,
    office,
    quitted,
    saved_as,
)
from proctor.suites.parts.programs import lines_of, named
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, see
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


def _continued(source: Resource) -> list[str]:
    """Return the paragraphs of a document that more can be added to.

    Raises:
        SpecError: The last one is a single small word: Writer gives it a capital as soon as the next one is begun.
    """
    lines = lines_of(source)
    last = lines[-1].split() if lines else []
    if len(last) == 1 and last[0][0].islower():
        raise SpecError(f"Writer would change the end of {source.value}", remedy="hand it another document")
    return lines


def _edited(source: Resource, edit: Moves, document: Resource) -> Moves:
    """Open a document, change something, and save that as another one."""
    return (*office(WRITER, source), *edit, *saved_as(document), *quitted())


class TurnATextIntoADocument(Subtask):
    """A plain text becomes a document."""

    app = "libreoffice-writer"
    takes = {"source": "text_file"}
    gives = {"document": "document"}
    asks = (
        "turn {source} into an OpenDocument text {document} with the same lines",
        "open {source} in Writer and save it as an OpenDocument text {document}",
        "make an OpenDocument text {document} out of {source} with the same text",
    )
    steps = ("Open {source} in LibreOffice Writer.", "Save it as an OpenDocument text {document}.", "Close Writer.")
    demand = WRITING

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        source = takes["source"]
        if not source.value.endswith(".txt"):
            raise SpecError(f"Writer may ask how to read {source.value}", remedy="hand it a plain text")
        document = _document(draw, theme, ("paper", "handout", "sheet"), lines_of(source))
        return Bound(takes=takes, gives={"document": document})

    def work(self, bound: Bound) -> Work:
        source, document = bound.takes["source"], bound.gives["document"]
        return Work(
            moves=_edited(source, (), document),
            check=_says(document),
            near_misses=(NearMiss(name="just copied under the new name", moves=merely_copied(source, document)),),
        )


class WriteALetter(Subtask):
    """A short letter is written."""

    app = "libreoffice-writer"
    gives = {"document": "document"}
    asks = (
        'write a letter {document} that says "{greeting}", on the next line "{message}" and on the last "{closing}"',
        'draw up a letter {document} with three lines, "{greeting}", "{message}" and "{closing}"',
    )
    steps = (
        "Start LibreOffice Writer.",
        'Type "{greeting}", on the next line "{message}" and on the last "{closing}".',
        "Save it as the document {document} and close Writer.",
    )
    demand = WRITING

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        day, hour = draw.choice(("Monday", "Tuesday", "Thursday", "Friday")), draw.randint(2, 8)
        params = {
            "greeting": f"Dear {draw.person()},",
            "message": draw.choice(
                (
                    f"We meet in {theme.place} on {day} at {hour} pm.",
                    f"Thank you for your help in {theme.place}, {hour} more people have come.",
                    f"Please bring {hour} chairs to {theme.place} on {day}.",
                )
            ),
            "closing": f"Yours, {theme.person}",
        }
        document = _document(draw, theme, ("letter", "reply", "message"), list(params.values()))
        return Bound(gives={"document": document}, params=params)

    def work(self, bound: Bound) -> Work:
        document = bound.gives["document"]
        typed = (*office(WRITER), hand.type("\n".join(document.content)))
        return Work(
            moves=(*typed, *saved_as(document), *quitted()),
            check=_says(document),
            near_misses=(NearMiss(name="not saved", moves=typed),),
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
            moves=(*office(WRITER, source), *exported_as_pdf(WRITER, pdf), *quitted()),
            check=expect.pdf_has_text(see.pdf(pdf.value), lines),
            near_misses=(NearMiss(name="just copied under the new name", moves=merely_copied(source, pdf)),),
        )


class PasteIntoADocument(Subtask):
    """The text on the clipboard becomes a document."""

    app = "libreoffice-writer"
    takes = {"clip": "clipboard_text"}
    gives = {"document": "document"}
    asks = (
        "paste {clip} into a new Writer document and save that as {document}",
        "make a new document {document} in Writer that has {clip} in it and nothing else",
    )
    steps = ("Start LibreOffice Writer.", "Paste {clip}.", "Save it as the document {document} and close Writer.")
    demand = WRITING

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        lines = [line for line in takes["clip"].value.splitlines() if line.strip()]
        if not lines:
            raise SpecError("there is nothing on the clipboard to paste", remedy="hand it something else")
        return Bound(takes=takes, gives={"document": _document(draw, theme, ("pasted", "excerpt", "quote"), lines)})

    def work(self, bound: Bound) -> Work:
        document = bound.gives["document"]
        new = office(WRITER)
        return Work(
            moves=(*new, hand.press("ctrl+alt+shift+v"), *saved_as(document), *quitted()),
            check=_says(document),
            near_misses=(NearMiss(name="nothing pasted", moves=(*new, *saved_as(document))),),
        )


class SignADocument(Subtask):
    """A copy of a document gets a last line."""

    app = "libreoffice-writer"
    takes = {"source": "document"}
    gives = {"document": "document"}
    asks = (
        'add a last paragraph "{line}" to {source} and save that as {document}',
        'save a copy of {source} as {document} with one more paragraph at the end that says "{line}"',
    )
    steps = (
        "Open {source} in LibreOffice Writer.",
        'Add a paragraph "{line}" at the end.',
        "Save it as {document} and close Writer.",
    )
    demand = WRITING

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        line = draw.choice((f"Signed, {theme.person}", f"Checked by {theme.person}", f"Questions go to {theme.person}"))
        document = _document(draw, theme, ("signed", "checked", "complete"), [*_continued(takes["source"]), line])
        return Bound(takes=takes, gives={"document": document}, params={"line": line})

    def work(self, bound: Bound) -> Work:
        source, document, line = bound.takes["source"], bound.gives["document"], bound.params["line"]
        sign = (hand.press("ctrl+End"), hand.press("Return"), hand.type(line))
        return Work(
            moves=_edited(source, sign, document),
            check=_says(document),
            near_misses=(NearMiss(name="copied unchanged", moves=merely_copied(source, document)),),
        )


class PutAHeadingOnADocument(Subtask):
    """A copy of a document gets a heading."""

    app = "libreoffice-writer"
    takes = {"source": "document"}
    gives = {"document": "document"}
    asks = (
        'put "{heading}" at the top of {source} as a level 1 heading and save that as {document}',
        'save a copy of {source} as {document} that starts with the level 1 heading "{heading}"',
    )
    steps = (
        "Open {source} in LibreOffice Writer.",
        'Add "{heading}" as the first paragraph and make it a level 1 heading.',
        "Save it as {document} and close Writer.",
    )
    demand = WRITING

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        heading = f"{draw.choice(('News from', 'Notes on', 'Welcome to', 'Summary for'))} {theme.place}"
        lines = [heading, *lines_of(takes["source"])]
        if heading in lines[1:]:
            raise SpecError(f"{takes['source'].value} has this heading already", remedy="hand it something else")
        document = _document(draw, theme, ("headed", "with-heading", "titled"), lines)
        return Bound(takes=takes, gives={"document": document}, params={"heading": heading})

    def work(self, bound: Bound) -> Work:
        source, document, heading = bound.takes["source"], bound.gives["document"], bound.params["heading"]
        written = (hand.press("ctrl+Home"), hand.type(f"{heading}\n"), hand.press("ctrl+Home"))
        return Work(
            moves=_edited(source, (*written, hand.press("ctrl+1")), document),
            check=expect.all_of([_says(document), expect.heading_is(see.document(document.value), heading, 1)]),
            near_misses=(NearMiss(name="a plain paragraph", moves=_edited(source, written, document)),),
        )


class JoinTwoDocuments(Subtask):
    """Two documents become one."""

    app = "libreoffice-writer"
    takes = {"first": "document", "second": "document"}
    gives = {"document": "document"}
    asks = (
        "combine {first} and {second}, in that order, into one document {document}",
        "append the paragraphs of {second} to those of {first} and save that as a document {document}",
    )
    steps = (
        "Open {first} in LibreOffice Writer.",
        "Insert {second} at the end.",
        "Save it as a document {document} and close Writer.",
    )
    demand = WRITING

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        lines = [*_continued(takes["first"]), *lines_of(takes["second"])]
        return Bound(takes=takes, gives={"document": _document(draw, theme, ("joined", "both", "folder"), lines)})

    def work(self, bound: Bound) -> Work:
        first, second, document = bound.takes["first"], bound.takes["second"], bound.gives["document"]
        insert = (
            hand.press("ctrl+End"),
            hand.press("Return"),
            hand.press("alt+i"),
            hand.click("/^Text from File/", role="menu item", app="soffice"),
            *chosen(WRITER, "Insert", second, "Insert"),
        )
        return Work(
            moves=_edited(first, insert, document),
            check=_says(document),
            near_misses=(NearMiss(name="the first one only", moves=merely_copied(first, document)),),
        )


class CopyTheFirstParagraph(Subtask):
    """The first paragraph of a document goes to the clipboard."""

    app = "libreoffice-writer"
    takes = {"source": "document"}
    gives = {"clip": "clipboard_text"}
    asks = (
        "copy the first paragraph of {source} to the clipboard",
        "put the first paragraph of {source} on the clipboard",
    )
    steps = ("Open {source} in LibreOffice Writer.", "Copy its first paragraph to the clipboard.", "Close Writer.")
    demand = WRITING

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        line = lines_of(takes["source"])[0]
        if not line.strip() or len(line) > LONGEST_LINE:
            raise SpecError(f"{takes['source'].value} has no first line to copy", remedy="hand it something else")
        return Bound(takes=takes, gives={"clip": Resource("clipboard_text", line, [line])})

    def work(self, bound: Bound) -> Work:
        source, clip = bound.takes["source"], bound.gives["clip"]
        top = (*office(WRITER, source), hand.press("ctrl+Home"))
        word = (hand.press("ctrl+shift+Right"), hand.press("ctrl+c"))
        return Work(
            moves=(*top, hand.press("shift+End"), hand.press("ctrl+c"), *quitted()),
            check=expect.clipboard_is(see.clipboard(), clip.value),
            near_misses=(NearMiss(name="the first word only", moves=(*top, *word)),),
        )
