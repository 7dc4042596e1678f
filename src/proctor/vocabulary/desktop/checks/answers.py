"""Checks on what the agent answered."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from proctor.tasks.answers.assertions import Assertions
from proctor.tasks.answers.objections import objections
from proctor.tasks.answers.subject import Subject
from proctor.tasks.answers.values import number_sought, sought
from proctor.tasks.findings import Finding, right, unless, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.tasks.words import loose

Words = Annotated[list[Annotated[str, Field(min_length=1)]], Field(min_length=1)]


@CHECKS.register
def answer_is(of: Seen, text: str) -> Finding:
    """The answer is this text; ignores case, spacing and punctuation at its ends."""
    same = _bare(of["text"]) == _bare(text)
    return right() if same else wrong(f"The answer is {of['text'][:200]!r}, expected {text!r}.")


@CHECKS.register
def answer_number(
    of: Seen,
    value: float,
    tolerance: Annotated[float, Field(ge=0)] = 0.0,
    names: list[str] | None = None,
    not_any_of: list[float] | None = None,
    about: list[Subject] | None = None,
    unit: str = "",
) -> Finding:
    """The answer asserts this number, and no other for the same thing, with any words around it.

    `names` may be repeated; their own numbers (such as in "Pier 7") are no answers. `about` says of what it is asked:
    numbers that are told of something else, as such, do no harm. Those in `not_any_of` are true of other things only.
    A number that is doubted, rounded or left open does not count, nor one in another `unit`, where that is a currency.
    """
    reading = Assertions(of["text"], names or (), about or ())
    wrong_ones = [number_sought(each) for each in not_any_of or ()]
    found = objections(reading, number_sought(value), false=wrong_ones, tolerance=tolerance, unit=unit)
    return unless(f"The answer is {of['text'][:200]!r}: it {each}" for each in found)


@CHECKS.register
def answer_has(
    of: Seen, words: Words, not_any_of: list[str] | None = None, about: list[Subject] | None = None
) -> Finding:
    """The answer asserts every one of these words or phrases, and none of those that would be wrong.

    They are found as whole words, whatever the case; numbers, times, days and dates in whichever usual way they are
    written, and no other one may be told for the same thing. `about` says of what it is asked: what is told of
    something else, as such, does no harm. What it denies, doubts or leaves open does not count.
    """
    reading = Assertions(of["text"], subjects=about or ())
    wanted, wrong_ones = [sought(word) for word in words], [sought(word) for word in not_any_of or ()]
    found = [
        f"The answer {each}"
        for one in wanted
        for each in objections(reading, one, beside=[other for other in wanted if other is not one], false=wrong_ones)
    ]
    told = {word for word in not_any_of or () if reading.tells(sought(word))}
    return unless([*found, *(f"The answer also says '{word}'." for word in not_any_of or () if word in told)])


def _bare(text: str) -> str:
    return loose(text).strip(" .,;:!?\"'`*")
