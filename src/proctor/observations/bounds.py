"""How much of what programs say about themselves is kept; what is cut says so."""

from __future__ import annotations

CUT = "…"
"""Ends a text of which the rest was left out."""
MAX_LABEL = 500
"""Characters of an application's name or a window's title; both are repeated with each of their elements."""
MAX_NAME = 2_000
MAX_TEXT = 50_000
MAX_TREE_CHARS = 4_000_000
"""Characters of all names and descriptions of a tree together, and again of all texts; an application may use half of
what those before it left."""
MAX_XML_CHARS = 32_000_000
"""Characters of a tree as XML, where a single one may take six."""
MAX_REASONS = 30
MAX_REASON_CHARS = 300
"""How many reasons for an incomplete tree are told, and how long each may be."""


def cut(text: str, most: int) -> str:
    """Return a text of at most this many characters and a mark where it was longer."""
    return text if len(text) <= most else text[:most] + CUT


def reasons(found: list[str]) -> tuple[str, ...]:
    """Return the first of some reasons, each once and none too long, and how many were left out."""
    each = list(dict.fromkeys(cut(reason, MAX_REASON_CHARS) for reason in found))
    more = [f"and {len(each) - MAX_REASONS} more reasons"] if len(each) > MAX_REASONS else []
    return (*each[:MAX_REASONS], *more)
