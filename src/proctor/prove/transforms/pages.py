"""Transforms of web pages: of what they show, not of the marks around it."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from proctor.prove.transforms.shelf import mutant
from proctor.prove.transforms.words import decode, other_number, other_word

PAGES = ("*.html", "*.htm")
_BEGIN = re.compile(r".*?<div class='content'>|.*?<body\b[^>]*>", re.DOTALL | re.IGNORECASE)
"""What stands above the text of a page: its head, and what Zim writes there, which is the title once more."""
_PIECE = re.compile(r"(?<=>)(?!\s*Created \w+ \d)[^<>]*\w[^<>]*(?=<)")
"""What is shown between two marks, but for the line that says when a page of Zim was made."""


Choice = Callable[[list[str]], int]
Edit = Callable[[str], str | None]


def _change(data: bytes, choose: Choice, edit: Edit) -> bytes | None:
    """Return a page with one of the texts on it changed."""
    page = decode(data) or ""
    begin = _BEGIN.match(page)
    pieces = list(_PIECE.finditer(page, begin.end() - 1)) if begin else []
    if not pieces:
        return None
    piece = pieces[choose([each[0] for each in pieces])]
    other = edit(piece[0])
    return None if other is None else (page[: piece.start()] + other + page[piece.end() :]).encode()


@mutant("its first text left out", *PAGES)
def first_text_dropped(data: bytes, draw: Random) -> bytes | None:
    """Leave out what is shown first."""
    return _change(data, lambda texts: 0, lambda text: "")


@mutant("its last text left out", *PAGES)
def last_text_dropped(data: bytes, draw: Random) -> bytes | None:
    """Leave out what is shown last."""
    return _change(data, lambda texts: len(texts) - 1, lambda text: "")


@mutant("a text said twice", *PAGES)
def text_duplicated(data: bytes, draw: Random) -> bytes | None:
    """Show a text below itself once more."""
    return _change(data, lambda texts: draw.randrange(len(texts)), lambda text: f"{text}<br>{text}")


@mutant("a word changed", *PAGES)
def page_word_changed(data: bytes, draw: Random) -> bytes | None:
    """Put another word in place of one."""
    return _change(data, lambda texts: draw.randrange(len(texts)), lambda text: other_word(text, draw))


@mutant("a number changed", *PAGES)
def page_number_changed(data: bytes, draw: Random) -> bytes | None:
    """Put another number in place of one."""

    def find_number(texts: list[str]) -> int:
        return next((at for at, text in enumerate(texts) if re.search(r"\d", text)), 0)

    return _change(data, find_number, lambda text: other_number(text, draw))
