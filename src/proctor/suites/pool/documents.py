"""Subtasks on reading PDF files in Evince and Okular."""

from __future__ import annotations

from collections.abc import Mapping

from proctor.errors import SpecError
from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.subtask import Bound, Subtask, Work
from proctor.graphs.compose.theme import Theme
from proctor.suites.parts.pdfs import written_pdf
from proctor.suites.parts.programs import (
    base,
    close_window,
    full,
    lines_of,
    named_in_dialog,
    new_path,
    open_file,
    quote_path,
    start_program,
)
from proctor.suites.parts.ways import by_hand, by_python, by_shell, to_clipboard
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import NearMiss

LONGEST_LINE = 70
"""Longer lines may be broken on the page."""


class CopyTheTitleOfAPdf(Subtask):
    """The first line of a PDF goes to the clipboard."""

    app = "evince"
    takes = {"source": "pdf"}
    gives = {"clip": "clipboard_text"}
    asks = (
        "copy the first line of {source} in the document viewer to the clipboard",
        "open {source} in Evince and copy just its first line to the clipboard",
    )
    brief = "copy the first line of the PDF {source}"
    steps = ("Open {source} in Evince.", "Select its first line and copy it to the clipboard.", "Close Evince.")
    demand = "Knowledge/Reading and Learning/E-book"
    version = 2

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        line = lines_of(takes["source"])[0]
        if not line.strip() or line != " ".join(line.split()) or len(line) > LONGEST_LINE:
            raise SpecError(f"{takes['source'].value} has no plain first line", remedy="give it something else")
        return Bound(takes=takes, gives={"clip": Resource("clipboard_text", line, [line])})

    def work(self, bound: Bound) -> Work:
        source, clip = bound.takes["source"], bound.gives["clip"]
        # With a caret in the text, keys select it wherever it stands on the page.
        caret = (
            *open_file("evince", source),
            hand.press("F7"),
            hand.click("Enable", role="push button", app="evince"),
            hand.press("ctrl+Home"),
        )
        everything = (*open_file("evince", source), hand.press("ctrl+a"), hand.press("ctrl+c"))
        return Work(
            moves=(
                *caret,
                hand.press("shift+End"),
                hand.press("ctrl+c"),
                hand.press("F7"),
                *close_window(base(source), "ctrl+w"),
            ),
            check=expect.clipboard_is(see.clipboard(), clip.value),
            near_misses=(NearMiss(name="the whole text", moves=everything),),
            other_ways=(
                to_clipboard("by the command line", f"pdftotext {quote_path(source)} - | head -n 1"),
                by_hand(
                    "in an editor, from its text",
                    hand.run_code(f"pdftotext -layout {quote_path(source)} /tmp/pages.txt"),
                    *start_program("mousepad /tmp/pages.txt", "pages.txt"),
                    *(hand.press("ctrl+Home"), hand.press("shift+End"), hand.press("ctrl+c")),
                ),
            ),
            cheats=(
                to_clipboard("everything", f"pdftotext {quote_path(source)} -"),
                to_clipboard("the name of the file", f"basename {quote_path(source)} .pdf"),
                to_clipboard("its last line", f"pdftotext {quote_path(source)} - | grep . | tail -n 1"),
            ),
        )


