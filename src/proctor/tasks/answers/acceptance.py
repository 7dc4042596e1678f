"""What of an offer a letter accepts: not what it declines, and not what it only repeats."""

from __future__ import annotations

import re
from collections.abc import Iterable

from proctor.tasks.answers import moods
from proctor.tasks.answers.assertions import Assertions
from proctor.tasks.answers.sentences import months_named, without_numbering
from proctor.tasks.answers.values import mentions, sought
from proctor.tasks.words import plain

_CLAUSE = re.compile(
    r"(?<!\d)[.,;:!?](?!\d)|(?<=\d)[.,;:!?](?=\s|$)|\n|\)|\s-\s|"
    r"(\(|(?<!\w)(?:because|but|since|so|therefore|though|whereas|while)(?!\w))",
    re.IGNORECASE,
)
"""Where a clause ends; what is in brackets here begins something of its own."""
_AGAINST = re.compile(rf"(?:{moods.INSTEAD.pattern}|(?<!\w)over(?!\w))[^,;:()]*", re.IGNORECASE)
_FREE = r"(?:chance|free|gap|hour|minute|moment|opening|open|possibility|preference|slot|spot|time|window)"
_ENGAGED = re.compile(
    r"(?<!\w)(?:(?:(?:I|we)(?: have|'ve)(?: already| also| got)* an?(?:other)?|"
    r"(?:I am|I'm|we are|we're)(?: already| also)* (?:in|at) an?(?:other)?|"
    rf"on (?:mon|tues|wednes|thurs|fri|satur|sun)day an?) (?!{_FREE})\w|(?:in|at) (?:other )?meetings(?!\w)|"
    r"(?:I am|I'm|we are|we're|I will be|I'll be|and|be) (?:off|(?-i:in [A-Z]\w+)) )",
    re.IGNORECASE,
)
"""I have an audit on Tuesday, and on Friday a training: that is said of days on which there is no time."""
_WHEN = re.compile(
    r"(?:\W|\d|(?<![^\W\d])(?:[ap]m|and|or|on|at|the|to|both|from|until|of|st|nd|rd|th|o'clock|morning|afternoon|evening|"
    r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)"
    r"(?![^\W\d]))*",
    re.IGNORECASE,
)
"""A clause that names nothing but days and times; what is said of them follows."""
_ONLY = re.compile(r"(?<!\w)only(?!\w)", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<!\d)[.;!?](?!\d)|(?<=\d)[.;!?](?=\s|$)")
_OF_THESE = re.compile(r"^\s*(?:out )?of\W.{1,120}?,\s*(?=only\b)", re.IGNORECASE)
_REPEATING = re.compile(r"(?<!\w)(?:thank\w*|suggest\w*|propos\w*|offer\w*)(?!\w)", re.IGNORECASE)


def not_accepted(text: str, wanted: Iterable[str]) -> list[str]:
    """Return what a letter does not accept, or not for good; `a|b` are ways to name one thing."""
    reading, taken = Assertions(text), accepted_part(text)
    if reading.reservation or reading.choice:
        return list(wanted)
    return [names for names in wanted if not any(_is_taken(reading, taken, name) for name in names.split("|"))]


def _is_taken(reading: Assertions, taken: str, name: str) -> bool:
    """Tell whether a name of something stands in what is accepted, and nowhere in doubt."""
    claims = reading.answers_to(sought(name))
    return mentions(taken, name) and not any(claim.doubted or claim.asked for claim in claims)


def accepted_part(text: str) -> str:
    """Return what a text states, without what it denies, declines or only repeats of an offer."""
    lines = (months_named(plain(line)) for line in without_numbering(text).splitlines())
    sentences = (_OF_THESE.sub("", each) for line in lines for each in _SENTENCE.split(line))
    stated = (each for each in sentences if moods.ACCEPTS.search(each) or not _REPEATING.search(each))
    return " ;\n".join(
        clause for sentence in stated for clause in _clauses_not_denied(moods.NO_DENIAL.sub("fine", sentence))
    )


def _clauses_not_denied(sentence: str) -> list[str]:
    """Return the clauses of a sentence that deny nothing."""
    # Days and times share the lot of what they lead to or end.
    kept: list[str] = []
    named: list[str] = []
    denied = False
    for number, clause in enumerate(_CLAUSE.split(_AGAINST.sub("", sentence))):
        if number % 2:  # what ends the clause before
            kept, named = (kept + named, []) if clause else (kept, named)
        elif _WHEN.fullmatch(clause):
            named.append(clause)
        else:
            denied = _denies(clause)
            kept += [] if denied else [*named, clause]
            named = []
    return kept if denied else kept + named


def _denies(clause: str) -> bool:
    if _ONLY.search(clause):
        return False
    engaged = _ENGAGED.search(clause) is not None and not moods.ACCEPTS.search(clause)
    return engaged or moods.DECLINES.search(clause) is not None
