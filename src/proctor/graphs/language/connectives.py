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
    "then": ("Then ", "After that, ", "Next, ", "Once that is done, ", "With that done, ", "When you have that, "),
    "all": ("Once all of this is done, ", "When everything so far is done, ", *LAST),
    "free": ("Also ", "Besides that, ", "In addition, ", "Separately, ", "Apart from that, ", "I also need you to "),
    "plain": ("", "Please "),
}
"""How a sentence begins."""

JOINERS: Mapping[Link, tuple[str, ...]] = {
    "then": (", then ", " and then ", ", and after that, ", "; once that is done, "),
    "free": ("; also, ", "; in addition, ", ", and separately "),
}
"""How a clause follows another in the same sentence."""

AFTER = "Only after you "
"""Begins a sentence whose clause has to wait for others that were asked for before; these are named again."""
AND_AFTER = " and after you "

OPENINGS = (
    "This is about {title}.",
    "I am getting {title} ready.",
    "There is some work to do for {title}.",
    "{person} is organising {title} and needs a hand.",
    "{person} has asked for help with {title}.",
)
"""What may stand in front of everything."""

CLOSINGS = (
    "Where one thing does not need another, the order is up to you.",
    "What does not build on something else can be done in any order.",
    "Apart from what has to come first, do it in whatever order you like.",
)
"""What may stand at the end where some things are independent of others."""

IN_ORDER = ("Do this in the order given:", "Here is what to do, one thing after the other:")
"""Begins numbered parts each of which has to wait for the one before."""
IN_ANY_ORDER = (
    "Here is what to do; a part waits only for the parts it names:",
    "These are the parts; where one names others, do those first, and otherwise choose any order:",
)
"""Begins numbered parts that say themselves what they wait for."""


def _either(texts: list[str]) -> str:
    return "|".join(re.escape(text) for text in sorted(texts, key=len, reverse=True) if text)


def _said(table: Mapping[Link, tuple[str, ...]]) -> dict[str, Link]:
    return {text: link for link, texts in table.items() for text in texts}


_TITLE = r"the [A-Z][\w'\-]*(?: [\w'\-]+){1,4}"
_PERSON = r"[A-Z][\w'\-]*(?: [A-Z][\w'\-]*){1,3}"
LEAD_LINKS = _said(LEADS)
JOINER_LINKS = _said(JOINERS)
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
