"""A check says of what is wrong as much as people read, and counts the rest."""

from __future__ import annotations

from typing import Any, cast

import pytest

from proctor.tasks.call import Call
from proctor.tasks.evaluate import MOST_CHARACTERS, MOST_SAID, evaluate
from proctor.tasks.findings import Finding, wrong
from proctor.tasks.shelf import ShelfTool


class Saying:
    """A check that says these sentences."""

    sees_faults = False

    def __init__(self, *sentences: str) -> None:
        self.sentences = sentences

    def prepare(self, seen: dict[str, Any]) -> dict[str, Any]:
        return seen

    def function(self) -> Finding:
        return wrong(*self.sentences)


def said(*sentences: str) -> tuple[str, ...]:
    check = Call("check", "saying", {})
    return evaluate(check, lambda _: None, lambda _: cast(ShelfTool, Saying(*sentences))).feedback


@pytest.mark.parametrize("number", [1, 2, MOST_SAID])
def test_a_few_mismatches_are_all_said(number: int) -> None:
    sentences = tuple(f"Row {row} is wrong." for row in range(number))
    assert said(*sentences) == sentences


@pytest.mark.parametrize("number", [MOST_SAID + 1, 5_000])
def test_of_many_the_first_few_are_said_and_the_rest_counted(number: int) -> None:
    told = said(*(f"Row {row} is wrong." for row in range(number)))
    assert told[0] == "Row 0 is wrong."
    assert told[-1] == f"And {number - MOST_SAID:,} more that are wrong."
    assert len(told) == MOST_SAID + 1


def test_a_long_sentence_is_cut() -> None:
    (told,) = said("x" * 10_000)
    assert len(told) == MOST_CHARACTERS + len("...")
