"""Figures against other ways to work them out, and against values done by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.offline.metrics import (
    brier,
    calibration_error,
    edit_distance,
    normalised_distance,
    per_action,
)
from proctor.report.agreement import Confusion


def recursive(first: str, second: str) -> int:
    """Levenshtein's distance as it is defined."""

    @cache
    def left(i: int, j: int) -> int:
        if not i or not j:
            return i or j
        same = first[i - 1] == second[j - 1]
        return min(left(i - 1, j) + 1, left(i, j - 1) + 1, left(i - 1, j - 1) + (not same))

    return left(len(first), len(second))


@given(st.text("abc", max_size=9), st.text("abc", max_size=9))
def test_edit_distance_is_what_its_definition_says(first: str, second: str) -> None:
    assert edit_distance(first, second) == recursive(first, second) == edit_distance(second, first)


def test_edit_distance_by_hand() -> None:
    assert edit_distance("kitten", "sitting") == 3
    assert edit_distance(["click", "type"], ["click"]) == 1
    assert edit_distance([], ["a", "b"]) == 2
    assert normalised_distance("kitten", "sitting") == pytest.approx(3 / 7)
    assert normalised_distance([], []) == 0


def counted(truths: Sequence[bool], said: Sequence[bool], truth: bool, answer: bool) -> int:
    return sum(a is truth and b is answer for a, b in zip(truths, said, strict=True))


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60))
def test_confusion_agrees_with_the_definitions(pairs: list[tuple[bool, bool]]) -> None:
    truths, said = [truth for truth, _ in pairs], [answer for _, answer in pairs]
    found = Confusion.of(truths, said)
    assert found.accuracy == pytest.approx(sum(a == b for a, b in pairs) / len(pairs))
    positive, called = truths.count(True), said.count(True)
    both = counted(truths, said, True, True)
    assert found.recall == pytest.approx(both / positive, nan_ok=True) if positive else math.isnan(found.recall)
    assert found.precision == pytest.approx(both / called) if called else math.isnan(found.precision)
    if both:
        assert found.f1 == pytest.approx(2 / (1 / found.precision + 1 / found.recall))


def test_kappa_by_hand() -> None:
    # The worked example of many textbooks: 20 and 15 agreed, 5 and 10 not; kappa 0.4.
    assert Confusion(tp=20, fn=5, fp=10, tn=15).kappa == pytest.approx(0.4)
    assert Confusion(tp=5, tn=5).kappa == 1
    assert Confusion(tp=25, fp=25, fn=25, tn=25).kappa == 0
    assert math.isnan(Confusion(tp=5).kappa)


def test_who_always_says_the_same_is_no_better_than_chance() -> None:
    found = Confusion.of([True] * 9 + [False], [True] * 10)
    assert (found.accuracy, found.balanced_accuracy, found.kappa) == (0.9, 0.5, 0)
    # Nothing called a success: no division by zero.
    assert Confusion.of([True, False], [False, False]).f1 == 0


def test_calibration() -> None:
    assert brier([True, False], [1.0, 0.0]) == 0
    assert brier([True, False], [0.5, 0.5]) == 0.25
    assert calibration_error([True, True, False, False], [0.5] * 4) == 0
    assert calibration_error([False] * 4, [1.0] * 4) == 1
    assert calibration_error([True, False], [0.95, 0.15]) == pytest.approx(0.1)


def test_actions_place_by_place() -> None:
    found = {each.action: each for each in per_action([["click", "type"], ["click"]], [["click", "click"], []])}
    assert (found["click"].precision, found["click"].recall, found["click"].times) == (0.5, 0.5, 2)
    assert (math.isnan(found["type"].precision), found["type"].recall) == (True, 0)
