"""The part of a reply that answers: thoughts left out, and of one that never ends both ends."""

from __future__ import annotations

import re

MOST_START, MOST_END = 16_000, 64_000
"""Characters at both ends of a long reply that are looked at."""
_OPEN = re.compile(r"<(think|thinking|thought|reasoning)>", re.IGNORECASE)


def answer_part(reply: str) -> tuple[str, str]:
    """Return what of a reply may hold an answer, and why nothing does where nothing does."""
    if not reply.strip():
        return "", "the reply is empty"
    if len(reply) > MOST_START + MOST_END:
        reply = f"{reply[:MOST_START]}\n{reply[-MOST_END:]}"
    kept, begun = [], 0
    lowered = reply.lower()
    for match in _OPEN.finditer(reply):
        if match.start() < begun:
            continue
        kept.append(reply[begun : match.start()])
        end = lowered.find(f"</{match[1].lower()}>", match.end())
        if end < 0:
            rest = "".join(kept)
            return rest, "" if rest.strip() else "it ends in the middle of its reasoning"
        begun = end + len(match[1]) + 3
    kept.append(reply[begun:])
    rest = " ".join(kept)
    return rest, "" if rest.strip() else "it contains only reasoning"
