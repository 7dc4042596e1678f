"""How checks compare and how they say what differs."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from proctor.tasks.words import plain

MOST_DIFFERENCES = 20
"""More mismatches than this are counted, not listed."""
MOST_COMPARED = 4_000_000
"""Pairs of lines that are held against each other."""

Compared = TypeVar("Compared")


def beyond(
    some: Iterable[Compared], others: Iterable[Compared], key: Callable[[Compared], object] = lambda each: each
) -> list[Compared]:
    """Return what is among some and not among others, as often as it is missing there."""
    left, found = [key(each) for each in others], []
    for each in some:
        if key(each) in left:
            left.remove(key(each))
        else:
            found.append(each)
    return found


def different_lines(label: str, found: str, wanted: str, *, exactly: bool = False) -> Iterator[str]:
    """Yield what differs between two texts, line by line.

    Unless they are to be the same exactly, what nobody would call a difference is none: line ends, empty lines, blanks
    at the ends of lines, how many stand between words (after a colon none need to), and the kind of quotes and dashes.
    Indentation counts.
    """
    left, right = (_lines(text, exactly) for text in (found, wanted))
    ours, theirs = ([line if exactly else _key(line) for line in lines] for lines in (left, right))
    if ours == theirs:
        return
    if len(left) * len(right) > MOST_COMPARED:
        # Finding out what belongs to what would take for ever.
        same = next((at for at, pair in enumerate(zip(ours, theirs, strict=False)) if pair[0] != pair[1]), len(left))
        yield f"{label} has {len(left):,} lines, expected {len(right):,}; they differ from line {same + 1} on."
        return
    said = 0
    for tag, a, b, c, d in difflib.SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        said += 1
        if said > MOST_DIFFERENCES:
            yield f"{label} differs in more places."
            return
        place = f"line {a + 1}" if b - a <= 1 else f"lines {a + 1} to {b}"
        if tag == "delete":
            yield f"{label}, {place}: {_quote(left[a:b])} should not be there."
        elif tag == "insert":
            yield f"{label}, {place}: {_quote(right[c:d])} is missing here."
        else:
            yield f"{label}, {place}: it says {_quote(left[a:b])}, expected {_quote(right[c:d])}."


def _lines(text: str, exactly: bool) -> list[str]:
    lines = text.replace("\r\n", "\n").split("\n")
    if exactly:
        return lines
    return [line.rstrip() for line in lines if line.strip()]


def _key(line: str) -> str:
    """Return a line as it compares: indentation as it is, one blank between words, none after colons."""
    indent = line[: len(line) - len(line.lstrip())]
    return indent + plain(line).replace(": ", ":")


def _quote(lines: list[str], most: int = 120) -> str:
    text = " / ".join(lines)
    return f"'{text if len(text) <= most else text[:most] + '...'}'"
