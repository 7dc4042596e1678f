"""Sums that a text works out: what stands before the result is no answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import cast

from proctor.tasks.answers.mention import Mention

_OPERATOR = re.compile(
    r"\s?(?:[^\W\d_]{1,20}\s)?[€$£%]?\s?(?P<sign>[-+*/x×÷−]|plus|minus|times|less)\s?[€$£]?\s?", re.IGNORECASE
)
_CLEAR = re.compile(r"[+*×÷x]|plus|times|minus", re.IGNORECASE)
_RESULT = re.compile(
    r"\s?(?:[^\W\d_]{1,20}\s?)?[€$£%)]?\s?(?:=|≈|→|->|is|are|makes?|gives?|equals?|comes? to|totals?|leaves?)"
    r"\s?[€$£~]?\s?(?:exactly\s)?",
    re.IGNORECASE,
)


def terms_in(text: str, values: Sequence[Mention]) -> set[Mention]:
    """Return the values of a sentence that a sum is made of: those joined by signs, up to its result."""
    found: set[Mention] = set()
    chain: list[Mention] = []
    clear = False
    for value, after in zip(values, [*values[1:], None][: len(values)], strict=True):
        chain.append(value)
        between = text[value.end : after.start] if after is not None and after.start - value.end < 60 else ""
        sign = _OPERATOR.fullmatch(between) if after is not None else None
        if sign:
            clear = clear or _CLEAR.search(sign["sign"]) is not None
            continue
        leads = after is not None and _RESULT.fullmatch(between) is not None
        if len(chain) > 1 and (clear or (leads and "=" in between)):
            found |= set(chain)
        chain, clear = [], False
    return found


def add_up(parts: Iterable[Mention], wanted: float, tolerance: float) -> bool:
    """Tell whether some values are what a result was worked out from: all together, or two of them."""
    amounts = [cast(float, next(iter(part.meant))) for part in parts]
    near = tolerance + 1e-6
    if len(amounts) > 1 and abs(sum(amounts) - wanted) <= near:
        return True
    return len(amounts) <= 4 and any(
        abs(result - wanted) <= near
        for one, other in combinations(amounts, 2)
        for result in (one + other, one - other, other - one, one * other)
    )
