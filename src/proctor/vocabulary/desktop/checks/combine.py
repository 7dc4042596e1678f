"""Checks made of checks."""

from __future__ import annotations

from proctor.errors import SpecError
from proctor.tasks.findings import Finding, right, wrong
from proctor.tasks.shelves import CHECKS


@CHECKS.register
def all_of(of: list[Finding]) -> Finding:
    """All of the checks hold; there is no partial credit."""
    return _combine(of, 1.0 if all(part.passed for part in of) else 0.0)


@CHECKS.register
def any_of(of: list[Finding]) -> Finding:
    """At least one of the checks holds; the best of them counts."""
    best = max(of, key=lambda part: part.score)
    return Finding(1.0, parts=tuple(of)) if best.passed else _combine(of, best.score)


@CHECKS.register
def none_of(of: list[Finding], feedback: str) -> Finding:
    """None of the checks holds; a check that could not see what it judges does not count as failed."""
    unseen = [line for part in of if not part.known for line in part.feedback]
    if unseen:
        return Finding(0.0, tuple(unseen), known=False, parts=tuple(of))
    found = wrong(feedback) if any(part.score > 0 for part in of) else right()
    return Finding(found.score, found.feedback, parts=tuple(of))


@CHECKS.register
def left_alone(of: list[Finding], feedback: str) -> Finding:
    """None of the checks holds; what could not be seen does not hold."""
    found = wrong(feedback) if any(part.score > 0 for part in of) else right()
    return Finding(found.score, found.feedback, parts=tuple(of))


@CHECKS.register
def weighed(of: list[Finding], weights: list[float]) -> Finding:
    """Partial credit: each check contributes its weight's share of the score."""
    if len(weights) != len(of) or min(weights) <= 0:
        raise SpecError(f"{len(of)} checks have the weights {weights}", remedy="give each check a weight above 0")
    gained = sum(weight * part.score for weight, part in zip(weights, of, strict=True))
    # Rounding must not turn full marks into almost full ones.
    score = 1.0 if all(part.passed for part in of) else gained / sum(weights)
    return _combine(of, score)


@CHECKS.register
def checkpoints(
    names: list[str],
    of: list[Finding],
    weights: list[float],
    guards: list[Finding],
    given: int = 0,
) -> Finding:
    """Each checkpoint that holds earns its weight; nothing does where a guard fails.

    The first ones may be `given`: what they weigh is not earned, and is lost where they hold no more. Tasks state
    checkpoints and guards in fields of their own, from which this check is made.
    """
    if not len(names) == len(of) == len(weights) or not 0 <= given < len(of):
        raise SpecError(f"{len(of)} checkpoints have {len(names)} names and {len(weights)} weights", remedy="see `of`")
    parts = (*of, *guards)
    broken = tuple(line for guard in guards if not guard.passed for line in guard.feedback or (guard.check,))
    left = tuple(
        f"“{name}” does not hold: {' '.join(part.feedback)}"
        for name, part in zip(names, of, strict=True)
        if not part.passed
    )
    known = all(part.known for part in parts)
    if broken or not left:
        return Finding(0.0 if broken else 1.0, (*broken, *left), known, parts=parts)
    had = sum(weights[:given])
    gained = sum(weight for weight, part in zip(weights, of, strict=True) if part.passed) - had
    return Finding(min(max(gained / (sum(weights) - had), 0.0), 1.0), left, known, parts=parts)


@CHECKS.register
def mean_of(of: list[Finding]) -> Finding:
    """Partial credit as in OSWorld: the mean of the checks' scores, or 0 if any of them is 0."""
    # Rounding must not turn full marks into almost full ones.
    mean = 1.0 if all(part.passed for part in of) else sum(part.score for part in of) / len(of)
    return _combine(of, mean if all(part.score > 0 for part in of) else 0.0)


def _combine(parts: list[Finding], score: float) -> Finding:
    feedback = tuple(line for part in parts if not part.passed for line in part.feedback)
    return Finding(score, () if score >= 1.0 else feedback, all(part.known for part in parts), parts=tuple(parts))
