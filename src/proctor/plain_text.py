"""Text from outside, made safe to show: it moves no cursor and turns no reading order."""

from __future__ import annotations

import json

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
"""Stands for what a terminal would obey and a reader could not see."""


def printable(text: str) -> str:
    """Return text of which every character is seen; lines stay lines.

    Control characters, escape sequences, overrides of the reading order, invisible characters and halves of surrogate
    pairs are replaced. Whatever came from a record, a task file, an agent or a computer passes through here before it
    is printed.
    """
    if text.isprintable():
        return text
    return "\n".join(map(_visible, text.split("\n")))


def one_line(text: str) -> str:
    """Return the same on one line, for tables and lists."""
    return text if text.isprintable() else _visible(text)


def json_text(data: object, *, indent: int | None = None) -> str:
    """Return data as JSON for a terminal; what is not printable is escaped, so nothing is lost."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, indent=indent)
    return "\n".join(map(_escape, text.split("\n")))


def _visible(line: str) -> str:
    return line if line.isprintable() else "".join(map(_show, line))


def _show(letter: str) -> str:
    if letter.isprintable():
        return letter
    return " " if letter.isspace() and letter not in "\x1c\x1d\x1e\x1f\x85" else REPLACEMENT


def _escape(line: str) -> str:
    # Outside its strings JSON has nothing but printable ASCII.
    return line if line.isprintable() else "".join(_escape_letter(letter) for letter in line)


def _escape_letter(letter: str) -> str:
    return letter if letter.isprintable() else json.dumps(letter)[1:-1]
