"""How far annotators agree: kappas against scikit-learn's, boxes matched each at most once."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from proctor.studio.annotate.agreement import agreement, cohen, differs, fleiss, iou, match

ANSWERS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=2, max_size=30)
CORNERS = st.tuples(*[st.integers(0, 50)] * 4).map(
    lambda c: [min(c[0], c[2]), min(c[1], c[3]), max(c[0], c[2]) + 1, max(c[1], c[3]) + 1]
)


def box(*corners: float, **more: Any) -> dict[str, Any]:
    return {"id": "b", "box": list(corners), "instruction": "x", "role": "", "ambiguous": False, **more}


@given(ANSWERS)
def test_cohens_kappa_is_that_of_scikit_learn(answers: list[tuple[str, str]]) -> None:
    first, second = [a for a, _ in answers], [b for _, b in answers]
    assume(len({*first, *second}) > 1)
    assert cohen(first, second) == pytest.approx(cohen_kappa_score(first, second))


def test_what_chance_explains_has_no_kappa() -> None:
    assert math.isnan(cohen(["a", "a"], ["a", "a"]))
    assert math.isnan(cohen([], []))
    assert math.isnan(fleiss([["a"], ["b"]]))


def test_fleiss_kappa_of_the_textbook() -> None:
    # Fourteen raters, ten subjects, five categories: the example that is in every text on it, kappa 0.210.
    counts = [
        (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
        (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
    ]  # fmt: skip
    items = [list(Counter(dict(enumerate(row))).elements()) for row in counts]
    assert fleiss(items) == pytest.approx(0.210, abs=0.0005)


@given(CORNERS, CORNERS)
def test_overlap_is_a_share_and_the_same_both_ways(a: list[int], b: list[int]) -> None:
    assert iou(a, b) == pytest.approx(iou(b, a))
    assert 0 <= iou(a, b) <= 1
    assert iou(a, a) == 1


@given(st.lists(CORNERS, max_size=6), st.lists(CORNERS, max_size=6))
def test_each_box_is_matched_once_at_most(first: list[list[int]], second: list[list[int]]) -> None:
    found = match(first, second)
    assert len({i for i, _, _ in found.pairs}) == len({j for _, j, _ in found.pairs}) == len(found.pairs)
    assert all(overlap >= 0.5 for _, _, overlap in found.pairs)
    assert match(first, first).whole


def test_a_few_pixels_are_no_difference_and_another_box_is() -> None:
    one = {"boxes": [box(0, 0, 100, 40)]}
    assert not differs("ground", {"a": one, "b": {"boxes": [box(2, 1, 101, 40)]}})
    assert differs("ground", {"a": one, "b": {"boxes": [box(0, 0, 100, 40), box(200, 0, 240, 40)]}})
    assert differs("ground", {"a": one, "b": {"boxes": [box(0, 0, 100, 40, ambiguous=True)]}})
    assert differs("ground", {"a": one, "b": {"boxes": []}})
    assert differs("critic", {"a": {"success": True}, "b": {"success": False}})
    assert not differs("idm", {"a": {"operation": "click"}, "b": {"operation": "click"}})


def test_agreement_of_two_on_boxes() -> None:
    labels = {
        "i1": {
            "ann": {"boxes": [box(0, 0, 100, 40, role="button")]},
            "ben": {"boxes": [box(0, 0, 50, 40, role="link")]},
        },
        "i2": {"ann": {"boxes": [box(0, 0, 10, 10)]}},
    }
    found = agreement("ground", labels)
    assert (found["items"], found["differ"], found["iou"], found["f1"]) == (1, 0, 0.5, 1.0)
    assert [(pair["first"], pair["second"], pair["items"]) for pair in found["pairs"]] == [("ann", "ben", 1)]


def test_agreement_of_three_on_outcomes() -> None:
    said = {"ann": {"success": True}, "ben": {"success": True}, "cyd": {"success": False}}
    found = agreement("critic", {"i1": said, "i2": {who: {"success": False} for who in said}})
    assert (found["items"], found["differ"], len(found["pairs"])) == (2, 1, 3)
    assert found["fleiss"] == pytest.approx(0.25)
