"""Checks on texts and on what commands print, to the letter."""

from __future__ import annotations

import ast
import difflib
import json
import re
from typing import Annotated, Any

from pydantic import AfterValidator, Field, JsonValue

from proctor.tasks.findings import Finding, right, unless, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.tasks.words import short

MOST_COMPARED = 20_000
"""Lines that are compared one with another; more are only told equal or not."""


def _pattern(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"it is not a regular expression: {error}") from error
    return text


Pattern = Annotated[str, AfterValidator(_pattern)]


@CHECKS.register
def output_is(of: Seen, text: str, strip: bool = False) -> Finding:
    """What was printed, or is in a file, is exactly this.

    A line break at the end does not matter; with `strip`, nor do other blanks at either end.
    """
    one, two = (_without_last_break(each.strip() if strip else each) for each in (of["text"], text))
    same = one == two
    return right() if same else wrong(f"{of['path']} is {short(of['text'])}, expected {short(text)}.")


@CHECKS.register
def output_among(of: Seen, texts: list[str]) -> Finding:
    """What was printed is exactly one of these; a line break at the end does not matter."""
    same = _without_last_break(of["text"]) in map(_without_last_break, texts)
    return right() if same else wrong(f"{of['path']} is {short(of['text'])}, which is none of what is expected.")


@CHECKS.register
def text_includes(of: Seen, every: list[str] | None = None, none: list[str] | None = None) -> Finding:
    """A text contains exactly each of these pieces and none of those."""
    missing = [f"{of['path']} lacks {short(piece)}." for piece in every or () if piece not in of["text"]]
    return unless(missing + [f"{of['path']} has {short(piece)}." for piece in none or () if piece in of["text"]])


@CHECKS.register
def lines_match(of: Seen, every: list[Pattern] | None = None, none: list[Pattern] | None = None) -> Finding:
    """Each of these patterns is found in some line of a text, and those in no line."""
    lines = of["text"].splitlines()
    missing = [p for p in every or () if not any(re.search(p, line) for line in lines)]
    extra = [p for p in none or () if any(re.search(p, line) for line in lines)]
    return unless(
        [f"{of['path']} has no line with /{p}/." for p in missing]
        + [f"{of['path']} has a line with /{p}/, which should not be there." for p in extra]
    )


@CHECKS.register
def same_letters(of: Seen, other: Seen, blanks: bool = True, case: bool = True) -> Finding:
    """Two texts are equal, character by character; blanks count only with `blanks`, case with `case`."""
    one, two = (_fold(each["text"], blanks, case) for each in (of, other))
    return right() if one == two else wrong(f"{of['path']} is not the same text as {other['path']}.")


@CHECKS.register
def same_lines(of: Seen, other: Seen, case: bool = True, strict: bool = True) -> Finding:
    """Two texts have the same lines in the same order; blanks at their ends count only if `strict`."""
    one, two = (_lines(each["text"], case, strict) for each in (of, other))
    return right() if one == two else wrong(f"{of['path']} does not have the lines of {other['path']}.")


@CHECKS.register
def text_like(of: Seen, other: Seen) -> Finding:
    """How much of two texts is the same, line by line; the share is the score."""
    one, two = of["text"].splitlines(), other["text"].splitlines()
    if one == two:
        return right()
    if max(len(one), len(two)) > MOST_COMPARED:
        return wrong(f"{of['path']} differs from {other['path']}.")
    score = round(difflib.SequenceMatcher(None, one, two, autojunk=False).ratio(), 6)
    return Finding(min(score, 0.999999), (f"{of['path']} differs from {other['path']}.",))


@CHECKS.register
def output_has(of: Seen, entries: dict[str, JsonValue], within: bool = False) -> Finding:
    """What was printed is a JSON object with these entries; `within`, texts contain the given ones."""
    held = data_in(of["text"])
    if not isinstance(held, dict):
        return wrong(f"{of['path']} is no JSON object.")
    return unless(
        f"{of['path']} has {short(str(held.get(key)))} for {key!r}, expected {short(str(value))}."
        for key, value in entries.items()
        if not _agrees(held.get(key), value, within)
    )


@CHECKS.register
def output_items(of: Seen, items: list[str]) -> Finding:
    """What was printed is a list with exactly these items, in any order."""
    held = data_in(of["text"])
    if not isinstance(held, list):
        return wrong(f"{of['path']} is no list.")
    same = sorted(map(str, held)) == sorted(items)
    return right() if same else wrong(f"{of['path']} lists {short(', '.join(map(str, held)))}.")


@CHECKS.register
def output_above(of: Seen, number: Annotated[float, Field(allow_inf_nan=False)]) -> Finding:
    """What was printed is a number greater than this one."""
    try:
        held = float(of["text"].strip())
    except ValueError:
        return wrong(f"{of['path']} is {short(of['text'])}, no number.")
    return right() if held > number else wrong(f"{of['path']} is {held:g}, expected more than {number:g}.")


@CHECKS.register
def says_something(of: Seen) -> Finding:
    """A text is not empty, or something was printed."""
    return right() if of["text"].strip() else wrong(f"{of['path']} is empty.")


@CHECKS.register
def count_of_lines(of: Seen, pattern: Pattern, count: Annotated[int, Field(ge=0)]) -> Finding:
    """This many lines of a text match a pattern."""
    found = sum(bool(re.search(pattern, line)) for line in of["text"].splitlines())
    return right() if found == count else wrong(f"{of['path']} has {found} such lines, expected {count}.")


def _without_last_break(text: str) -> str:
    return text.replace("\r\n", "\n").removesuffix("\n")


def _fold(text: str, blanks: bool, case: bool) -> str:
    text = text.replace("\r\n", "\n") if blanks else re.sub(r"\s+", " ", text.strip())
    return text if case else text.casefold()


def _lines(text: str, case: bool, strict: bool) -> list[str]:
    listed = (text if case else text.casefold()).splitlines()
    return listed if strict else [line.strip() for line in listed if line.strip()]


def data_in(text: str) -> Any:
    """Return the data in a text, as JSON or as Python writes lists; None where it is neither."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass  # some commands print Python's or GVariant's way
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None


def _agrees(held: object, value: object, within: bool) -> bool:
    if not within:
        return held == value
    pieces = value if isinstance(value, list) else [value]
    return held is not None and any(str(piece) in str(held) for piece in pieces)
