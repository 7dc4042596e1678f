"""How words are looked for: whatever the case, whole words, or by pattern."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator

_NUMBER = re.compile(r"-?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)?(?:(?<=\d)\.\d+|(?<![\d.])\.\d+)?")


def _sound(text: str) -> str:
    """Refuse a broken regular expression where it is written."""
    if _is_pattern(text):
        try:
            re.compile(text[1:-1])
        except re.error as error:
            raise ValueError(f"{text} is not a regular expression: {error}") from error
    return text


Sought = Annotated[str, AfterValidator(_sound)]
"""A text to find as `matches` does."""


def matches(wanted: str | None, held: str) -> bool:
    """Tell whether a text holds another, whatever the case and the kind of dots; `/.../` is a regular expression."""
    if wanted is None:
        return True
    if _is_pattern(wanted):
        return re.search(wanted[1:-1], held) is not None
    return _plain(wanted) in _plain(held)


def mentions(text: str, phrase: str) -> bool:
    """Tell whether a text has a phrase as whole words, whatever the case and the blanks between them."""
    words = r"\s+".join(re.escape(word) for word in phrase.split())
    return re.search(rf"(?<!\w){words}(?!\w)", text, re.IGNORECASE) is not None


def number_in(text: str) -> set[float]:
    """Return the numbers in a text; commas and narrow blanks between groups of three digits separate thousands."""
    tidy = re.sub(r"(?<=\d)[\u00a0\u202f](?=\d{3})", ",", text.replace("−", "-"))
    # A hyphen inside a word or a range is not a sign; one before a currency is.
    signs = re.sub(r"-\s*([$€£¥])\s*", r" -", re.sub(r"(?<=\w)-", " ", tidy))
    return {float(found.replace(",", "")) for found in _NUMBER.findall(signs) if found.strip("-.")}


def short(text: str, most: int = 120) -> str:
    """Return a text as feedback quotes it."""
    return repr(text if len(text) <= most else f"{text[:most]}...")


def _is_pattern(text: str) -> bool:
    return len(text) > 2 and text[0] == text[-1] == "/"


def _plain(text: str) -> str:
    return text.replace("…", "...").casefold()
