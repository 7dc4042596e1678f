"""Checks of one text document beside another that it should be like."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from typing import Annotated, Any

from pydantic import Field

from proctor.tasks.findings import Finding, right, unless, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.tasks.words import short
from proctor.vocabulary.formats.visible import Look


@CHECKS.register
def same_paragraphs(
    of: Seen,
    other: Seen,
    blanks: bool = True,
    empty: bool = True,
    case: bool = True,
    ordered: bool = True,
    once: bool = False,
) -> Finding:
    """A document has exactly the paragraphs of another.

    Blanks are compared as single ones without `blanks`, paragraphs with nothing in them left out without `empty`,
    capitals do not count without `case`, nor the order without `ordered`. Of several that are
    the same, the first counts with `once`.
    """
    one, two = (list(_texts(each, blanks, empty, case)) for each in (of, other))
    if once:
        one, two = list(dict.fromkeys(one)), list(dict.fromkeys(two))
    if not ordered:
        one, two = sorted(one), sorted(two)
    if not blanks:
        one, two = [_single(" ".join(one))], [_single(" ".join(two))]
    for place, (held, wanted) in enumerate(zip(one, two, strict=False), 1):
        if held != wanted:
            return wrong(f"Paragraph {place} of {of['path']} is {short(held)}, expected {short(wanted)}.")
    same = len(one) == len(two)
    return right() if same else wrong(f"{of['path']} has {len(one)} paragraphs, expected {len(two)}.")


@CHECKS.register
def like_document(
    of: Seen,
    other: Seen,
    base: Annotated[float, Field(ge=0, lt=1)] = 0.0,
    after: str = "",
    least: Annotated[float, Field(gt=0, le=1)] | None = None,
) -> Finding:
    """How similar the text of a document is to another's: the share above `base` is the score.

    Where `least` is given, that much is right, and less is wrong. With `after`, only what stands below the last
    paragraph that begins with it.
    """
    one, two = ("\n".join(_below(list(_texts(each, True, False, True)), after)) for each in (of, other))
    if not two:
        return wrong(f"{other['path']} has nothing to compare with.")
    if one == two:
        return right()
    ratio = SequenceMatcher(None, one, two, autojunk=False).ratio()
    said = f"The text of {of['path']} is only {ratio:.0%} that of the other."
    if least is not None:
        return right() if ratio >= least else wrong(said)
    return Finding(min(round(max(0.0, (ratio - base) / (1 - base)), 6), 0.999999), (said,))


@CHECKS.register
def same_tables(of: Seen, other: Seen) -> Finding:
    """The tables of a document have the content of those of another, cell by cell."""
    one, two = (
        [
            [[_single(cell) for cell in row] for row in block["rows"]]
            for block in each["blocks"]
            if block["kind"] == "table"
        ]
        for each in (of, other)
    )
    if len(one) != len(two):
        return wrong(f"{of['path']} has {len(one)} tables, expected {len(two)}.")
    return unless(
        f"Table {place} of {of['path']} does not hold what it should."
        for place, (held, wanted) in enumerate(zip(one, two, strict=True), 1)
        if held != wanted
    )


@CHECKS.register
def same_line_spacing(of: Seen, other: Seen) -> Finding:
    """A document has the paragraphs of another, each with the same line spacing."""
    return _one_by_one(of, other, lambda block: block.get("line_height", ""), "distance of lines")


@CHECKS.register
def same_pictures(of: Seen, other: Seen) -> Finding:
    """The pictures in a document are those in another, in the same order, byte for byte."""
    one, two = ([picture.get("sha256") for picture in each["pictures"]] for each in (of, other))
    same = one == two
    return right() if same else wrong(f"{of['path']} does not have the pictures that it should have.")


@CHECKS.register
def same_highlights(of: Seen, other: Seen) -> Finding:
    """The same pieces of text are highlighted in two documents."""
    one, two = ({_single(text) for text in _runs_with(each, "highlight")} - {""} for each in (of, other))
    return right() if one == two else wrong(f"{of['path']} has other text highlighted than it should have.")


@CHECKS.register
def nothing_highlighted(of: Seen) -> Finding:
    """Nothing in a document is highlighted."""
    return unless(f"{short(text)} is still highlighted in {of['path']}." for text in _runs_with(of, "highlight"))


@CHECKS.register
def font_throughout(of: Seen, font: str) -> Finding:
    """All text of a document is in this font."""
    held = {run["font"] for run in _runs(of) if run["text"].strip()}
    return unless(f"{of['path']} has text in {name or 'another font'}." for name in sorted(held - {font}))


@CHECKS.register
def first_line_centred(of: Seen) -> Finding:
    """The first paragraph of a document is centred."""
    first = next((block for block in of["blocks"] if block["kind"] == "paragraph"), None)
    same = first is not None and first["align"] == "center"
    return right() if same else wrong(f"The first paragraph of {of['path']} is not centred.")


@CHECKS.register
def page_breaks(of: Seen, count: Annotated[int, Field(ge=0)] | None = None) -> Finding:
    """A document has this many paragraphs that begin a page, or at least one."""
    found = sum(bool(block.get("page_break")) for block in of["blocks"])
    fits = found > 0 if count is None else found == count
    return right() if fits else wrong(f"{of['path']} has {found} page breaks, expected {count or 'one at least'}.")


@CHECKS.register
def pages_numbered(of: Seen) -> Finding:
    """The footer of every section of a document has a number, or a page number field."""
    field = any(each["kind"].upper().startswith("PAGE") for each in of.get("fields", ()))
    return unless(
        f"The footer of {of['path']} has no page number."
        for page in of["pages"]
        if not (re.search(r"\d", page["footer"]) or field)
    )


@CHECKS.register
def italics_sized(of: Seen, size: float) -> Finding:
    """Everything in italics in a document has this size in points, and something is in italics."""
    runs = [run for run in _runs(of) if run["italic"] and run["text"].strip()]
    if not runs:
        return wrong(f"Nothing in {of['path']} is in italics.")
    return unless(f"{short(run['text'])} is of size {run['size']}." for run in runs if run["size"] != size)


@CHECKS.register
def last_paragraph_struck(of: Seen, other: Seen) -> Finding:
    """The last paragraph of a document is struck through, and all of it says what another does."""
    same = same_paragraphs(of, other)
    if not same.passed:
        return same
    last = [block for block in of["blocks"] if block["kind"] == "paragraph" and block["text"].strip()][-1:]
    struck = bool(last) and all(run["strike"] for run in last[0]["runs"] if run["text"].strip())
    return right() if struck else wrong(f"The last paragraph of {of['path']} is not struck through.")


def _texts(of: Any, blanks: bool, empty: bool, case: bool) -> Iterator[str]:
    for block in of["blocks"]:
        if block["kind"] == "paragraph":
            text = block["text"] if blanks else _single(block["text"])
            if empty or text.strip():
                yield text if case else text.casefold()


def _single(text: str) -> str:
    return " ".join(text.split())


def _below(texts: list[str], heading: str) -> list[str]:
    places = [place for place, text in enumerate(texts) if heading and text.strip().startswith(heading)]
    return texts[places[-1] + 1 :] if places else [] if heading else texts


def _runs(of: Any) -> Iterator[Look]:
    for block in of["blocks"]:
        yield from block.get("runs", ())


def _runs_with(of: Any, look: str) -> list[str]:
    return [run["text"] for run in _runs(of) if run.get(look)]


def _one_by_one(of: Any, other: Any, told: Callable[[Look], object], name: str) -> Finding:
    one, two = ([block for block in each["blocks"] if block["kind"] == "paragraph"] for each in (of, other))
    if [block["text"] for block in one] != [block["text"] for block in two]:
        return wrong(f"The text of {of['path']} is not the one it should be.")
    return unless(
        f"The {name} of paragraph {place} is {told(mine) or 'single'}, expected {told(theirs) or 'single'}."
        for place, (mine, theirs) in enumerate(zip(one, two, strict=True), 1)
        if told(mine) != told(theirs)
    )
