"""How far reviewers agree: on success, on the first wrong step, and on how it failed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from proctor.report.statistics import or_none
from proctor.store.reviews import Review
from proctor.studio.annotate.agreement import cohen, fleiss

NEAR = 1
"""Steps by which two may differ and still mean the same mistake."""


def agreement(reviews: Mapping[str, Sequence[Review]]) -> dict[str, object]:
    """Return how far reviewers agree on the episodes that two or more have looked at."""
    people = sorted({review.by for each in reviews.values() for review in each})
    found = []
    for one, other in combinations(people, 2):
        both = [
            (mine, theirs)
            for each in reviews.values()
            for mine in each
            for theirs in each
            if mine.by == one and theirs.by == other
        ]
        if both:
            found.append({"first": one, "second": other, **_pair(both)})
    said = [[review.success for review in each if review.success is not None] for each in reviews.values()]
    return {
        "episodes": len(reviews),
        "shared": sum(len(each) > 1 for each in reviews.values()),
        "pairs": found,
        "fleiss": or_none(fleiss(said)),
    }


def _pair(both: Sequence[tuple[Review, Review]]) -> dict[str, object]:
    judged = [(a.success, b.success) for a, b in both if a.success is not None and b.success is not None]
    named = [(a.first_wrong, b.first_wrong) for a, b in both if a.first_wrong is not None and b.first_wrong is not None]
    failed = [(set(a.failures), set(b.failures)) for a, b in both if a.failures or b.failures]
    return {
        "episodes": len(both),
        "success_kappa": or_none(cohen([a for a, _ in judged], [b for _, b in judged])),
        "same_success": sum(a == b for a, b in judged),
        "named_steps": len(named),
        "same_step": sum(a == b for a, b in named),
        "near_step": sum(abs(a - b) <= NEAR for a, b in named),
        "failures": sum(len(a & b) / len(a | b) for a, b in failed) / len(failed) if failed else None,
    }
