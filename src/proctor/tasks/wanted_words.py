"""How checks look for words in what people wrote, and for what they state with them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from proctor.tasks.wording import mentions, plain

_CLAUSE = re.compile(
    r"(?<!\d)[.,;!?](?!\d)|(?<=\d)[.,;!?](?=\s|$)|\n|(?<!\w)(?:but|while|whereas|though|instead of)(?!\w)"
)
_DENIAL = re.compile(
    r"(?<!\w)(?:not|no|never|neither|nor|none|without|unfortunately|sorry|busy|taken|booked|occupied|unavailable|"
    r"instead of|rather than|\w+n't|cannot|can not|declin\w+|conflict\w*|clash\w*|unable)(?!\w)",
    re.IGNORECASE,
)


def missing_words(text: str, wanted: Iterable[str]) -> list[str]:
    """Return what a text does not say, as `mentions` finds it; `a|b` means either."""
    return [words for words in wanted if not any(mentions(text, choice) for choice in words.split("|"))]


def affirmed(text: str) -> str:
    """Return what a text states, without the clauses that deny or decline something."""
    lines = (plain(line) for line in text.splitlines())
    clauses = (clause for line in lines for clause in _CLAUSE.split(line))
    return "\n".join(clause for clause in clauses if not _DENIAL.search(clause))
