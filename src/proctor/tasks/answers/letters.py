"""What a letter tells besides: how many there are of what, and facts that are made up."""

from __future__ import annotations

import re
from collections.abc import Mapping

from proctor.tasks.answers.assertions import Assertions, Claim
from proctor.tasks.answers.mention import Kind
from proctor.tasks.answers.subject import Subject
from proctor.tasks.answers.values import Sought, is_meant, mentions, number_sought

_FACTS: tuple[Kind, ...] = ("date", "time", "weekday", "number")
_CODE = re.compile(r"(?<!\w)(?=\w{0,30}\d)(?=\w{0,30}[^\W\d_])\w{3,30}(?!\w)")


def wrong_counts(text: str, counts: Mapping[str, int]) -> list[str]:
    """Return of what a text tells another number than there is; `a|b` are words for one thing."""
    found = []
    for words, number in counts.items():
        others = tuple(word for each in counts if each != words for word in each.split("|"))
        reading = Assertions(text, subjects=[Subject(words=tuple(words.split("|")), others=others)])
        wanted = number_sought(number)
        told = [claim for claim in reading.claims("number") if _counts(claim) and reading.of(claim) == "this"]
        stated = [claim for claim in told if not claim.denied]
        if any(_is(claim, wanted) for claim in told if claim.denied) or (
            stated and not any(_is(claim, wanted) for claim in stated)
        ):
            found.append(words)
    return found


def made_up_facts(own: str, passed_on: str) -> list[str]:
    """Return the figures, times, days and codes that what somebody passes on does not bear out."""
    reading = Assertions(own)
    known = Assertions(passed_on)
    found = [code for code in _CODE.findall(own) if not mentions(passed_on, code) and not _reads_as_value(code)]
    for kind in _FACTS:
        for claim in reading.claims(kind):
            told = claim.value
            if (
                told
                and not told.aside
                and not any(told.meant & each.value.meant for each in known.claims(kind) if each.value)
            ):
                found.append(claim.sentence.text[told.start : told.end])
    return found


def _counts(claim: Claim) -> bool:
    return claim.value is not None and not claim.value.aside and not claim.term


def _is(claim: Claim, wanted: Sought) -> bool:
    return claim.value is not None and is_meant(claim.value, wanted)


def _reads_as_value(code: str) -> bool:
    return any(Assertions(code).claims(kind) for kind in _FACTS)
