"""Subtasks on documents in LibreOffice Writer."""

from __future__ import annotations

from collections.abc import Mapping

from proctor.errors import SpecError
from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.subtask import Bound, Subtask, Work
from proctor.graphs.compose.theme import Theme
from proctor.suites.parts.office import (
    WRITER,
    Moves,
    exported_as_pdf,
    merely_copied,
    office,
    quit_office,
    saved_as,
)
from proctor.suites.parts.packages import in_package, plain_document, words_only
from proctor.suites.parts.pdfs import written_pdf
from proctor.suites.parts.programs import lines_of, new_path, quote_path
from proctor.suites.parts.ways import by_hand, by_python, by_shell
from proctor.suites.parts.writer import convert_document, menu, named_for_export
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import NearMiss

WRITING = "Office/Documentation/Writing"


def new_document(draw: Draw, theme: Theme, words: tuple[str, ...], lines: list[str]) -> Resource:
    """Draw the name of a document that will hold these lines."""
    return Resource("document", new_path(draw, theme, "Documents", words, ".odt"), lines)


def says(document: Resource) -> Call:
    """Expect a document with these paragraphs; empty ones do not count."""
    seen = see.document(document.value)
    lines = [line for line in document.content if line.strip()]
    return expect.all_of([expect.document_text_is(seen, lines), expect.document_format(seen, "odt")])


def paragraphs_to_continue(source: Resource) -> list[str]:
    """Return the paragraphs of a document that more can be added to.

    Raises:
        SpecError: The last one is a single small word: Writer gives it a capital as soon as the next one is begun.
    """
    lines = lines_of(source)
    last = lines[-1].split() if lines else []
    if len(last) == 1 and last[0][0].islower():
        raise SpecError(f"Writer would change the end of {source.value}", remedy="give it another document")
    return lines


def edit_document(source: Resource, edit: Moves, document: Resource) -> Moves:
    """Open a document, change something, and save that as another one."""
    return (*office(WRITER, source), *edit, *saved_as(document), *quit_office())


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
    brief = "save {source} as the document {document}"
    steps = ("Open {source} in LibreOffice Writer.", "Save it as an OpenDocument text {document}.", "Close Writer.")
    demand = WRITING
    version = 2

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        source = takes["source"]
        if not source.value.endswith(".txt"):
            raise SpecError(f"Writer may ask how to read {source.value}", remedy="give it a plain text")
        document = new_document(draw, theme, ("paper", "handout", "sheet"), lines_of(source))
        return Bound(takes=takes, gives={"document": document})

    def work(self, bound: Bound) -> Work:
        source, document = bound.takes["source"], bound.gives["document"]
        return Work(
            moves=edit_document(source, (), document),
            check=says(document),
            near_misses=(NearMiss(name="just copied under the new name", moves=merely_copied(source, document)),),
            other_ways=(
                by_hand("by the command line", *convert_document(source.value, document.value)),
                by_hand("by Python", plain_document(document.value, document.content)),
            ),
            cheats=(
                words_only("only its first line", document.value, document.content[:1]),
                words_only("a document that says nothing", document.value, []),
            ),
        )


