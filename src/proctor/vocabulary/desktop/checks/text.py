"""Checks on texts: of files, of the clipboard, of a terminal, of an answer."""

from __future__ import annotations

import re
from collections import Counter
from typing import Annotated

from pydantic import AfterValidator, Field

from proctor.tasks.answers.assertions import Assertions, Claim
from proctor.tasks.answers.numbers import numbers_in
from proctor.tasks.answers.objections import objections
from proctor.tasks.answers.values import is_meant, number_sought, sought
from proctor.tasks.compare import different_lines
from proctor.tasks.findings import Finding, right, unless, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.tasks.words import loose, plain, short


def _pattern(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"it is not a regular expression: {error}") from error
    return text


_FIGURE = re.compile(r"[-+−]?[\d.,'\u00a0\u202f ]+\s*(?:units?|kg|pieces)?\.?")
_ONE_FIGURE = re.compile(r"[-+−]?(?:\d+|\d{1,3}([.,'\u00a0\u202f ])\d{3}(?:\1\d{3})*)?(?:[.,]\d+)?")
"""A single number, with the same mark between all of its thousands."""
Phrases = Annotated[list[Annotated[str, Field(min_length=1)]], Field(min_length=1)]
Pattern = Annotated[str, AfterValidator(_pattern)]


@CHECKS.register
def text_is(of: Seen, text: str, exactly: bool = False) -> Finding:
    """A text is this one, line by line.

    Ignores, unless it is to be so `exactly`, line ends, empty lines, blanks at the ends of lines, how many stand
    between words, and the kind of quotes and dashes. Indentation counts.
    """
    return unless(different_lines(of["path"], of["text"], text, exactly=exactly))


@CHECKS.register
def same_text(of: Seen, other: Seen, exactly: bool = False) -> Finding:
    """Two texts are equal; ignores, unless they are to be so `exactly`, what `text_is` ignores."""
    return unless(different_lines(of["path"], of["text"], other["text"], exactly=exactly))


@CHECKS.register
def form_says(of: Seen, text: str, fields: dict[str, str], not_any_of: list[str] | None = None) -> Finding:
    """A text is this one, as by `text_is`, with these answers after the beginnings of its lines.

    What stands behind `Day:` asserts the day that is asked for, in whichever usual way; a date with it does no harm.
    """
    lines, problems = of["text"].split("\n"), []
    false = [sought(word) for word in not_any_of or ()]
    for field, answer in fields.items():
        places = [number for number, line in enumerate(lines) if plain(line).startswith(plain(field))]
        if len(places) != 1:
            problems.append(f"{of['path']} has {len(places)} lines with {field!r}, expected one.")
            continue
        said = plain(lines[places[0]])[len(plain(field)) :]
        problems += [
            f"{of['path']}, {field!r}, {each}" for each in objections(Assertions(said), sought(answer), false=false)
        ]
        lines[places[0]] = field
    return unless([*problems, *different_lines(of["path"], "\n".join(lines), text)])


@CHECKS.register
def text_has(of: Seen, phrases: Phrases, case: bool = True) -> Finding:
    """A text contains every one of these phrases.

    Blanks, line breaks and the kind of quotes do not matter.
    """
    held = _normalise(of["text"], case)
    return unless(f"{of['path']} does not say {short(p)}." for p in phrases if _normalise(p, case) not in held)


@CHECKS.register
def text_lacks(of: Seen, phrases: Phrases, case: bool = True) -> Finding:
    """A text has none of these phrases; blanks, line breaks and the kind of quotes do not matter."""
    held = _normalise(of["text"], case)
    return unless(f"{of['path']} still says {short(p)}." for p in phrases if _normalise(p, case) in held)


@CHECKS.register
def text_matches(of: Seen, pattern: Pattern) -> Finding:
    """A regular expression is found in a text; `^` and `$` stand for the ends of lines."""
    found = re.search(pattern, of["text"], re.MULTILINE)
    return right() if found else wrong(f"{of['path']} has nothing like /{pattern}/.")


@CHECKS.register
def line_count(of: Seen, least: Annotated[int, Field(ge=0)], most: int | None = None) -> Finding:
    """A text has this many lines that are not blank, or a number of them in a range."""
    number = len(_lines(of["text"]))
    upper = least if most is None else most
    wanted = str(least) if most is None else f"{least} to {most}"
    return right() if least <= number <= upper else wrong(f"{of['path']} has {number} lines, expected {wanted}.")


