"""Transforms of documents and slides: OpenDocument, Word and PowerPoint."""

from __future__ import annotations

import re
from random import Random

from proctor.prove.transforms.packages import one_of, rewritten
from proctor.prove.transforms.shelf import mutant
from proctor.prove.transforms.words import WORD, other_number, other_word

OPEN = ("*.odt", "*.odp", "*.odg", "*.ott")
WORDS = ("*.docx",)
SLIDES = ("*.pptx",)
CONTENT, DOCUMENT, SLIDE = r"content\.xml", r"word/document\.xml", r"ppt/slides/slide\d+\.xml"
_BODY = re.compile(r"(?s)<office:body>.*</office:body>")
_TEXT = re.compile(r">([^<>]*)(?=<)")
_ODF_PARAGRAPH = re.compile(
    r"(?s)<text:(p|h)\b[^>]*(?<!/)>(?:(?!<text:p\b|<text:h\b).)*?[^<>\s](?:(?!<text:p\b).)*?</text:\1>"
)
_WORD_PARAGRAPH = re.compile(r"(?s)<w:p\b[^>]*(?<!/)>(?:(?!</w:p>).)*<w:t\b(?:(?!</w:p>).)*</w:p>")
_PAGE = re.compile(r"(?s)<draw:page\b.*?</draw:page>")


def _in_body(text: str, draw: Random, pattern: re.Pattern[str], wanted: re.Pattern[str], number: bool) -> str | None:
    """Return a content part with a word or number between its tags changed."""
    body = _BODY.search(text)
    start, end = (body.start(), body.end()) if body else (0, len(text))
    found = [match for match in pattern.finditer(text, start, end) if wanted.search(match.group(1))]
    if not found:
        return None
    match = draw.choice(found)
    other = (other_number if number else other_word)(match.group(1), draw)
    return None if other is None else text[: match.start(1)] + other + text[match.end(1) :]


_DIGIT = re.compile(r"\d")
_W = re.compile(r"<w:t\b[^>]*>([^<]*)(?=</w:t>)")
_A = re.compile(r"<a:t>([^<]*)(?=</a:t>)")


@mutant("a word changed", *OPEN)
def word_changed(data: bytes, draw: Random) -> bytes | None:
    """Put another word in place of one in the text."""
    return rewritten(data, CONTENT, lambda text: _in_body(text, draw, _TEXT, WORD, False))


@mutant("a number changed", *OPEN)
def number_changed(data: bytes, draw: Random) -> bytes | None:
    """Put another number in place of one in the text."""
    return rewritten(data, CONTENT, lambda text: _in_body(text, draw, _TEXT, _DIGIT, True))


@mutant("a paragraph dropped", "*.odt", "*.ott", "*.odp")
def paragraph_dropped(data: bytes, draw: Random) -> bytes | None:
    """Leave out one paragraph that says something."""
    return rewritten(data, CONTENT, lambda text: one_of(text, _ODF_PARAGRAPH, draw, lambda match: ""))


@mutant("a paragraph written twice", "*.odt", "*.ott")
def paragraph_twice(data: bytes, draw: Random) -> bytes | None:
    """Write one paragraph twice."""
    return rewritten(data, CONTENT, lambda text: one_of(text, _ODF_PARAGRAPH, draw, lambda m: m.group() * 2))


@mutant("a word changed", *WORDS)
def docx_word_changed(data: bytes, draw: Random) -> bytes | None:
    """Put another word in place of one in the text."""
    return rewritten(data, DOCUMENT, lambda text: _in_body(text, draw, _W, WORD, False))


@mutant("a number changed", *WORDS)
def docx_number_changed(data: bytes, draw: Random) -> bytes | None:
    """Put another number in place of one in the text."""
    return rewritten(data, DOCUMENT, lambda text: _in_body(text, draw, _W, _DIGIT, True))


@mutant("a paragraph dropped", *WORDS)
def docx_paragraph_dropped(data: bytes, draw: Random) -> bytes | None:
    """Leave out one paragraph that says something."""
    return rewritten(data, DOCUMENT, lambda text: one_of(text, _WORD_PARAGRAPH, draw, lambda match: ""))


@mutant("a slide dropped", "*.odp")
def slide_dropped(data: bytes, draw: Random) -> bytes | None:
    """Leave out one slide."""
    return rewritten(data, CONTENT, lambda text: one_of(text, _PAGE, draw, lambda match: ""))


@mutant("two slides exchanged", "*.odp")
def slides_exchanged(data: bytes, draw: Random) -> bytes | None:
    """Exchange two slides that follow one another."""

    def change(text: str) -> str | None:
        found = list(_PAGE.finditer(text))
        if len(found) < 2:
            return None
        at = draw.randrange(len(found) - 1)
        left, right = found[at], found[at + 1]
        between = text[left.end() : right.start()]
        return text[: left.start()] + right.group() + between + left.group() + text[right.end() :]

    return rewritten(data, CONTENT, change)


@mutant("a word changed", *SLIDES)
def pptx_word_changed(data: bytes, draw: Random) -> bytes | None:
    """Put another word in place of one on a slide."""
    return rewritten(data, SLIDE, lambda text: _in_body(text, draw, _A, WORD, False))
