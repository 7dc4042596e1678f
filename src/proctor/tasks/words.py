"""How texts compare, and how one is found in another: whatever the case, or by pattern."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator

from proctor.plain_text import compose

_TYPOGRAPHY = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛ʼ", "'"),
        **dict.fromkeys("“”„‟«»", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        "…": "...",
    }
)
"""What typography makes of plain signs."""


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
    """Tell whether a text holds another, whatever the case and the kind of dots.

    `/.../` is a regular expression.
    """
    if wanted is None:
        return True
    if _is_pattern(wanted):
        return re.search(wanted[1:-1], held) is not None
    return _plain(wanted) in _plain(held)


def plain(text: str) -> str:
    """Return a text as it compares where letters do not matter: one kind of quotes, dashes, blanks."""
    return " ".join(compose(text).translate(_TYPOGRAPHY).split())


def loose(text: str) -> str:
    """Return a text as names and titles compare: as `plain` does, whatever the case."""
    return plain(text).casefold()


def short(text: str, most: int = 120) -> str:
    """Return a text as feedback quotes it."""
    return repr(text if len(text) <= most else f"{text[:most]}...")


def _is_pattern(text: str) -> bool:
    return len(text) > 2 and text[0] == text[-1] == "/"


def _plain(text: str) -> str:
    return text.replace("…", "...").casefold()