@CHECKS.register
def lines_are(of: Seen, lines: list[str], ordered: bool = True) -> Finding:
    """A text has exactly these lines, in this order unless specified otherwise.

    Ignores blank lines, blanks around and between words, and the kind of quotes and dashes.
    """
    found, wanted = _lines(of["text"]), _lines("\n".join(lines))
    if ordered:
        return unless(different_lines(of["path"], "\n".join(found), "\n".join(wanted)))
    missing, extra = Counter(wanted) - Counter(found), Counter(found) - Counter(wanted)
    problems = [f"{of['path']} lacks the line {short(line)}." for line in missing.elements()]
    return unless(problems + [f"{of['path']} has the extra line {short(line)}." for line in extra.elements()])


@CHECKS.register
def script_is(of: Seen, lines: list[str]) -> Finding:
    """A script has exactly these lines, with quotes, dashes, blanks and line endings for a shell.

    Ignores empty lines below the first one, and blanks at the ends of lines.
    """
    text = of["text"]
    if "\r" in text:
        return wrong(f"The lines of {of['path']} end in a sign that a shell takes for a part of them.")
    if not text.startswith(lines[0]):
        return wrong(f"{of['path']} does not begin with {short(lines[0])}.")
    found, wanted = ([line.rstrip() for line in each if line.strip()] for each in (text.split("\n"), lines))
    return unless(different_lines(of["path"], "\n".join(found), "\n".join(wanted), exactly=True))


@CHECKS.register
def has_lines(of: Seen, lines: Phrases, together: bool = False) -> Finding:
    """A text has each of these as a line of its own, anywhere; ignores what `lines_are` ignores.

    If they are to be `together`, they stand one below the other in this order, and none of them anywhere else.
    """
    found, wanted = _lines(of["text"]), [plain(line) for line in lines]
    missing = [line for line in wanted if line not in found]
    if missing or not together:
        return unless(f"{of['path']} lacks the line {short(line)}." for line in missing)
    start = found.index(wanted[0])
    same = found[start : start + len(wanted)] == wanted == [line for line in found if line in wanted]
    return right() if same else wrong(f"{of['path']} does not have its lines one below the other, each once.")


@CHECKS.register
def text_number(of: Seen, value: float, tolerance: Annotated[float, Field(ge=0)] = 0.0, alone: bool = False) -> Finding:
    """The only number in a text is this one.

    Words, units and separators do not matter, nor a sum that leads to it.

    It stands on one line only. With `alone`, the text is nothing but the number, with a word for its unit at most.
    """
    told = _numbers_told(of["text"])
    if alone and not _FIGURE.fullmatch(of["text"].strip()):
        return wrong(f"{of['path']} says {short(of['text'])}, expected the number {value:g} and nothing else.")
    wanted = number_sought(value)
    same = bool(told) and all(
        claim.holds and claim.value and is_meant(claim.value, wanted, tolerance) for claim in told
    )
    if same and sum(bool(_numbers_told(line)) for line in of["text"].splitlines()) == 1:
        return right()
    return wrong(f"{of['path']} says {short(of['text'])}, expected the number {value:g} and no other.")


@CHECKS.register
def clipboard_is(of: Seen, text: str) -> Finding:
    """The clipboard holds this text.

    Ignores blanks and line breaks around it and the kind of line ends.
    """
    same = _ends(of["text"]) == _ends(text)
    return right() if same else wrong(f"The clipboard holds {short(of['text'])}, expected {short(text)}.")


@CHECKS.register
def clipboard_number(of: Seen, value: float, tolerance: Annotated[float, Field(ge=0)] = 0.0) -> Finding:
    """The clipboard holds this number and nothing else.

    How it is written (1234.5, 1,234.50) does not matter.
    """
    held = of["text"].strip()
    # A plain blank or an apostrophe stands between thousands as well.
    numbers = numbers_in(re.sub(r"[ '](?=\d{3})", "\u202f", held)) if _ONE_FIGURE.fullmatch(held) else []
    if len(numbers) == 1 and is_meant(numbers[0], number_sought(value), tolerance):
        return right()
    return wrong(f"The clipboard holds {short(of['text'])}, expected just the number {value:g}.")


@CHECKS.register
def terminal_shows(of: Seen, phrases: Phrases) -> Finding:
    """The frontmost terminal shows every one of these phrases.

    Line breaks that wrap them do not matter.
    """
    held = _normalise(of["text"], True)
    joined = held.replace(" ", "")
    missing = [
        p for p in phrases if _normalise(p, True) not in held and _normalise(p, True).replace(" ", "") not in joined
    ]
    return unless(f"The terminal does not show {short(phrase)}." for phrase in missing)


def _numbers_told(text: str) -> list[Claim]:
    """Return the numbers that a text tells, without those that it only works with."""
    return [claim for claim in Assertions(text).claims("number") if not claim.term]


def _normalise(text: str, case: bool) -> str:
    return plain(text) if case else loose(text)


def _lines(text: str) -> list[str]:
    return [plain(line) for line in text.splitlines() if line.strip()]


def _ends(text: str) -> str:
    return text.replace("\r\n", "\n").strip()
