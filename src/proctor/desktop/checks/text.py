"""Checks on texts: of files, of the clipboard, of a terminal, of an answer."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import Annotated

from pydantic import AfterValidator, Field

from proctor.tasks.comparing import different_lines
from proctor.tasks.finding import Finding, right, unless, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.tasks.wording import number_in, short


def _pattern(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"it is not a regular expression: {error}") from error
    return text


Phrases = Annotated[list[Annotated[str, Field(min_length=1)]], Field(min_length=1)]
Pattern = Annotated[str, AfterValidator(_pattern)]


@CHECKS.register
def text_is(of: Seen, text: str, strip: bool = True) -> Finding:
    """A text is this one; ignores, unless told otherwise, blanks at the ends of lines and empty lines at the end."""
    return unless(different_lines(of["path"], of["text"], text, strip=strip))


@CHECKS.register
def same_text(of: Seen, other: Seen, strip: bool = True) -> Finding:
    """Two texts are equal; ignores, unless told otherwise, blanks at line ends and empty lines at the end."""
    return unless(different_lines(of["path"], of["text"], other["text"], strip=strip))


@CHECKS.register
def text_has(of: Seen, phrases: Phrases, case: bool = True) -> Finding:
    """A text holds every one of these phrases; the amount of blanks and line breaks in them does not matter."""
    held = _spaced(of["text"], case)
    return unless(f"{of['path']} does not say {short(p)}." for p in phrases if _spaced(p, case) not in held)


@CHECKS.register
def text_lacks(of: Seen, phrases: Phrases, case: bool = True) -> Finding:
    """A text holds none of these phrases; the amount of blanks and line breaks in them does not matter."""
    held = _spaced(of["text"], case)
    return unless(f"{of['path']} still says {short(p)}." for p in phrases if _spaced(p, case) in held)


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
    """A text has exactly these lines, in this order unless told otherwise; ignores blank lines and outer blanks."""
    found, wanted = _lines(of["text"]), [line.strip() for line in lines]
    if ordered:
        return unless(different_lines(of["path"], "\n".join(found), "\n".join(wanted), strip=True))
    missing, extra = Counter(wanted) - Counter(found), Counter(found) - Counter(wanted)
    problems = [f"{of['path']} lacks the line {short(line)}." for line in missing.elements()]
    return unless(problems + [f"{of['path']} has the line {short(line)} too much." for line in extra.elements()])


@CHECKS.register
def has_lines(of: Seen, lines: Phrases) -> Finding:
    """A text has each of these as a line of its own, anywhere; ignores outer blanks."""
    found = {*_lines(of["text"])}
    return unless(f"{of['path']} lacks the line {short(line)}." for line in lines if line.strip() not in found)


@CHECKS.register
def text_number(of: Seen, value: float, tolerance: Annotated[float, Field(ge=0)] = 0.0) -> Finding:
    """The only number in a text is this one; words, units and separators of thousands do not matter."""
    numbers = number_in(of["text"])
    if len(numbers) == 1 and math.isclose(next(iter(numbers)), value, rel_tol=1e-9, abs_tol=tolerance + 1e-9):
        return right()
    return wrong(f"{of['path']} says {short(of['text'])}, expected the number {value:g} and no other.")


@CHECKS.register
def clipboard_is(of: Seen, text: str) -> Finding:
    """The clipboard holds this text; ignores line breaks at its end."""
    same = of["text"].rstrip("\r\n") == text.rstrip("\r\n")
    return right() if same else wrong(f"The clipboard holds {short(of['text'])}, expected {short(text)}.")


@CHECKS.register
def terminal_shows(of: Seen, phrases: Phrases) -> Finding:
    """The frontmost terminal shows every one of these phrases; line breaks that wrap them do not matter."""
    held = _spaced(of["text"], True)
    joined = held.replace(" ", "")
    missing = [p for p in phrases if _spaced(p, True) not in held and _spaced(p, True).replace(" ", "") not in joined]
    return unless(f"The terminal does not show {short(phrase)}." for phrase in missing)


def _spaced(text: str, case: bool) -> str:
    spaced = " ".join(text.split())
    return spaced if case else spaced.casefold()


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]
