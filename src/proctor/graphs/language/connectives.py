"""The words that join the clauses of an instruction, and what each says about order.

`then`: after the clauses of the same sentence, or of the sentence before; `all`: after everything said so far; `free`:
in any order. The realiser writes them and the validator reads them, so that both mean the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

Link = Literal["then", "all", "free", "plain"]

LAST = ("Finally, ", "Last of all, ")
"""Leads after which nothing else comes."""

LEADS: Mapping[Link, tuple[str, ...]] = {
    "then": ("Then ", "After that, ", "Next, ", "Once that's done, ", "With that done, ", "When you have that, "),
    "all": ("Once all of this is done, ", "When all of that is done, ", *LAST),
    "free": ("Also ", "Besides that, ", "In addition, ", "Separately, ", "Apart from that, ", "I also need you to "),
    "plain": ("", "Please "),
}
"""How a sentence begins."""

JOINERS: Mapping[Link, tuple[str, ...]] = {
    "then": (", then ", " and then ", ", and after that, ", "; once that's done, "),
    "free": ("; also, ", "; in addition, ", ", and separately "),
}
"""How a clause follows another in the same sentence."""

AFTER = "Only after you "
"""Begins a sentence whose clause has to wait for others that were asked for before; these are named again."""
AND_AFTER = " and after you "

OPENINGS = (
    "This is about {title}.",
    "I'm helping out with {title}.",
    "There's a bit to do for {title}.",
    "{person} is organising {title} and needs a hand.",
    "{person} asked me for help with {title}.",
)
"""What may stand in front of everything."""

CLOSINGS = (
    "If one thing doesn't depend on another, the order is up to you.",
    "Anything that doesn't build on something else can be done in any order.",
    "Apart from what has to come first, do things in whatever order you like.",
)
"""What may stand at the end where some things are independent of others."""

IN_ORDER = ("Do this in the order given:", "Here's what to do, one thing after the other:")
"""Begins numbered parts each of which has to wait for the one before."""
IN_ANY_ORDER = (
    "Here's what to do, in any order, except that a part comes after any parts it mentions:",
    "These are the parts; if one mentions others, do those first, and otherwise pick any order:",
)
"""Begins numbered parts that say themselves what they wait for."""


def _either(texts: list[str]) -> str:
    return "|".join(re.escape(text) for text in sorted(texts, key=len, reverse=True) if text)


def _links_by_text(table: Mapping[Link, tuple[str, ...]]) -> dict[str, Link]:
    return {text: link for link, texts in table.items() for text in texts}


_TITLE = r"the [A-Z][\w'\-]*(?: [\w'\-]+){1,4}"
_PERSON = r"[A-Z][\w'\-]*(?: [A-Z][\w'\-]*){1,3}"
LEAD_LINKS = _links_by_text(LEADS)
JOINER_LINKS = _links_by_text(JOINERS)
LEAD = re.compile(_either(list(LEAD_LINKS)))
JOINER = re.compile(_either(list(JOINER_LINKS)))
FRAME = re.compile(
    "(?:"
    + "|".join(
        re.escape(text).replace(r"\{title\}", _TITLE).replace(r"\{person\}", _PERSON) for text in (*OPENINGS, *CLOSINGS)
    )
    + r")(?=\s|$)"
)
"""A sentence that asks for nothing."""

CLAUSE_END = r"(?=\.(?:\s|$)|;|,\s|\sand then\s|\sand after you\s|$)"
"""What follows a clause, whatever comes next."""
NEXT_SENTENCE = re.compile(r"[.!?]\s+(?=[A-Z])")
