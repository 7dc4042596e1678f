"""JSON as people write it: comments and stray commas are left out; every line stays in its place."""

from __future__ import annotations

import re

_PIECE = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*|\s+|[^"/,\s\]}]+|.', re.DOTALL)
"""A string, a comment to the end of its line, the beginning of a longer one, blanks, or anything else."""
_BREAKS = re.compile(r"[^\n]")


def without_comments(text: str) -> str:
    """Return a text with comments and stray commas made blank; every line stays where it is."""
    kept: list[str] = []
    place, comma = 0, -1
    while match := _PIECE.match(text, place):
        piece, place = match[0], match.end()
        if piece == "/*":
            end = text.find("*/", place)
            place = len(text) if end < 0 else end + 2
            piece = text[match.start() : place]
        if piece.startswith(("//", "/*")):
            piece = _BREAKS.sub(" ", piece)
        elif piece in ("]", "}") and comma >= 0:
            kept[comma] = " "
        if not piece.isspace():
            comma = len(kept) if piece == "," else -1
        kept.append(piece)
    return "".join(kept)
