"""What checks read out of documents and slides, and what they take for the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from proctor.vocabulary.formats.visible import Look, words_of

SAME = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u00a0": " ", "\u00ad": None})
"""What office programs put in place of what was typed."""


def tidy(text: str) -> str:
    """Return a text as it is compared: one blank between words, plain quotes, hyphens and dots."""
    return " ".join(text.translate(SAME).replace("…", "...").split())


def paragraphs(of: Any) -> list[Look]:
    """Return the paragraphs of a document that say something."""
    return [block for block in of["blocks"] if block["kind"] == "paragraph" and block["text"].strip()]


def tables(of: Any) -> list[list[list[str]]]:
    """Return the tables of a document, rows of tidy texts."""
    found = [block["rows"] for block in of["blocks"] if block["kind"] == "table"]
    return [[[tidy(cell) for cell in row] for row in rows] for rows in found]


def said_in(block: Look) -> str:
    """Return what a paragraph says: what is struck through is taken back."""
    return words_of(block["runs"]) if block.get("runs") else str(block["text"])


def everything(of: Any) -> list[str]:
    """Return every line that stands in a document, whether somebody can read it or not."""
    found = lines(of)
    for block in of["blocks"]:
        hidden = [look.get("unseen", "") for look in block.get("looks", {}).values()]
        texts = [block.get("text", ""), block.get("unseen", ""), *hidden]
        found += [line for text in texts for each in text.split("\n") if (line := tidy(each)) and line not in found]
    return found


def lines(of: Any) -> list[str]:
    """Return what a document says, a paragraph or table row in each line, without empty ones."""
    found: list[str] = []
    for block in of["blocks"]:
        if block["kind"] == "table":
            found += [" | ".join(tidy(cell) for cell in row) for row in block["rows"]]
        else:
            found += [tidy(line) for line in said_in(block).split("\n")]
    return [line for line in found if line.strip(" |")]


def paragraphs_with(of: Any, text: str) -> list[Look]:
    """Return the paragraphs that are this text, or else those that hold it."""
    wanted = tidy(text)
    every = paragraphs(of)
    whole = [each for each in every if tidy(said_in(each)) == wanted]
    return whole or [each for each in every if wanted in tidy(said_in(each))]


def places(text: str, phrase: str) -> Iterator[tuple[int, int]]:
    """Yield where a phrase stands in a text as whole words, from and to."""
    words = r"\s+".join(re.escape(word) for word in phrase.split())
    for found in re.finditer(rf"(?<!\w){words}(?!\w)", text):
        yield found.span()


def letters(paragraph: Look, look: str) -> Iterator[tuple[int, str, bool]]:
    """Yield the letters and digits of a paragraph with their places, and whether they have a look."""
    place = 0
    for run in paragraph["runs"]:
        for character in run["text"]:
            if character.isalnum():
                yield place, character, bool(run[look])
            place += 1
