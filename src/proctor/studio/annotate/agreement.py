"""How far annotators agree: kappa for what is chosen, overlap for boxes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import nan
from statistics import fmean
from typing import Any

from proctor.report.statistics import or_none
from proctor.studio.annotate.labels import Kind, answer_of, boxes_of

MATCH = 0.5
"""From this overlap on two boxes speak of the same thing."""

Corners = Sequence[float]
Labels = Mapping[str, Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class Matched:
    """Two lists of boxes, matched."""

    pairs: tuple[tuple[int, int, float], ...]
    """Place in the first list, place in the second, overlap."""
    first: int
    second: int
    """How many boxes the lists have."""

    @property
    def f1(self) -> float:
        """The share of all boxes that have a partner; 1 where there is nothing to match."""
        total = self.first + self.second
        return 2 * len(self.pairs) / total if total else 1.0

    @property
    def whole(self) -> bool:
        """Whether every box has a partner."""
        return self.first == self.second == len(self.pairs)


def iou(a: Corners, b: Corners) -> float:
    """Return how much of two boxes is common to both, from 0 to 1."""
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    if width <= 0 or height <= 0:
        return 0.0
    common = width * height
    return float(common / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - common))


def match(first: Sequence[Corners], second: Sequence[Corners], least: float = MATCH) -> Matched:
    """Match boxes greedily: those that overlap most first, each at most once."""
    found = [(iou(a, b), i, j) for i, a in enumerate(first) for j, b in enumerate(second)]
    pairs: list[tuple[int, int, float]] = []
    taken_first: set[int] = set()
    taken_second: set[int] = set()
    for overlap, i, j in sorted(found, key=lambda each: (-each[0], each[1], each[2])):
        if overlap >= least and i not in taken_first and j not in taken_second:
            pairs.append((i, j, overlap))
            taken_first.add(i)
            taken_second.add(j)
    return Matched(tuple(pairs), len(first), len(second))


def cohen(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """Return Cohen's kappa of two annotators on the same items; nan where chance explains all."""
    total = len(first)
    if not total:
        return nan
    agreed = sum(a == b for a, b in zip(first, second, strict=True)) / total
    one, other = Counter(first), Counter(second)
    chance = sum(one[each] * other[each] for each in one) / total**2
    return nan if chance == 1 else (agreed - chance) / (1 - chance)


def fleiss(items: Sequence[Sequence[Hashable]]) -> float:
    """Return Fleiss' kappa of items with two or more answers each; the number may differ."""
    counted = [Counter(answers) for answers in items if len(answers) > 1]
    if not counted:
        return nan
    agreed = fmean(
        sum(count * (count - 1) for count in answers.values()) / (answers.total() * (answers.total() - 1))
        for answers in counted
    )
    together = sum(counted, Counter[Hashable]())
    chance = sum((count / together.total()) ** 2 for count in together.values())
    return nan if chance == 1 else (agreed - chance) / (1 - chance)


def differs(kind: Kind, labels: Labels) -> bool:
    """Tell whether annotators of one item differ so that somebody has to decide.

    Of boxes it matters which there are and which are called ambiguous; wording and a few pixels do not.
    """
    said = list(labels.values())
    if kind != "ground":
        return len({answer_of(kind, dict(label)) for label in said}) > 1
    for one, other in combinations([boxes_of(dict(label)) for label in said], 2):
        matched = _match_boxes(one, other)
        if not matched.whole or any(
            bool(one[i].get("ambiguous")) != bool(other[j].get("ambiguous")) for i, j, _ in matched.pairs
        ):
            return True
    return False


def agreement(kind: Kind, items: Mapping[str, Labels]) -> dict[str, Any]:
    """Return how far annotators agree on what two or more have done, in pairs and all together."""
    shared = {id: labels for id, labels in items.items() if len(labels) > 1}
    people = sorted({who for labels in shared.values() for who in labels})
    pairs = []
    for one, other in combinations(people, 2):
        both = [labels for labels in shared.values() if one in labels and other in labels]
        pairs.append({"first": one, "second": other, **_pair(kind, both, one, other)})
    found: dict[str, object] = {
        "items": len(shared),
        "differ": sum(differs(kind, labels) for labels in shared.values()),
        "pairs": [pair for pair in pairs if pair["items"]],
    }
    if kind == "ground":
        return {
            **found,
            **_boxes(
                [_matched_pair(labels, a, b) for labels in shared.values() for a, b in combinations(sorted(labels), 2)]
            ),
        }
    answers = [[answer_of(kind, dict(label)) for label in labels.values()] for labels in shared.values()]
    return {**found, "fleiss": or_none(fleiss(answers))}


def _pair(kind: Kind, items: Sequence[Labels], one: str, other: str) -> dict[str, object]:
    if kind == "ground":
        return {"items": len(items), **_boxes([_matched_pair(labels, one, other) for labels in items])}
    answers = [[answer_of(kind, dict(labels[who])) for labels in items] for who in (one, other)]
    same = sum(a == b for a, b in zip(*answers, strict=True))
    return {"items": len(items), "same": same, "kappa": or_none(cohen(*answers))}


@dataclass(frozen=True, slots=True)
class _Compared:
    matched: Matched
    roles: tuple[tuple[str, str], ...]


def _matched_pair(labels: Labels, one: str, other: str) -> _Compared:
    first, second = boxes_of(dict(labels[one])), boxes_of(dict(labels[other]))
    found = _match_boxes(first, second)
    return _Compared(found, tuple((str(first[i].get("role")), str(second[j].get("role"))) for i, j, _ in found.pairs))


def _match_boxes(first: Sequence[Mapping[str, Any]], second: Sequence[Mapping[str, Any]]) -> Matched:
    return match([box["box"] for box in first], [box["box"] for box in second])


def _boxes(compared: Sequence[_Compared]) -> dict[str, object]:
    overlaps = [overlap for each in compared for _, _, overlap in each.matched.pairs]
    roles = [pair for each in compared for pair in each.roles]
    total = sum(each.matched.first + each.matched.second for each in compared)
    return {
        "boxes": total,
        "iou": fmean(overlaps) if overlaps else None,
        "f1": 2 * len(overlaps) / total if total else None,
        "role_kappa": or_none(cohen([a for a, _ in roles], [b for _, b in roles])),
    }
