"""Checks on what a program worked out or wrote down: figures, tables, pages, items of a list."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from html.parser import HTMLParser

from pydantic import JsonValue

from proctor.tasks.findings import Finding, right, unless, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.tasks.words import short
from proctor.vocabulary.formats.data.checks_of_rules import rows_agree
from proctor.vocabulary.formats.text.checks import data_in

NEAR = 1e-4
"""How far two results may lie apart and still be one."""
MOST_LETTERS = 20_000
"""Of longer texts no share is worked out."""


@CHECKS.register
def same_without_blanks(of: Seen, other: Seen) -> Finding:
    """Two texts are equal but for blanks and line breaks."""
    one, two = ("".join(each["text"].split()) for each in (of, other))
    return right() if one == two else wrong(f"{of['path']} is not the same text as {other['path']}.")


@CHECKS.register
def same_result(of: Seen, other: Seen, anywhere: bool = False) -> Finding:
    """A text is the same result as another: the same number, or the same text.

    Where a number is wanted, what else the text says does not matter, as long as it tells no other one. It
    may stand `anywhere` instead, even within another number.
    """
    held, wanted = (each["text"].strip() for each in (of, other))
    if held == wanted or (anywhere and wanted in held):
        return right()
    number = _number(wanted)
    told = {float(each) for each in re.findall(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?", held)}
    if number is not None and told and all(abs(each - number) < NEAR for each in told):
        return right()
    return wrong(f"{of['path']} says {short(held)}, expected {short(wanted)}.")


@CHECKS.register
def text_near(of: Seen, text: str) -> Finding:
    """How similar a text is to another, character by character; the share is the score."""
    held = of["text"].strip()
    if held == text.strip():
        return right()
    if max(len(held), len(text)) > MOST_LETTERS:
        return wrong(f"{of['path']} is not {short(text)}.")
    share = SequenceMatcher(None, held, text.strip(), autojunk=False).ratio()
    return Finding(min(round(share, 6), 0.999999), (f"{of['path']} is {short(held)}, expected {short(text)}.",))


@CHECKS.register
def printed_rows_agree(
    of: Seen, expect: list[dict[str, str]] | None = None, unexpect: list[dict[str, str]] | None = None
) -> Finding:
    """A printed table of separated values has a row with these entries each, and none with those."""
    try:
        rows = [row for row in csv.reader(of["text"].splitlines(keepends=True)) if row]
    except csv.Error as error:
        return wrong(f"{of['path']} holds no separated values: {error}.")
    return rows_agree({"path": of["path"], "rows": rows}, expect, unexpect)


@CHECKS.register
def one_item(of: Seen, item: JsonValue = None, pieces: list[str] | None = None) -> Finding:
    """One item of a printed list, or else one line, is this, or contains all of these pieces."""
    held = data_in(of["text"])
    items: list[object] = held if isinstance(held, list) else of["text"].splitlines()
    found = item in items if pieces is None else any(all(piece in str(each) for piece in pieces) for each in items)
    return right() if found else wrong(f"{of['path']} has no item {short(str(pieces or item))}.")


@CHECKS.register
def list_is(of: Seen, items: list[JsonValue], case: bool = True) -> Finding:
    """What was printed is this list; case matters only with `case`."""
    held = data_in(of["text"])
    one, two = ([str(each) if case else str(each).casefold() for each in side or ()] for side in (held, items))
    return right() if isinstance(held, list) and one == two else wrong(f"{of['path']} is {short(of['text'])}.")


@CHECKS.register
def same_html(of: Seen, other: Seen) -> Finding:
    """Two web pages have the same elements with the same attributes and texts, ignoring blanks."""
    one, two = (list(_parts(each["text"])) for each in (of, other))
    place = next((at for at, pair in enumerate(zip(one, two, strict=False)) if pair[0] != pair[1]), None)
    if place is not None:
        return wrong(f"{of['path']} has {short(str(one[place]))}, expected {short(str(two[place]))}.")
    return unless([] if len(one) == len(two) else [f"{of['path']} has {len(one)} parts, expected {len(two)}."])


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


class _Page(HTMLParser):
    """Takes a page apart."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.parts.append((tag, " ".join(f"{name}={' '.join((value or '').split())}" for name, value in sorted(attrs))))

    def handle_endtag(self, tag: str) -> None:
        self.parts.append(("/", tag))

    def handle_data(self, data: str) -> None:
        if text := " ".join(data.split()):
            if self.parts and self.parts[-1][0] == "":
                text = f"{self.parts.pop()[1]} {text}"
            self.parts.append(("", text))


def _parts(text: str) -> Iterator[tuple[str, str]]:
    page = _Page()
    page.feed(text)
    page.close()
    yield from page.parts
