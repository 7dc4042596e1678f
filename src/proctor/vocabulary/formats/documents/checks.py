"""Checks on text documents and PDF files, in whichever format they are saved.

Where texts are compared, typographic quotes, dashes, dots and blanks count as the plain ones, the amount of blanks does
not matter, and empty paragraphs are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import Field

from proctor.tasks.compare import different_lines
from proctor.tasks.findings import Finding, right, unless, wrong
from proctor.tasks.model import PlainModel
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.tasks.words import short
from proctor.vocabulary.formats.documents.paragraphs import (
    everything,
    letters,
    lines,
    paragraphs,
    paragraphs_with,
    places,
    said_in,
    tables,
    tidy,
)

Texts = Annotated[list[Annotated[str, Field(min_length=1)]], Field(min_length=1)]
Look = Literal["bold", "italic", "underline", "strike"]
Count = Annotated[int, Field(ge=1)]


class Heading(PlainModel):
    """A heading that is expected."""

    level: Annotated[int, Field(ge=1, le=9)]
    text: str


class Edit(PlainModel):
    """A paragraph to be changed: what it said, and what it says now (nothing when it was to go)."""

    was: str
    now: str = ""


@CHECKS.register
def document_text_is(of: Seen, text: list[str]) -> Finding:
    """A document has exactly this text, by paragraph, table rows as `one | two`; looks do not matter."""
    wanted = "\n".join(tidy(line) for line in text)
    return unless(different_lines(of["path"], "\n".join(lines(of)), wanted))


@CHECKS.register
def document_has_text(of: Seen, texts: Texts) -> Finding:
    """Every one of these texts can be read in some paragraph or row; case matters, looks do not."""
    said = lines(of)
    return unless(
        f"{of['path']} does not say {short(text)}." for text in texts if not any(tidy(text) in line for line in said)
    )


@CHECKS.register
def document_lacks_text(of: Seen, texts: Texts, whole_words: bool = False) -> Finding:
    """None of these texts occurs anywhere, headers and footers included; case matters, looks do not."""
    held = [*everything(of), *(tidy(page[part]) for page in of["pages"] for part in ("header", "footer"))]

    def there(text: str, line: str) -> bool:
        return any(places(line, tidy(text))) if whole_words else tidy(text) in line

    return unless(
        f"{of['path']} still says {short(text)} in {short(line)}."
        for text in texts
        for line in held
        if there(text, line)
    )


@CHECKS.register
def document_format(of: Seen, format: Literal["odt", "docx"]) -> Finding:
    """A document is saved in this format, whatever its name ends in."""
    return right() if of["format"] == format else wrong(f"{of['path']} is saved as {of['format']}, expected {format}.")


@CHECKS.register
def document_title_is(of: Seen, title: str) -> Finding:
    """The title in the properties of a document, not its first heading, is this one."""
    same = tidy(of["title"]) == tidy(title)
    return right() if same else wrong(f"The title of {of['path']} is {short(of['title'])}, expected {short(title)}.")


@CHECKS.register
def heading_is(of: Seen, text: str, level: Annotated[int, Field(ge=0, le=9)]) -> Finding:
    """A paragraph is a heading of this level, 0 for none; large or bold text is not a heading."""
    return unless(
        f"{short(text)} is {_heading_name(found['level'])}, expected {_heading_name(level)}."
        for found in _paragraphs_of(of, text)
        if found["level"] != level
    )


@CHECKS.register
def headings_are(of: Seen, headings: list[Heading]) -> Finding:
    """The headings of a document are exactly these, in this order."""
    found = [f"{each['level']} {tidy(each['text'])}" for each in paragraphs(of) if each["level"]]
    wanted = [f"{each.level} {tidy(each.text)}" for each in headings]
    return unless(different_lines(f"{of['path']}, headings", "\n".join(found), "\n".join(wanted)))


@CHECKS.register
def paragraph_style(of: Seen, text: str, style: str) -> Finding:
    """A paragraph has this style, by its name, whatever the case and its look."""
    return unless(
        f"{short(text)} has the style {found['style']!r}, expected {style!r}."
        for found in _paragraphs_of(of, text)
        if found["style"].casefold() != style.casefold()
    )


@CHECKS.register
def paragraph_aligned(of: Seen, text: str, align: Literal["left", "right", "center", "justify"]) -> Finding:
    """A paragraph has this alignment."""
    return unless(
        f"{short(text)} is aligned {found['align']}, expected {align}."
        for found in _paragraphs_of(of, text)
        if found["align"] != align
    )


@CHECKS.register
def runs_formatted(of: Seen, look: Look, words: list[str], headings: bool = False) -> Finding:
    """Exactly these words have this look; blanks and punctuation do not matter.

    Headings, which look as their styles say, are left out unless asked for.
    """
    problems = [f"{of['path']} does not say {short(word)}." for word in words if not _occurs(of, word)]
    for paragraph in paragraphs(of):
        if paragraph["level"] and not headings:
            continue
        spans = [span for word in words for span in places(paragraph["text"], word)]
        lacking, having = "", ""
        for place, character, has in letters(paragraph, look):
            wanted = any(start <= place < end for start, end in spans)
            lacking += character if wanted and not has else ""
            having += character if has and not wanted else ""
        where = f"in {short(paragraph['text'], 60)}"
        problems += [f"Not all of the wanted words are {look} {where}: {short(lacking)} is not."] if lacking else []
        problems += [f"More than the wanted words is {look} {where}: {short(having)}."] if having else []
    return unless(problems)


@CHECKS.register
def document_table_is(of: Seen, rows: list[list[str]], table: Count = 1) -> Finding:
    """The table of this number holds exactly these texts, row by row; looks and widths do not matter."""
    found = tables(of)
    if len(found) < table:
        return wrong(f"{of['path']} has {len(found)} tables, and no table {table}.")
    shown = ["\n".join(" | ".join(map(tidy, row)) for row in each) for each in (found[table - 1], rows)]
    return unless(different_lines(f"{of['path']}, table {table}", shown[0], shown[1]))


@CHECKS.register
def document_table_cell(of: Seen, row: Count, column: Count, text: str, table: Count = 1) -> Finding:
    """A cell of a table, counted from 1, holds this text."""
    found = tables(of)
    if len(found) < table or len(found[table - 1]) < row or len(found[table - 1][row - 1]) < column:
        return wrong(f"{of['path']} has no cell in row {row}, column {column} of table {table}.")
    held = found[table - 1][row - 1][column - 1]
    place = f"Row {row}, column {column} of table {table}"
    return right() if held == tidy(text) else wrong(f"{place} says {short(held)}, expected {short(text)}.")


@CHECKS.register
def list_items_are(of: Seen, items: Texts, marks: Literal["bullet", "number"] | None = None) -> Finding:
    """A list, not just typed, has exactly these items in order, with bullets or numbers if asked."""
    wanted = [tidy(item) for item in items]
    found = _lists(of)
    for kind, held in found:
        if held == wanted and marks in (None, kind):
            return right()
    shown = "; ".join(f"{kind}: {', '.join(held)}" for kind, held in found) or "none"
    kind = {"bullet": "bulleted ", "number": "numbered "}.get(marks or "", "")
    return wrong(f"{of['path']} has no {kind}list of {', '.join(wanted)}. Its lists are: {shown}.")


@CHECKS.register
def page_orientation(of: Seen, orientation: Literal["portrait", "landscape"]) -> Finding:
    """Every page has this orientation: wider than high is landscape, whatever the paper."""
    return unless(
        f"{of['path']}, page layout {place}: it is {page['orientation']}, expected {orientation}."
        for place, page in enumerate(of["pages"], 1)
        if page["orientation"] != orientation
    )


@CHECKS.register
def page_size(of: Seen, width_mm: float, height_mm: float, within_mm: float = 1.0) -> Finding:
    """Every page has this size."""
    return unless(
        f"{of['path']}, page layout {place}: it has {page['width_mm']} x {page['height_mm']} mm, "
        f"expected {width_mm:g} x {height_mm:g}."
        for place, page in enumerate(of["pages"], 1)
        if abs((page["width_mm"] or 0) - width_mm) > within_mm or abs((page["height_mm"] or 0) - height_mm) > within_mm
    )


@CHECKS.register
def page_margins(of: Seen, margins_mm: dict[Literal["top", "bottom", "left", "right"], float]) -> Finding:
    """The named margins have these widths on every page, within a millimetre, without headers."""
    return unless(
        f"{of['path']}, page layout {place}: the {side} margin is {page['margins_mm'][side]} mm, expected {wanted:g}."
        for place, page in enumerate(of["pages"], 1)
        for side, wanted in margins_mm.items()
        if abs((page["margins_mm"][side] or 0) - wanted) > 1.0
    )


@CHECKS.register
def footer_is(of: Seen, text: str) -> Finding:
    """The footer of every page is exactly this."""
    return _edge(of, "footer", text)


@CHECKS.register
def header_is(of: Seen, text: str) -> Finding:
    """The header of every page is exactly this."""
    return _edge(of, "header", text)


@CHECKS.register
def footer_has(of: Seen, text: str) -> Finding:
    """The footer of every page contains this."""
    return unless(
        f"The footer of {of['path']} says {short(page['footer'])}, without {short(text)}."
        for page in of["pages"]
        if tidy(text) not in tidy(page["footer"])
    )


@CHECKS.register
def no_tracked_changes(of: Seen) -> Finding:
    """There are no tracked changes left to accept or reject."""
    return unless(
        f"{of['path']} still holds the {each['kind']} of {short(each['text'])} by {each['author'] or 'someone'}."
        for each in of["changes"]
    )


@CHECKS.register
def comments_are(of: Seen, comments: list[str]) -> Finding:
    """The comments in a document are exactly these; their order and their authors do not matter."""
    found, wanted = (sorted(map(tidy, texts)) for texts in ([each["text"] for each in of["comments"]], comments))
    return right() if found == wanted else wrong(f"The comments in {of['path']} are {found}, expected {wanted}.")


@CHECKS.register
def document_unchanged_except(of: Seen, before: Seen, edits: list[Edit]) -> Finding:
    """A document is unchanged except for these paragraphs: texts, headings, lists and looks.

    Sizes, fonts and colours do not matter, nor, in the paragraphs that were to be changed, the looks of new words. What
    is only recorded as a change that somebody has to accept was not changed, and the format is what the name says.
    Comments, headers and footers are those that were there.
    """
    replaced = {tidy(edit.was): tidy(edit.now) for edit in edits}
    wanted = [described for each in _all(before) for described in _describe(each, replaced)]
    touched = {now: was for was, now in replaced.items()}
    found = [described for each in _all(of) for described in _describe(each, {}, touched)]
    problems = list(different_lines(of["path"], "\n".join(found), "\n".join(wanted)))
    new = [each for each in of["changes"] if each not in before["changes"]]
    problems += [f"{of['path']} only records the {each['kind']} of {short(each['text'])} as a change." for each in new]
    problems += _other_asides(of, before)
    ending = of["path"].rpartition(".")[2].lower()
    if ending in ("odt", "docx") and of["format"] != ending:
        problems.append(f"{of['path']} is saved as {of['format']}, in spite of its name.")
    return unless(problems)


@CHECKS.register
def pdf_pages(of: Seen, count: Count) -> Finding:
    """A PDF file has this many pages."""
    pages = len(of["pages"])
    return right() if pages == count else wrong(f"{of['path']} has {pages} pages, expected {count}.")


@CHECKS.register
def pdf_has_text(of: Seen, texts: Texts, page: Count | None = None) -> Finding:
    """A PDF file, or one page of it, contains all of these, ignoring blanks and line breaks."""
    held = [tidy(text) for text in (of["pages"] if page is None else of["pages"][page - 1 : page])]
    where = of["path"] if page is None else f"Page {page} of {of['path']}"
    return unless(f"{where} does not say {short(text)}." for text in texts if tidy(text) not in " ".join(held))


@CHECKS.register
def pdf_lacks_text(of: Seen, texts: Texts) -> Finding:
    """A PDF file contains none of these on any page."""
    held = tidy(" ".join(of["pages"]))
    return unless(f"{of['path']} says {short(text)}." for text in texts if tidy(text) in held)


def _paragraphs_of(of: Any, text: str) -> list[dict[str, Any]]:
    # One that says nothing of the kind where there is none.
    missing = {"text": "", "level": -1, "style": "(missing)", "align": "nowhere (it is missing)"}
    return paragraphs_with(of, text) or [missing]


def _heading_name(level: int) -> str:
    return {-1: "missing", 0: "no heading"}.get(level, f"a heading of level {level}")


def _occurs(of: Any, word: str) -> bool:
    return any(any(places(paragraph["text"], word)) for paragraph in paragraphs(of))


def _lists(of: Any) -> list[tuple[str, list[str]]]:
    found: list[tuple[str, list[str]]] = []
    last = ""
    for block in of["blocks"]:
        place = block.get("list")
        marks = place["marks"] if place else ""
        if marks and block["text"].strip():
            if marks != last:
                found.append((marks, []))
            found[-1][1].append(tidy(said_in(block)))
        last = marks
    return found


def _edge(of: Any, part: str, text: str) -> Finding:
    return unless(
        f"The {part} of {of['path']} says {short(page[part])}, expected {short(text)}."
        for page in of["pages"]
        if tidy(page[part]) != tidy(text)
    )


def _other_asides(of: Any, before: Any) -> Iterator[str]:
    for what, read in (("a comment", _comments), ("a header or footer", _edges)):
        there, then = read(of), read(before)
        yield from (f"{of['path']} has {what} that is new: {short(text)}." for text in sorted(there - then))
        yield from (f"{of['path']} has lost {what}: {short(text)}." for text in sorted(then - there))


def _comments(of: Any) -> set[str]:
    return {tidy(each["text"]) for each in of["comments"]}


def _edges(of: Any) -> set[str]:
    return {text for page in of["pages"] for part in ("header", "footer") if (text := tidy(page[part]))}


def _all(of: Any) -> list[dict[str, Any]]:
    return [block for block in of["blocks"] if block["kind"] == "table" or block["text"].strip()]


def _describe(block: dict[str, Any], replaced: dict[str, str], touched: dict[str, str] | None = None) -> Iterator[str]:
    """Yield a block as one line that tells all that matters; rows of a table one by one.

    `replaced` gives what it is to say by what it says, `touched` what it said; looks count of words that are in both.
    """
    if block["kind"] == "table":
        for row in block["rows"]:
            line = " | ".join(map(tidy, row))
            yield from filter(None, [replaced.get(line, line)])
        return
    text = tidy(said_in(block))
    marks = [f"heading {block['level']}"] if block["level"] else []
    marks += [block["align"]] if block["align"] != "left" else []
    marks += [f"{block['list']['marks']} {block['list']['level']}"] if block["list"] else []
    other = replaced.get(text, (touched or {}).get(text))
    for look in ("bold", "italic", "underline") if not block["level"] else ():
        shown = _letters_with(block, look, other)
        marks += [f"{look}: {shown}"] if shown else []
    text = replaced.get(text, text)
    if text:
        yield f"{text} [{', '.join(marks)}]" if marks else text


def _letters_with(block: dict[str, Any], look: str, other: str | None) -> str:
    """Return the letters of a paragraph with a look: all, or those of words another text has too."""
    kept = None if other is None else set(re.findall(r"\w+", other))
    spans = [word.span() for word in re.finditer(r"\w+", block["text"]) if kept is None or word[0] in kept]
    return "".join(
        character
        for place, character, has in letters(block, look)
        if has and any(start <= place < end for start, end in spans)
    )