class SaveACopyOfAPdf(Subtask):
    """A PDF is saved under another name."""

    app = "evince"
    takes = {"source": "pdf"}
    gives = {"pdf": "pdf"}
    asks = (
        "open {source} in the document viewer and save a copy of it as {pdf}",
        "save another copy of {source} from Evince under the name {pdf}",
    )
    brief = "save a copy of {source} as {pdf}"
    steps = ("Open {source} in Evince.", "Save it as {pdf}.", "Close Evince.")
    demand = "Knowledge/Reading and Learning/E-book"
    version = 2

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        source = takes["source"]
        path = new_path(draw, theme, "Documents", ("handout", "spare-copy", "for-reading"), ".pdf")
        return Bound(takes=takes, gives={"pdf": Resource("pdf", path, source.content)})

    def work(self, bound: Bound) -> Work:
        source, pdf = bound.takes["source"], bound.gives["pdf"]
        # What a printed letter says is not known before.
        says = source.content if isinstance(source.content, list) else [base(source)]
        shown = (*open_file("evince", source), hand.press("ctrl+s"), hand.await_window("Save As"))
        return Work(
            moves=(*shown, *named_in_dialog("Save As", pdf), *close_window(base(source), "ctrl+w")),
            check=expect.same_content(see.digest(pdf.value), see.digest(source.value)),
            near_misses=(NearMiss(name="not saved", moves=shown),),
            other_ways=(
                by_shell("by the command line", f"cp {quote_path(source)} {quote_path(pdf)}"),
                by_python("by Python", f"import shutil\nshutil.copyfile({source.value!r}, {pdf.value!r})\n"),
            ),
            cheats=(
                by_shell("moved instead of copied", f"mv {quote_path(source)} {quote_path(pdf)}"),
                by_shell("a link to it", f"ln -s {full(source)} {quote_path(pdf)}"),
                by_shell("a hard link", f"cp -l {quote_path(source)} {quote_path(pdf)}"),
                by_shell("its text under that name", f"pdftotext {quote_path(source)} {quote_path(pdf)}"),
                by_python("another PDF under that name", written_pdf(pdf.value, says)),
            ),
        )


class ExportAPdfAsText(Subtask):
    """The text of a PDF is exported to a text file."""

    app = "okular"
    takes = {"source": "pdf"}
    gives = {"text": "text_file"}
    asks = (
        "export {source} from Okular as a plain text file {text}",
        "open {source} in Okular and export its text to a text file {text}",
    )
    brief = "export {source} as the plain text {text}"
    steps = ("Open {source} in Okular.", "Export it as plain text to {text}.", "Close Okular.")
    demand = "Knowledge/Reading and Learning/E-book"
    version = 2

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        lines = lines_of(takes["source"])
        if any(line != " ".join(line.split()) or len(line) > LONGEST_LINE for line in lines):
            raise SpecError(f"{takes['source'].value} has no plain lines", remedy="give it something else")
        path = new_path(draw, theme, "Documents", ("plain", "text-only", "extract"), ".txt")
        return Bound(takes=takes, gives={"text": Resource("text_file", path, [line for line in lines if line])})

    def work(self, bound: Bound) -> Work:
        source, text = bound.takes["source"], bound.gives["text"]
        asked = (*open_file("okular", source), hand.menu(["File", "Export As", "Plain Text..."]))
        return Work(
            moves=(*asked, *_name_file(text), *close_window("Okular")),
            check=expect.lines_are(see.text(text.value), text.content),
            near_misses=(NearMiss(name="not saved", moves=asked),),
            other_ways=(
                by_shell("by the command line", f"pdftotext -layout {quote_path(source)} {quote_path(text)}"),
                by_shell(
                    "line by line, without the page's end",
                    f"pdftotext {quote_path(source)} - | grep . > {quote_path(text)}",
                ),
            ),
            cheats=(
                by_shell("the PDF under that name", f"cp {quote_path(source)} {quote_path(text)}"),
                by_shell("only its first line", f"pdftotext {quote_path(source)} - | head -n 1 > {quote_path(text)}"),
                by_shell("all on one line", f"pdftotext {quote_path(source)} - | tr '\\n' ' ' > {quote_path(text)}"),
            ),
        )


def _name_file(resource: Resource) -> tuple[Call, ...]:
    """Give a file its whole name in Qt's dialog."""
    return (
        hand.await_window("Save As"),
        hand.type(full(resource)),
        # Away from what it proposes while one types, to the button.
        hand.press("Tab"),
        hand.press("Return"),
        hand.await_window("Save As", gone=True),
        hand.await_saved(resource.value),
    )
