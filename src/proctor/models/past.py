"""What a model is told of turns that it is no longer shown: a line for each, and not too many."""

from __future__ import annotations

from collections.abc import Sequence

MOST_CHARS = 20_000
"""Characters of all lines; the oldest are counted instead of shown."""


def bounded_lines(lines: Sequence[str]) -> str:
    """Return lines as one text of bounded length: what does not fit is counted, not forgotten."""
    kept: list[str] = []
    room = MOST_CHARS
    for line in reversed(lines):
        room -= len(line) + 1
        if room < 0:
            kept.append(f"({len(lines) - len(kept)} earlier lines are left out.)")
            break
        kept.append(line)
    return "\n".join(reversed(kept))
