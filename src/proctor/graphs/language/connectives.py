"""The words that join the clauses of an instruction, and what each says about order.

`then`: after the clauses of the same sentence, or of the sentence before; `all`: after everything said so far; `free`:
in any order. The realiser writes them and the validator reads them, so that both mean the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Link = Literal["then", "all", "free", "plain"]

LAST = ("Finally, ", "Last of all, ")
"""Leads after which nothing else comes."""

LEADS: Mapping[Link, tuple[str, ...]] = {
    "then": ("Then ", "After that, ", "Next, ", "Once that's done, "),
    "all": ("After all that, ", "Once all of this is done, ", *LAST),
    "free": ("Also ", "Besides that, ", "Separately, ", "Please also "),
    "plain": ("", "Please "),
}
"""How a sentence begins."""

JOINERS: Mapping[Link, tuple[str, ...]] = {
    "then": (", then ", " and then ", ", and after that, "),
    "free": ("; also, ", ", and separately "),
}
"""How a clause follows another in the same sentence."""

AFTER = "Only after you "
"""Begins a sentence whose clause has to wait for others that were asked for before; these are named again."""
AND_AFTER = " and after you "


@dataclass(frozen=True, slots=True)
class Register:
    """A way to put things: how it begins and ends, which words join, and how many words it takes."""

    openings: tuple[str, ...]
    """What may stand in front of everything; `` for nothing."""
    closings: tuple[str, ...]
    """What stands at the end where some things are independent of others and nothing else says so."""
    farewells: tuple[str, ...]
    """What may stand at the very end."""
    leads: Mapping[Link, tuple[str, ...]]
    joiners: Mapping[Link, tuple[str, ...]]
    brief: float
    """How often the shortest wording is taken."""
    linked: float
    """How often a word joins what does not depend on what stands before."""
    bare: bool = False
    """Whether files are called by their paths alone."""


_TERSE_LEADS: Mapping[Link, tuple[str, ...]] = {
    "then": ("Then ", "Next, "),
    "all": ("After all that, ", *LAST),
    "free": ("Also ", "Separately, "),
    "plain": ("",),
}
_TERSE_JOINERS: Mapping[Link, tuple[str, ...]] = {"then": (", then ", " and then "), "free": ("; also, ",)}

REGISTERS = {
    "terse": Register(
        ("", "For {title}:"), ("Otherwise in any order.",), ("",), _TERSE_LEADS, _TERSE_JOINERS, 1.0, 0.3, bare=True
    ),
    "friendly": Register(
        ("Could you help me with {title}?", "I could use a hand with {title}.", "I'm busy with {title}."),
        ("The rest can be done in any order.",),
        ("", "Thanks!", "Thank you!"),
        LEADS,
        JOINERS,
        1.0,
        0.7,
    ),
    "detailed": Register(
        ("This is about {title}.", "{person} asked me for help with {title}.", "What it is for: {purpose}"),
        ("If one thing doesn't depend on another, the order is up to you.",),
        ("",),
        LEADS,
        JOINERS,
        0.75,
        0.7,
    ),
}
"""How requests are put."""

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
_PURPOSE = r"[^.\n]+\."
FRAME = re.compile(
    "(?:"
    + "|".join(
        re.escape(text).replace(r"\{title\}", _TITLE).replace(r"\{person\}", _PERSON).replace(r"\{purpose\}", _PURPOSE)
        for register in REGISTERS.values()
        for text in (*register.openings, *register.closings, *register.farewells)
        if text
    )
    + r")(?=\s|$)"
)
"""A sentence that asks for nothing."""

CLAUSE_END = r"(?=\.(?:\s|$)|;|,\s|\sand then\s|\sand after you\s|$)"
"""What follows a clause, whatever comes next."""
NEXT_SENTENCE = re.compile(r"[.!?]\s+(?=[A-Z])")
