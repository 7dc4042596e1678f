"""What clients send, cut to a size that can be refused: a refusal quotes what it refuses."""

from __future__ import annotations

from typing import Any

MOST_TEXT = 100_000
"""Characters of one text in an action."""
MOST_ITEMS = 10_000
MOST_DEPTH = 6


def cut_to_size(value: object, depth: int = 0) -> Any:
    """Return a value that is small as it is, and otherwise one that is refused.

    Halves of characters (lone surrogates) become U+FFFD: they can be neither typed nor sent back.
    """
    if isinstance(value, str):
        short = value[: MOST_TEXT + 1]
        return short if short.isascii() else short.encode("utf-8", "replace").decode()
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 64:
        # Python refuses to write very long numbers, and with them the refusal.
        return float("inf") if value > 0 else float("-inf")
    if isinstance(value, dict | list) and depth >= MOST_DEPTH:
        return None
    if isinstance(value, dict):
        return {cut_to_size(str(key)[:100], depth): cut_to_size(value[key], depth + 1) for key in list(value)[:100]}
    if isinstance(value, list):
        return [cut_to_size(item, depth + 1) for item in value[: MOST_ITEMS + 1]]
    return value
