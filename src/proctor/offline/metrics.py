"""Figures of inverse dynamics and success detection, worked out from answers alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from proctor.report.statistics import share_of

BINS = 10
"""For the calibration error: confidences are put into so many equal bins."""


def edit_distance(first: Sequence[object], second: Sequence[object]) -> int:
    """Return Levenshtein's distance: the fewest edits that make one the other."""
    before = list(range(len(second) + 1))
    for row, left in enumerate(first, 1):
        now = [row]
        for column, right in enumerate(second, 1):
            now.append(min(before[column] + 1, now[-1] + 1, before[column - 1] + (left != right)))
        before = now
    return before[-1]


def normalised_distance(first: Sequence[object], second: Sequence[object]) -> float:
    """Return the distance as a share of the longer one: 0 for equal ones, 1 for wholly others."""
    longest = max(len(first), len(second))
    return edit_distance(first, second) / longest if longest else 0.0


def brier(truths: Sequence[bool], chances: Sequence[float]) -> float:
    """Return the mean squared error of the chances given to success: 0 is best, 0.25 is a coin."""
    return share_of(sum((chance - truth) ** 2 for truth, chance in zip(truths, chances, strict=True)), len(truths))


def calibration_error(right: Sequence[bool], confidences: Sequence[float]) -> float:
    """Return by how much confidence and accuracy differ, over ten bins weighed by their answers."""
    bins: dict[int, list[tuple[bool, float]]] = {}
    for good, confidence in zip(right, confidences, strict=True):
        bins.setdefault(min(int(confidence * BINS), BINS - 1), []).append((good, confidence))
    gaps = (abs(sum(good for good, _ in each) - sum(sure for _, sure in each)) for each in bins.values())
    return share_of(sum(gaps), len(right))


@dataclass(frozen=True, slots=True)
class PerAction:
    """How well one action was told from the others."""

    action: str
    precision: float
    recall: float
    times: int


def per_action(truths: Sequence[Sequence[str]], said: Sequence[Sequence[str]]) -> list[PerAction]:
    """Return precision and recall of each action by place; what is too much or missing counts."""
    right, given, due = Counter[str](), Counter[str](), Counter[str]()
    for truth, answer in zip(truths, said, strict=True):
        due.update(truth)
        given.update(answer)
        # A longer answer may have places that the truth has not.
        right.update(a for a, b in zip(truth, answer, strict=False) if a == b)
    actions = sorted({*due, *given}, key=lambda action: (-due[action], action))
    return [
        PerAction(each, share_of(right[each], given[each]), share_of(right[each], due[each]), due[each])
        for each in actions
    ]
