"""Transforms of web pages: of what they show, not of the marks around it."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from proctor.prove.transforms.shelf import Function, mutant
from proctor.prove.transforms.words import TextChange, of_text, other_number, other_word

PAGES = ("*.html", "*.htm")
_BEGIN = re.compile(r".*?<div class='content'>|.*?<body\b[^>]*>", re.DOTALL | re.IGNORECASE)
"""What stands above the text of a page: its head, and what Zim writes there, which is the title once more."""
_PIECE = re.compile(r"(?<=>)(?!\s*Created \w+ \d)[^<>]*\w[^<>]*(?=<)")
"""What is shown between two marks, but for the line that says when a page of Zim was made."""

Choice = Callable[[list[str], Random], int]


def _of_page(choose: Choice, edit: TextChange) -> Function:
    """Return what changes one of the texts on a page."""

    def change(page: str, draw: Random) -> str | None:
        begin = _BEGIN.match(page)
        pieces = list(_PIECE.finditer(page, begin.end() - 1)) if begin else []
        if not pieces:
            return None
        piece = pieces[choose([each[0] for each in pieces], draw)]
        other = edit(piece[0], draw)
        return None if other is None else page[: piece.start()] + other + page[piece.end() :]

    return of_text(change)


def _any(texts: list[str], draw: Random) -> int:
    return draw.randrange(len(texts))


def _with_number(texts: list[str], draw: Random) -> int:
    return next((at for at, text in enumerate(texts) if re.search(r"\d", text)), 0)


mutant("its first text left out", *PAGES)(_of_page(lambda texts, draw: 0, lambda text, draw: ""))
mutant("its last text left out", *PAGES)(_of_page(lambda texts, draw: -1, lambda text, draw: ""))
mutant("a text said twice", *PAGES)(_of_page(_any, lambda text, draw: f"{text}<br>{text}"))
mutant("a word changed", *PAGES)(_of_page(_any, other_word))
mutant("a number changed", *PAGES)(_of_page(_with_number, other_number))
