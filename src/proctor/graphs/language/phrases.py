"""Wordings of subtasks taken apart.

What stands fixed, where something is named, and how to find both in a text.

Whoever words a subtask lets `{source}` stand for a whole phrase, such as `the guest list` or `it`: `pack {source}`.
Where the wording says itself what it is (`the archive {archive}`) or names it (`save it as {archive}`), only the name
is put in. A wording begins with a word of its own, best with the verb, and differs from those of other subtasks in more
than its placeholders, unless these are of different kinds.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

from proctor.errors import SpecError
from proctor.graphs.compose.resource import kind_of
from proctor.graphs.compose.subtask import Subtask
from proctor.graphs.language.connectives import CLAUSE_END

Role = Literal["take", "give", "param"]

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_FILLED = r"""("[^"]*"|“[^”]*”|(?:[^"“”;,.\n]|\.(?=\S))+?(?: "[^"]*"| “[^”]*”)?)"""
_TOGETHER = r"(the two [\w \-]+?s)"
_IN_QUOTES = r"""([^"“”]*)"""

# After these a thing is called by its bare name: `save it as X`.
_NAMING = frozenset({"as", "named", "called", "titled", "entitled", "name", "title"})
_ARTICLES = frozenset({"a", "an", "the", "new", "one", "another"})
# A noun phrase does not reach back across these.
_BREAKS = frozenset(
    ("about", "after", "and", "at", "before", "below", "beside", "by", "for", "from", "in", "inside", "into", "like",
     "of", "off", "on", "onto", "or", "out", "over", "that", "to", "under", "until", "using", "with", "without")
)  # fmt: skip
_MOST_KEPT = 4096
_REACH = 5
"""How many words before a placeholder may belong to its noun phrase."""


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A placeholder of a wording."""

    slot: str
    role: Role
    kind: str = ""
    """Of a resource, what is taken or given there."""
    quoted: bool = False
    """Whether the wording has quotes around it."""
    titled: bool = False
    """Whether the wording says what it is, so that only its name follows: `the archive {archive}`."""
    article: bool = False
    """Whether an article stands right before it."""

    @property
    def single(self) -> bool:
        """Whether there is only one such thing, so that it needs no name."""
        return bool(self.kind) and kind_of(self.kind).slot

    def is_called(self, phrase: str) -> bool:
        """Tell whether a phrase is what the only thing of its kind is called."""
        return phrase.removeprefix("the ") == kind_of(self.kind).noun


@dataclass(frozen=True)
class Wording:
    """One wording of one subtask."""

    subtask: str
    text: str
    fixed: tuple[str, ...]
    """What stands before, between and after the placeholders."""
    parts: tuple[Placeholder, ...]
    pair: int | None = None
    """Where two things stand side by side that may be spoken of together, as `the two pictures`."""

    def fill(self, fillers: list[str]) -> str:
        """Return the wording with something in each place."""
        return "".join(fixed + filler for fixed, filler in zip(self.fixed, [*fillers, ""], strict=True))

    @cached_property
    def slots(self) -> frozenset[str]:
        """The placeholders that occur."""
        return frozenset(part.slot for part in self.parts)

    @cached_property
    def weight(self) -> int:
        """How many characters stand fixed; of two wordings that fit, the one with more says more."""
        return sum(map(len, self.fixed))

    @cached_property
    def first_word(self) -> str:
        """What it begins with, in small letters."""
        return re.split(r"\W", self.fixed[0].lower(), maxsplit=1)[0]

    @cached_property
    def verb_first(self) -> bool:
        """Whether it begins with what is to be done, so that `please` may stand in front."""
        return self.first_word not in _BREAKS

    @cached_property
    def it(self) -> str:
        """The placeholder for which `it` may stand: the first thing taken, unless another stands for it."""
        taken = [
            (part.slot, before) for part, before in zip(self.parts, self.fixed[:-1], strict=True) if part.role == "take"
        ]
        crowded = len(taken) > 1 and any(re.search(r"\bits?\b", fixed) for fixed in self.fixed)
        return "" if not taken or crowded or taken[0][1].endswith(" of ") else taken[0][0]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """What matches the wording with anything filled in, up to the end of the clause."""
        return self._pattern_for(None)

    @cached_property
    def pair_pattern(self) -> re.Pattern[str] | None:
        """What matches the wording with the two things of its pair spoken of together."""
        return None if self.pair is None else self._pattern_for(self.pair)

    def match(self, text: str, place: int = 0) -> Filled | None:
        """Return what stands in each place of the wording, if it stands at some place of a text."""
        found = self.pattern.match(text, place)
        if found is not None or self.pair_pattern is None:
            return found and Filled(self, found.group(), found.end(), found.groups())
        found = self.pair_pattern.match(text, place)
        if found is None or self.pair is None:
            return None
        phrases = list(found.groups())
        both = phrases[self.pair]
        phrases[self.pair : self.pair + 1] = [f"the first of {both}", f"the second of {both}"]
        return Filled(self, found.group(), found.end(), tuple(phrases))

    def _pattern_for(self, pair: int | None) -> re.Pattern[str]:
        head = self.fixed[0]
        start = f"[{head[0].upper()}{head[0].lower()}]{re.escape(head[1:])}" if head[:1].isalpha() else re.escape(head)
        rest = [
            (_IN_QUOTES if part.quoted else _FILLED) + re.escape(fixed)
            for part, fixed in zip(self.parts, self.fixed[1:], strict=True)
        ]
        if pair is not None:
            rest[pair : pair + 2] = [_TOGETHER + re.escape(self.fixed[pair + 2])]
        return re.compile(start + "".join(rest) + CLAUSE_END)


@dataclass(frozen=True, slots=True)
class Filled:
    """A wording found in a text."""

    wording: Wording
    text: str
    end: int
    phrases: tuple[str, ...]
    """What stands in each of its places."""
    app: str = ""
    """The application that the text names before it."""

    def __iter__(self) -> Iterator[tuple[Placeholder, str]]:
        """Yield each place with what stands there; names between quotes of the wording are quoted."""
        for part, phrase in zip(self.wording.parts, self.phrases, strict=True):
            yield part, f'"{phrase}"' if part.quoted and part.role != "param" else phrase


def _take_apart(subtask: Subtask, text: str) -> Wording:
    pieces = _PLACEHOLDER.split(text)
    fixed, slots = tuple(pieces[::2]), pieces[1::2]
    parts, said = [], ""
    for number, slot in enumerate(slots):
        said += fixed[number]
        parts.append(_part(subtask, slot, said, fixed[number + 1], " ".join(fixed)))
        said += "_"
    if any(brace in piece for piece in fixed for brace in "{}"):
        raise SpecError(
            f"the wording {text!r} of {subtask.name} has a stray brace", remedy="write placeholders as {name}"
        )
    sides = (
        number
        for number, (one, other) in enumerate(itertools.pairwise(parts))
        if {one.slot, other.slot} <= set(subtask.alike) and fixed[number + 1] == " and "
    )
    return Wording(subtask.name, text, fixed, tuple(parts), next(sides, None))


def _part(subtask: Subtask, slot: str, before: str, behind: str, whole: str) -> Placeholder:
    quoted = before[-1:] in ('"', "“") and behind[:1] in ('"', "”")
    if slot not in subtask.takes and slot not in subtask.gives:
        return Placeholder(slot, "param", quoted=quoted)
    words = before.lower().split()[-_REACH:]
    titled = quoted or (bool(words) and words[-1] in _NAMING)
    for word in reversed(words):
        if word in _BREAKS or word[-1] in ".,:;" or (word[-1] == "_" and word != "_"):
            break
        titled |= word in _ARTICLES
    role: Role = "take" if slot in subtask.takes else "give"
    kind = subtask.takes[slot] if role == "take" else subtask.gives[slot]
    # `export it as a PDF to {pdf}` has said already what it will be.
    titled |= role == "give" and re.search(rf"\b{re.escape(kind_of(kind).noun)}\b", whole) is not None
    return Placeholder(slot, role, kind, quoted, titled, bool(words) and words[-1] in _ARTICLES)


# Composing asks for the wordings of the same few subtasks thousands of times.


@lru_cache(maxsize=_MOST_KEPT)
def asks(subtask: Subtask) -> tuple[Wording, ...]:
    """Return the wordings in the imperative."""
    return tuple(_take_apart(subtask, text) for text in (*subtask.asks, *filter(None, [subtask.brief])))


@lru_cache(maxsize=_MOST_KEPT)
def shortest(subtask: Subtask) -> tuple[Wording, ...]:
    """Return the wording in as few words as will do."""
    return (asks(subtask)[-1],) if subtask.brief else fullest(subtask)


@lru_cache(maxsize=_MOST_KEPT)
def least_words(subtask: Subtask) -> int:
    """Return how many words it takes at least to ask for a subtask, a word to join it included."""
    return 1 + min((len(wording.text.split()) for wording in shortest(subtask)), default=0)


@lru_cache(maxsize=_MOST_KEPT)
def steps(subtask: Subtask) -> Wording:
    """Return the wording step by step."""
    return _take_apart(subtask, " ".join(subtask.steps))


@lru_cache(maxsize=_MOST_KEPT)
def needed_slots(subtask: Subtask) -> frozenset[str]:
    """Return the placeholders that some wording names; they must be said, the others are hidden."""
    return frozenset(part.slot for wording in asks(subtask) for part in wording.parts if not part.single)


@lru_cache(maxsize=_MOST_KEPT)
def fullest(subtask: Subtask) -> tuple[Wording, ...]:
    """Return the wordings that name whatever any wording names, or else those that name the most."""
    listed, wanted = asks(subtask), needed_slots(subtask)
    most = max(len(wording.slots & wanted) for wording in listed)
    return tuple(wording for wording in listed if len(wording.slots & wanted) == most)
