"""Why a text does not give something as its answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import cast

from proctor.tasks.answers import moods
from proctor.tasks.answers.assertions import MOST_OTHERS, Assertions, Claim, own_words
from proctor.tasks.answers.mention import Kind, Mention
from proctor.tasks.answers.numbers import CURRENCIES
from proctor.tasks.answers.sums import add_up
from proctor.tasks.answers.values import Sought, is_meant

ROUND_ENOUGH = 0.01
"""A check that tolerates this share of a number takes a rounded one."""
_EITHER = re.compile(r"\beither\s(?:\w+\s){0,2}[€$£+]?$", re.IGNORECASE)
_ITEMIZES = re.compile(r"\w[:(]\s?[^)]*\d", re.IGNORECASE)
"""Five books: 3 of hers and 2 of his."""
_IN_WORDS = re.compile(r"\b(?:from|open\w*|hours|start\w*|daily|between|begin\w*)\b", re.IGNORECASE)


def objections(
    reading: Assertions,
    wanted: Sought,
    *,
    beside: Sequence[Sought] = (),
    false: Sequence[Sought] = (),
    tolerance: float = 0.0,
    unit: str = "",
) -> list[str]:
    """Return why a text does not give something as its answer; to be put behind "The answer".

    Args:
        reading: The text.
        wanted: What it should give.
        beside: What else it should give: no alternatives.
        false: What is true of other things only.
        tolerance: How far a number may be off.
        unit: What a number is of; another unit is another thing, and none is this one.
    """
    if wanted.kind in ("yes", "no"):
        return _polarity(reading, wanted)
    label = repr(wanted.phrase)
    if reading.names_too_many(wanted):
        return [f"names far too many other values besides {label}."]
    claims = [claim for claim in reading.answers_to(wanted, tolerance) if not _other_unit(claim, unit)]
    ours = [claim for claim in claims if reading.of(claim) != "other"]
    plainly = [claim for claim in ours if claim.holds]
    rounded = [claim for claim in ours if claim.rounded and not _may_be_round(wanted, tolerance)]
    if not claims or (not plainly and not ours):
        return [f"says {label} of something else."] if claims else [f"does not say {label}."]
    if rounded or any(claim.doubted for claim in ours) or reading.reservation:
        return [f"says {label} with a reservation."]
    if not plainly:
        return [f"does not say {label}: it denies, asks or only works with it."]
    if any(claim.denied for claim in ours):
        return [f"says {label} and denies it."]
    others = [claim for claim in claims if reading.of(claim) == "other" and claim.holds]
    if others and false and not any(_same(wanted, each) for each in false):
        return [f"also says {label} of other things."]
    if reading.choice or _is_offered(reading, plainly, [wanted, *beside], tolerance):
        return [f"offers others besides {label}."]
    return _rivals(reading, wanted, plainly, beside, false, tolerance)


def _rivals(
    reading: Assertions,
    wanted: Sought,
    plainly: list[Claim],
    beside: Sequence[Sought],
    false: Sequence[Sought],
    tolerance: float,
) -> list[str]:
    """Return an objection where other values are told for the same thing, or too many besides."""
    label = repr(wanted.phrase)
    if wanted.kind == "words":
        return []
    read_otherwise = {
        claim.place for each in beside if each.kind != wanted.kind for claim in reading.answers_to(each) if claim.value
    }
    told = [
        claim
        for claim in reading.claims(cast(Kind, wanted.kind))
        if claim.place not in read_otherwise
        and not any(_means(claim, each, tolerance) for each in (wanted, *beside))
        and not _is_by_the_way(reading, claim, plainly)
    ]
    rivals = [
        claim
        for claim in told
        if any(_means(claim, each, tolerance) for each in false) or _is_rival(reading, claim, plainly)
    ]
    if (
        wanted.kind == "number"
        and rivals
        and any(_is_worked_out(reading, wanted, parts, tolerance) for parts in (rivals, told))
    ):
        rivals = []
    if rivals or (wanted.kind == "number" and _adds(plainly)):
        return [f"names others besides {label}."]
    return [] if len(told) <= MOST_OTHERS else [f"names too many other values besides {label}."]


def _is_worked_out(reading: Assertions, wanted: Sought, parts: list[Claim], tolerance: float) -> bool:
    """Tell whether a text works the right number out of some others."""
    values = [claim.value for claim in parts if claim.value and not claim.doubted]
    told = len(reading.sentences) > 2 or any(
        moods.WORKS_OUT.search(each.text) or _ITEMIZES.search(each.text) for each in reading.sentences
    )
    return told and len(values) == len(parts) and add_up(values, cast(float, wanted.meant), tolerance)


def _is_by_the_way(reading: Assertions, claim: Claim, plainly: list[Claim]) -> bool:
    """Tell whether a value is told by the way: which row it was, from when, of another thing."""
    value = claim.value
    if value is None or value.aside or claim.term or claim.denied or reading.of(claim) == "other":
        return True
    span = reading.span_of(claim)
    if value.kind == "time" and span is not None:
        since, until = span
        if claim is since:
            return until in plainly
        return since in plainly and _IN_WORDS.search(claim.sentence.text[: since.place[0]]) is not None
    return False


def _is_rival(reading: Assertions, claim: Claim, plainly: list[Claim]) -> bool:
    """Tell whether a value is told for the same thing, in its unit and with no words of its own."""
    value = cast(Mention, claim.value)
    units = {right.value.unit for right in plainly if right.value}
    named = any(subject.labels(value.unit) for subject in reading.subjects)
    if value.unit not in units and (("%" in units) or (value.unit not in CURRENCIES and value.unit and not named)):
        return False
    if reading.of(claim) == "this":
        return True
    if value.unit and units - {""} and value.unit not in units:
        return True
    said = set().union(*(own_words(right) for right in plainly))
    return not (own_words(claim) - said - units)


def _is_offered(reading: Assertions, plainly: list[Claim], wanted: Sequence[Sought], tolerance: float) -> bool:
    """Tell whether something else is offered: this or that, from this to that."""
    for claim in plainly[:MOST_OTHERS]:
        in_words = claim.value is None or claim not in reading.claims(claim.value.kind)
        if in_words and _has_or_beside(claim):
            return True
        if in_words or claim.value is None or claim.value.aside:
            continue
        if _EITHER.search(claim.sentence.text[: claim.place[0]][-30:]):
            return True
        row = [
            each
            for each in reading.claims(claim.value.kind)
            if each.sentence is claim.sentence and each.value and not each.value.aside
        ]
        at = row.index(claim)
        for first, second in _neighbours(row, at):
            beside = second if first is claim else first
            same = any(_means(beside, each, tolerance) for each in wanted)
            between = claim.sentence.text[first.place[1] : second.place[0]]
            if _chooses(between) and not _means(beside, wanted[0], tolerance):
                return True
            if not same and _spans(claim, first, between) and not beside.denied:
                return True
    return False


def _neighbours(row: list[Claim], at: int) -> list[tuple[Claim, Claim]]:
    return [pair for pair in zip(row, row[1:], strict=False) if row[at] in pair]


def _chooses(between: str) -> bool:
    return len(between) < 60 and moods.CHOOSES_BETWEEN.search(between) is not None and "but" not in between.split()


def _spans(claim: Claim, first: Claim, between: str) -> bool:
    """Tell whether two values are the ends of a span; hours of opening are none."""
    before = claim.sentence.text[: first.place[0]]
    value = cast(Mention, claim.value)
    if value.kind == "time":
        return moods.ENDS_BETWEEN.search(before) is not None
    joined = moods.SPAN.fullmatch(between) is not None
    return joined or (moods.BETWEEN.search(before) is not None and between.strip().split()[-1:] == ["and"])


def _has_or_beside(claim: Claim) -> bool:
    """Tell whether `or` stands next to words."""
    text = claim.sentence.text
    before, after = text[: claim.place[0]][-30:], text[claim.place[1] :][:30]
    return (
        re.search(r"\bor\s(?:\w+\s){0,1}$|\beither\s(?:\w+\s){0,2}$", before, re.IGNORECASE) is not None
        or re.match(r"\s?,?\s?(?:\w+\s)?or\b(?! so\b| rather\b)|\s?/\s?\w", after, re.IGNORECASE) is not None
    )


def _adds(plainly: Iterable[Claim]) -> bool:
    """Tell whether something comes on top of what is named."""
    for claim in plainly:
        after, before = claim.sentence.text[claim.place[1] :], claim.sentence.text[: claim.place[0]]
        if moods.ADDS.search(after) or moods.ADDS_BEFORE.search(before[-40:]):
            return True
    return False


def _polarity(reading: Assertions, wanted: Sought) -> list[str]:
    """Return what is wrong with an answer that should be yes or no."""
    said: set[str] = set()
    for sentence in (each for each in reading.sentences if not each.asks):
        pieces = [sentence.text[start:end].strip(" ,\"'") for start, end in sentence.pieces]
        for number, piece in enumerate(pieces):
            if moods.NO.search(piece) and not moods.NO_DENIAL.match(piece):
                said.add("no")
            elif moods.YES.search(re.sub(r"^and ", "", piece)) and not (number and piece.lower() == "right"):
                said.add("yes")
            elif piece.lower() in ("and no", "or no", "yes and no"):
                said |= {"yes", "no"}
    if not said:
        said = reading.polarity()
    if reading.reservation or reading.doubted or reading.choice:
        return [
            f"says {wanted.phrase!r} with a reservation." if wanted.kind in said else f"does not say {wanted.phrase!r}."
        ]
    if said != {wanted.kind}:
        return [f"does not say {wanted.phrase!r}." if wanted.kind not in said else "says both yes and no."]
    return []


def _means(claim: Claim, wanted: Sought, tolerance: float) -> bool:
    value = claim.value
    return value is not None and value.kind == wanted.kind and is_meant(value, wanted, tolerance)


def _same(one: Sought, other: Sought) -> bool:
    return one.kind == other.kind and one.meant == other.meant


def _other_unit(claim: Claim, unit: str) -> bool:
    return bool(
        unit and claim.value and claim.value.unit and claim.value.unit != unit and claim.value.unit in CURRENCIES
    )


def _may_be_round(wanted: Sought, tolerance: float) -> bool:
    return wanted.kind == "number" and tolerance >= ROUND_ENOUGH * abs(cast(float, wanted.meant)) > 0
