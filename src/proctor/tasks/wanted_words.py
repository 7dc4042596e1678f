"""How checks look for words in what people wrote."""

from __future__ import annotations

import re
from collections.abc import Iterable


def missing_words(text: str, wanted: Iterable[str]) -> list[str]:
    """Return what a text does not say; case, spacing and line breaks are ignored, and `a|b` means either.

    Words and figures are found as wholes only: 12 is neither in 112 nor in 12.50, but it is in "at 12."
    """
    plain = _plain(text)
    return [words for words in wanted if not any(_says(plain, choice) for choice in words.split("|"))]


def _says(text: str, words: str) -> bool:
    return re.search(rf"(?<!\w)(?<!\d[.,]){re.escape(_plain(words))}(?!\w)(?![.,]\d)", text) is not None


def _plain(text: str) -> str:
    return " ".join(text.replace("\N{NO-BREAK SPACE}", " ").split()).casefold()