class WriteALetter(Subtask):
    """A short letter is written."""

    app = "libreoffice-writer"
    gives = {"document": "document"}
    asks = (
        'write a letter {document} that says "{greeting}", on the next line "{message}" and on the last "{closing}"',
        'draw up a letter {document} with three lines, "{greeting}", "{message}" and "{closing}"',
    )
    brief = 'write a letter {document} of three lines: "{greeting}", "{message}" and "{closing}"'
    steps = (
        "Start LibreOffice Writer.",
        'Type "{greeting}", on the next line "{message}" and on the last "{closing}".',
        "Save it as the document {document} and close Writer.",
    )
    demand = WRITING
    version = 2

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        message = theme.remark(
            draw,
            (
                "We meet in {place} on {day} at {time}",
                "Thank you for your help in {place}, {n} more people have come",
                "Please bring {n} chairs to {place} on {day}",
            ),
            "message",
        )
        params = {
            "greeting": f"Dear {draw.person()},",
            "message": f"{message}.",
            "closing": f"Yours, {theme.person}",
        }
        document = new_document(draw, theme, ("letter", "reply", "message"), list(params.values()))
        return Bound(gives={"document": document}, params=params)

    def work(self, bound: Bound) -> Work:
        document = bound.gives["document"]
        typed = (*office(WRITER), hand.type("\n".join(document.content)))
        return Work(
            moves=(*typed, *saved_as(document), *quit_office()),
            check=says(document),
            near_misses=(NearMiss(name="not saved", moves=typed),),
            other_ways=(
                by_hand("by Python", plain_document(document.value, document.content)),
                by_hand(
                    "empty lines between, as letters have them",
                    *(*office(WRITER), hand.type("\n\n".join(document.content))),
                    *(*saved_as(document), *quit_office()),
                ),
            ),
            cheats=(
                words_only("without the closing", document.value, document.content[:-1]),
                words_only("upside down", document.value, document.content[::-1]),
            ),
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
    brief = "export {source} as the PDF {pdf}"
    steps = ("Open {source} in LibreOffice Writer.", "Export it as a PDF to {pdf}.", "Close Writer.")
    demand = WRITING
    version = 3

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        path = new_path(draw, theme, "Documents", ("printout", "to-send", "final"), ".pdf")
        return Bound(takes=takes, gives={"pdf": Resource("pdf", path, lines_of(takes["source"]))})

    def work(self, bound: Bound) -> Work:
        source, pdf = bound.takes["source"], bound.gives["pdf"]
        lines = [line for line in pdf.content if line.strip()]
        return Work(
            moves=(*office(WRITER, source), *exported_as_pdf(WRITER, pdf), *quit_office()),
            check=expect.pdf_lines_are(see.pdf(pdf.value), lines),
            near_misses=(NearMiss(name="just copied under the new name", moves=merely_copied(source, pdf)),),
            other_ways=(
                by_hand("by the command line", *convert_document(source.value, pdf.value)),
                by_hand(
                    "by the menu",
                    *(*office(WRITER, source), *menu("File", "Export As", "Export Directly as PDF")),
                    *(*named_for_export(pdf.value), *quit_office()),
                ),
            ),
            cheats=(
                by_python(
                    "a PDF that shows nothing",
                    f"from PIL import Image\nImage.new('RGB', (595, 842), 'white').save({pdf.value!r}, 'PDF')",
                ),
                by_python("its words in white", written_pdf(pdf.value, lines, grey=1.0)),
                by_python("upside down", written_pdf(pdf.value, lines[::-1])),
                by_hand(
                    "a PDF of the first line",
                    plain_document("/tmp/short.odt", lines[:1]),
                    *convert_document("/tmp/short.odt", pdf.value),
                ),
            ),
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
    brief = "paste {clip} into a new document {document}"
    steps = ("Start LibreOffice Writer.", "Paste {clip}.", "Save it as the document {document} and close Writer.")
    demand = WRITING
    version = 2

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        lines = [line for line in takes["clip"].value.splitlines() if line.strip()]
        if not lines:
            raise SpecError("there is nothing on the clipboard to paste", remedy="give it something else")
        return Bound(takes=takes, gives={"document": new_document(draw, theme, ("pasted", "excerpt", "quote"), lines)})

    def work(self, bound: Bound) -> Work:
        document = bound.gives["document"]
        new = office(WRITER)
        return Work(
            moves=(*new, hand.press("ctrl+alt+shift+v"), *saved_as(document), *quit_office()),
            check=says(document),
            near_misses=(NearMiss(name="nothing pasted", moves=(*new, *saved_as(document))),),
            other_ways=(
                by_hand("by Python", plain_document(document.value, document.content)),
                by_hand("pasted as it comes", *new, hand.press("ctrl+v"), *saved_as(document), *quit_office()),
            ),
            cheats=(
                words_only("other words", document.value, ["The text on the clipboard"]),
                by_shell(
                    "a text under the name of a document", f"xclip -selection clipboard -o > {quote_path(document)}"
                ),
            ),
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
    brief = 'add a last paragraph "{line}" to {source} as {document}'
    steps = (
        "Open {source} in LibreOffice Writer.",
        'Add a paragraph "{line}" at the end.',
        "Save it as {document} and close Writer.",
    )
    demand = WRITING
    version = 4

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        line = draw.choice((f"Signed, {theme.person}", f"Checked by {theme.person}", f"Questions go to {theme.person}"))
        line = theme.hint("line", draw, line)
        document = new_document(
            draw, theme, ("signed", "checked", "complete"), [*paragraphs_to_continue(takes["source"]), line]
        )
        return Bound(takes=takes, gives={"document": document}, params={"line": line})

    def work(self, bound: Bound) -> Work:
        source, document, line = bound.takes["source"], bound.gives["document"], bound.params["line"]
        sign = (hand.press("ctrl+End"), hand.press("Return"), hand.type(line))
        return Work(
            moves=edit_document(source, sign, document),
            check=says(document),
            copies={document.value: source.value},
            alone=(expect.headings_are(see.document(document.value), []),),
            near_misses=(NearMiss(name="copied unchanged", moves=merely_copied(source, document)),),
            other_ways=(
                in_package("by Python on the file", source.value, _add_ending(line), to=document.value),
                by_hand(
                    "saved under the new name first",
                    *(*office(WRITER, source), *saved_as(document), *sign),
                    *(hand.press("ctrl+s"), *quit_office()),
                ),
            ),
            cheats=(
                words_only("nothing but the new paragraph", document.value, [line]),
                in_package("into the original", source.value, _add_ending(line)),
                in_package("as a heading", source.value, _add_ending(line, "h"), to=document.value),
            ),
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
    brief = 'put the level 1 heading "{heading}" above {source} as {document}'
    steps = (
        "Open {source} in LibreOffice Writer.",
        'Add "{heading}" as the first paragraph and make it a level 1 heading.',
        "Save it as {document} and close Writer.",
    )
    demand = WRITING
    version = 4

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        heading = f"{draw.choice(('News from', 'Notes on', 'Welcome to', 'Summary for'))} {theme.place}"
        if theme.part:
            heading = theme.hint("heading", draw, theme.title.removeprefix("the "))
        lines = [heading, *lines_of(takes["source"])]
        if heading in lines[1:]:
            raise SpecError(f"{takes['source'].value} has this heading already", remedy="give it something else")
        document = new_document(draw, theme, ("headed", "with-heading", "titled"), lines)
        return Bound(takes=takes, gives={"document": document}, params={"heading": heading})

    def work(self, bound: Bound) -> Work:
        source, document, heading = bound.takes["source"], bound.gives["document"], bound.params["heading"]
        written = (hand.press("ctrl+Home"), hand.type(f"{heading}\n"), hand.press("ctrl+Home"))
        return Work(
            moves=edit_document(source, (*written, hand.press("ctrl+1")), document),
            check=expect.all_of([says(document), expect.heading_is(see.document(document.value), heading, 1)]),
            copies={document.value: source.value},
            alone=(expect.headings_are(see.document(document.value), [{"level": 1, "text": heading}]),),
            near_misses=(NearMiss(name="a plain paragraph", moves=edit_document(source, written, document)),),
            other_ways=(
                in_package("by Python on the file", source.value, _add_heading(heading), to=document.value),
                by_hand(
                    "made a heading before it is written",
                    *office(WRITER, source),
                    *(hand.press("ctrl+Home"), hand.press("Return"), hand.press("Up"), hand.press("ctrl+1")),
                    *(hand.type(heading), *saved_as(document), *quit_office()),
                ),
            ),
            cheats=(
                in_package("a heading of the second level", source.value, _add_heading(heading, 2), to=document.value),
                by_hand(
                    "everything made a heading",
                    *edit_document(source, (*written, hand.press("ctrl+a"), hand.press("ctrl+1")), document),
                ),
                words_only("nothing but the heading", document.value, [heading]),
            ),
        )


def _add_heading(heading: str, level: int = 1) -> str:
    """Return the expression that puts a heading on top of a document."""
    added = f'<text:h text:style-name="Heading_20_{level}" text:outline-level="{level}">{heading}</text:h>'
    return f"text.replace('<office:text>', {f'<office:text>{added}'!r})"


def _add_ending(line: str, tag: str = "p") -> str:
    """Return the expression that adds a last paragraph, or a heading, to a document."""
    return f"text.replace('</office:text>', {f'<text:{tag}>{line}</text:{tag}></office:text>'!r})"
