"""Figures of inverse dynamics and success detection, worked out from answers alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import nan

BINS = 10
"""For the calibration error: confidences are put into so many equal bins."""


def edit_distance(first: Sequence[object], second: Sequence[object]) -> int:
    """Return Levenshtein's distance: the fewest insertions, deletions and replacements that make one the other."""
    before = list(range(len(second) + 1))
    for row, left in enumerate(first, 1):
        now = [row]
        for column, right in enumerate(second, 1):
            now.append(min(before[column] + 1, now[-1] + 1, before[column - 1] + (left != right)))
        before = now
    return before[-1]


def normalised_distance(first: Sequence[object], second: Sequence[object]) -> float:
    """Return the distance as a share of the longer one: 0 for equal ones, 1 for wholly different ones."""
    longest = max(len(first), len(second))
    return edit_distance(first, second) / longest if longest else 0.0


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often which of two classes was taken for which."""

    tp: int = 0
    fp: int = 0
    tn: int = 0
    fn: int = 0

    @classmethod
    def of(cls, truths: Sequence[bool], said: Sequence[bool]) -> Confusion:
        """Count answers; `True` is the positive class."""
        counts = Counter(zip(truths, said, strict=True))
        return cls(counts[True, True], counts[False, True], counts[False, False], counts[True, False])

    @property
    def total(self) -> int:
        """All answers."""
        return self.tp + self.fp + self.tn + self.fn

    @property
    def accuracy(self) -> float:
        """The share of right answers."""
        return _share(self.tp + self.tn, self.total)

    @property
    def precision(self) -> float:
        """Of what was called a success, the share that was one."""
        return _share(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        """Of what was a success, the share that was called one."""
        return _share(self.tp, self.tp + self.fn)

    @property
    def specificity(self) -> float:
        """Of what was a failure, the share that was called one."""
        return _share(self.tn, self.tn + self.fp)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall; 0 where no success was found, not defined where there was none."""
        return _share(2 * self.tp, 2 * self.tp + self.fp + self.fn)

    @property
    def balanced(self) -> float:
        """The mean of recall and specificity: one half for whoever always says the same."""
        return (self.recall + self.specificity) / 2

    @property
    def kappa(self) -> float:
        """Cohen's: agreement beyond what chance would give, 0 for none and 1 for all."""
        if not self.total:
            return nan
        yes = (self.tp + self.fp) / self.total * (self.tp + self.fn) / self.total
        no = (self.tn + self.fn) / self.total * (self.tn + self.fp) / self.total
        by_chance = yes + no
        return nan if by_chance == 1 else (self.accuracy - by_chance) / (1 - by_chance)


def brier(truths: Sequence[bool], chances: Sequence[float]) -> float:
    """Return the mean squared error of the chances given to success: 0 is best, 0.25 is a coin."""
    return _share(sum((chance - truth) ** 2 for truth, chance in zip(truths, chances, strict=True)), len(truths))


def calibration_error(right: Sequence[bool], confidences: Sequence[float]) -> float:
    """Return by how much confidence and accuracy differ, over ten bins weighed by their answers."""
    bins: dict[int, list[tuple[bool, float]]] = {}
    for good, confidence in zip(right, confidences, strict=True):
        bins.setdefault(min(int(confidence * BINS), BINS - 1), []).append((good, confidence))
    gaps = (abs(sum(good for good, _ in each) - sum(sure for _, sure in each)) for each in bins.values())
    return _share(sum(gaps), len(right))


@dataclass(frozen=True, slots=True)
class PerAction:
    """How well one action was told from the others."""

    action: str
    precision: float
    recall: float
    times: int
    """How often it was right."""


def per_action(truths: Sequence[Sequence[str]], said: Sequence[Sequence[str]]) -> list[PerAction]:
    """Return precision and recall of each action, place by place; what is too much or missing counts against them."""
    right, given, due = Counter[str](), Counter[str](), Counter[str]()
    for truth, answer in zip(truths, said, strict=True):
        due.update(truth)
        given.update(answer)
        # A longer answer may have places that the truth has not.
        right.update(a for a, b in zip(truth, answer, strict=False) if a == b)
    actions = sorted({*due, *given}, key=lambda action: (-due[action], action))
    return [
        PerAction(each, _share(right[each], given[each]), _share(right[each], due[each]), due[each]) for each in actions
    ]


def _share(part: float, whole: float) -> float:
    return part / whole if whole else nan
