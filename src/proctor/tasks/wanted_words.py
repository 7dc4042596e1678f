"""How checks look for words in what people wrote."""

from __future__ import annotations

from collections.abc import Iterable

from proctor.tasks.wording import mentions


def missing_words(text: str, wanted: Iterable[str]) -> list[str]:
    """Return what a text does not say, as `mentions` finds it; `a|b` means either."""
    return [words for words in wanted if not any(mentions(text, choice) for choice in words.split("|"))]
