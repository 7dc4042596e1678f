"""Figures against libraries that others wrote, on random input, and against the counts that the papers give."""

from __future__ import annotations

import math
import random
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.offline.metrics import (
    BINS,
    brier,
    calibration_error,
    edit_distance,
    normalised_distance,
    per_action,
)
from proctor.report.agreement import Confusion

judges: Any = pytest.importorskip("sklearn.metrics")
fuzz: Any = pytest.importorskip("rapidfuzz.distance")

ACTIONS = ["click", "type", "scroll", "press", "drag"]
sequences = st.lists(st.sampled_from(ACTIONS), max_size=8)
pairs = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=80)


def split(given: Sequence[tuple[bool, bool]]) -> tuple[list[bool], list[bool]]:
    return [truth for truth, _ in given], [said for _, said in given]


def same(ours: float, theirs: float) -> bool:
    return (math.isnan(ours) and math.isnan(theirs)) or ours == pytest.approx(theirs)


@given(sequences, sequences)
def test_edit_distance_is_that_of_rapidfuzz(first: list[str], second: list[str]) -> None:
    assert edit_distance(first, second) == fuzz.Levenshtein.distance(first, second)
    assert normalised_distance(first, second) == pytest.approx(fuzz.Levenshtein.normalized_distance(first, second))


@given(st.text(max_size=40), st.text(max_size=40))
def test_edit_distance_of_text_is_that_of_rapidfuzz(first: str, second: str) -> None:
    assert edit_distance(first, second) == fuzz.Levenshtein.distance(first, second)


@given(pairs)
def test_verdicts_are_scored_as_scikit_learn_does(given: list[tuple[bool, bool]]) -> None:
    truths, said = split(given)
    found = Confusion.of(truths, said)
    tn, fp, fn, tp = judges.confusion_matrix(truths, said, labels=[False, True]).ravel().tolist()
    assert (found.tn, found.fp, found.fn, found.tp) == (tn, fp, fn, tp)
    assert same(found.accuracy, judges.accuracy_score(truths, said))
    assert same(found.precision, judges.precision_score(truths, said, zero_division=np.nan))
    assert same(found.recall, judges.recall_score(truths, said, zero_division=np.nan))
    assert same(found.f1, judges.f1_score(truths, said, zero_division=np.nan))
    if len(set(truths)) == 2:
        assert same(found.balanced_accuracy, judges.balanced_accuracy_score(truths, said))
    with warnings.catch_warnings():
        # Where both always say the same there is nothing beyond chance; scikit-learn warns and says so, too.
        warnings.simplefilter("ignore")
        assert same(found.kappa, judges.cohen_kappa_score(truths, said))


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=1, max_size=80))
def test_brier_is_that_of_scikit_learn(given: list[tuple[bool, float]]) -> None:
    truths, chances = [truth for truth, _ in given], [chance for _, chance in given]
    assert brier(truths, chances) == pytest.approx(judges.brier_score_loss(truths, chances, pos_label=True))


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 999)), min_size=1, max_size=80))
def test_calibration_is_the_curve_of_scikit_learn(given: list[tuple[bool, int]]) -> None:
    curve: Any = pytest.importorskip("sklearn.calibration").calibration_curve
    right = [good for good, _ in given]
    # Between the borders of bins, to whose side they belong is a matter of taste.
    confidences = [(number + 0.5) / 1000 for _, number in given]
    shares, means = curve(right, confidences, n_bins=BINS, strategy="uniform", pos_label=True)
    counts, _ = np.histogram(confidences, bins=BINS, range=(0, 1))
    weights = counts[counts > 0] / len(right)
    assert calibration_error(right, confidences) == pytest.approx(float((weights * abs(shares - means)).sum()))


def test_actions_of_single_choices_are_scored_as_scikit_learn_does() -> None:
    draw = random.Random(7)
    for _ in range(40):
        truths = draw.choices(ACTIONS, k=draw.randint(1, 60))
        said = draw.choices(ACTIONS, k=len(truths))
        named = sorted({*truths, *said})
        precision, recall, _, support = judges.precision_recall_fscore_support(
            truths, said, labels=named, zero_division=np.nan
        )
        found = {each.action: each for each in per_action([[each] for each in truths], [[each] for each in said])}
        assert sorted(found) == named
        for place, action in enumerate(named):
            assert same(found[action].precision, float(precision[place]))
            assert same(found[action].recall, float(recall[place]))
            assert found[action].times == support[place]


@pytest.mark.parametrize(
    ("tp", "fp", "tn", "fn", "kappa"),
    [
        # Two doctors, 50 patients; the example from which most learn the figure.
        (20, 10, 15, 5, 0.4),
        # Equal agreement, other margins: the two tables that show what margins do to kappa.
        (45, 25, 15, 15, 0.1304),
        (25, 5, 35, 35, 0.2593),
    ],
)
def test_kappa_of_worked_examples(tp: int, fp: int, tn: int, fn: int, kappa: float) -> None:
    assert Confusion(tp=tp, fp=fp, tn=tn, fn=fn).kappa == pytest.approx(kappa, abs=5e-5)


def test_critic_bench_margins() -> None:
    """180 successes and 170 failures: who always says success has their share, and no agreement beyond chance."""
    found = Confusion(tp=180, fp=170)
    assert found.accuracy == pytest.approx(0.5143, abs=5e-5)
    assert (found.precision, found.recall, found.balanced_accuracy, found.kappa) == (
        pytest.approx(180 / 350),
        1,
        0.5,
        0,
    )
    # 76.7 % of 350 attempts is no whole number of them, so the figure published as accuracy cannot be one.
    assert all(round(100 * right / 350, 1) != 76.7 for right in range(351))


def test_sequences_of_the_paper() -> None:
    """Unit costs, over actions and not letters; exact only at distance 0, whatever the length."""
    assert edit_distance(["click", "type", "press"], ["click", "press"]) == 1
    assert edit_distance(["click", "type"], ["type", "click"]) == 2
    assert edit_distance(["click"] * 5, ["scroll"] * 5) == 5
    assert normalised_distance(["click"] * 5, ["scroll"] * 5) == 1
