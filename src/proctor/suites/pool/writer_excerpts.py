"""Subtasks in LibreOffice Writer that put documents together, or take something out of one."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from proctor.errors import SpecError
from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.subtask import Bound, Subtask, Work
from proctor.graphs.compose.theme import Theme
from proctor.suites.parts.office import (
    WRITER,
    choose_file,
    merely_copied,
    office,
    quit_office,
)
from proctor.suites.parts.packages import plain_document, words_only
from proctor.suites.parts.programs import base, lines_of, quote_path
from proctor.suites.parts.ways import by_hand, by_shell
from proctor.suites.pool.writer import WRITING, edit_document, new_document, paragraphs_to_continue, says
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import NearMiss

CLIP = "xclip -selection clipboard > /dev/null 2>&1"
LONGEST_LINE = 60
"""What is longer may not fit on one line."""


class JoinTwoDocuments(Subtask):
    """Two documents become one."""

    app = "libreoffice-writer"
    takes = {"first": "document", "second": "document"}
    gives = {"document": "document"}
    asks = (
        "combine {first} and {second}, in that order, into one document {document}",
        "append the paragraphs of {second} to those of {first} and save that as a document {document}",
    )
    brief = "append {second} to {first} as the document {document}"
    steps = (
        "Open {first} in LibreOffice Writer.",
        "Insert {second} at the end.",
        "Save it as a document {document} and close Writer.",
    )
    demand = WRITING
    version = 2

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        lines = [*paragraphs_to_continue(takes["first"]), *lines_of(takes["second"])]
        return Bound(takes=takes, gives={"document": new_document(draw, theme, ("joined", "both", "folder"), lines)})

    def work(self, bound: Bound) -> Work:
        first, second, document = bound.takes["first"], bound.takes["second"], bound.gives["document"]
        insert = (
            hand.press("ctrl+End"),
            hand.press("Return"),
            hand.press("alt+i"),
            hand.click("/^Text from File/", role="menu item", app="soffice"),
            *choose_file(WRITER, "Insert", second, "Insert"),
        )
        return Work(
            moves=edit_document(first, insert, document),
            check=says(document),
            near_misses=(NearMiss(name="the first one only", moves=merely_copied(first, document)),),
            other_ways=(
                by_hand("by Python", plain_document(document.value, document.content)),
                by_hand(
                    "copied and pasted",
                    *(*office(WRITER, second), hand.press("ctrl+a"), hand.press("ctrl+c"), hand.press("ctrl+w")),
                    hand.await_window(base(second), gone=True),
                    *edit_document(
                        first, (hand.press("ctrl+End"), hand.press("Return"), hand.press("ctrl+v")), document
                    ),
                ),
            ),
            cheats=(
                words_only("the other way round", document.value, [*second.content, *first.content]),
                words_only("the second one only", document.value, second.content),
            ),
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
    brief = "copy the first paragraph of {source}"
    steps = ("Open {source} in LibreOffice Writer.", "Copy its first paragraph to the clipboard.", "Close Writer.")
    demand = WRITING
    version = 2

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        line = lines_of(takes["source"])[0]
        if not line.strip() or len(line) > LONGEST_LINE:
            raise SpecError(f"{takes['source'].value} has no first line to copy", remedy="give it something else")
        return Bound(takes=takes, gives={"clip": Resource("clipboard_text", line, [line])})

    def work(self, bound: Bound) -> Work:
        source, clip = bound.takes["source"], bound.gives["clip"]
        top = (*office(WRITER, source), hand.press("ctrl+Home"))
        word = (hand.press("ctrl+shift+Right"), hand.press("ctrl+c"))
        return Work(
            moves=(*top, hand.press("shift+End"), hand.press("ctrl+c"), *quit_office()),
            check=expect.clipboard_is(see.clipboard(), clip.value),
            near_misses=(NearMiss(name="the first word only", moves=(*top, *word)),),
            other_ways=(
                by_shell("by the command line", f"echo {shlex.quote(clip.value)} | {CLIP}"),
                by_hand(
                    "marked from its end",
                    *(*top, hand.press("End"), hand.press("shift+Home"), hand.press("ctrl+c"), *quit_office()),
                ),
            ),
            cheats=(
                by_hand("all of it", *top, hand.press("ctrl+a"), hand.press("ctrl+c"), *quit_office()),
                by_shell("its name", f"echo {quote_path(source)} | {CLIP}"),
            ),
        )
