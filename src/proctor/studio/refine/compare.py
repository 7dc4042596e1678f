"""Two versions of a demonstration side by side: steps the same, changed, moved, gone or new."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Literal

from proctor.studio.refine.steps import RefinedStep, State

How = Literal["same", "changed", "moved", "gone", "new"]
FIELDS = ("action", "element", "thought", "instruction")


@dataclass(frozen=True, slots=True)
class ComparedSteps:
    """One step of either version, or of both."""

    how: How
    left: int | None
    """Its place in the first version, from 0; None where that does not have it there."""
    right: int | None
    changed: tuple[str, ...] = ()


def compare(one: State, other: State) -> list[ComparedSteps]:
    """Return the steps of two versions in an order that both follow; a moved step is in it twice."""
    left, right = [step.id for step in one], [step.id for step in other]
    at_left, at_right = ({name: place for place, name in enumerate(names)} for names in (left, right))
    rows: list[ComparedSteps] = []
    for tag, a, b, c, d in difflib.SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if tag == "equal":
            rows += [_both(one, other, a + more, c + more) for more in range(b - a)]
            continue
        for place in range(a, b):
            found = at_right.get(left[place])
            how: How = "gone" if found is None else "moved"
            changed = () if found is None else _differing_fields(one[place], other[found])
            rows.append(ComparedSteps(how, place, None, changed))
        for place in range(c, d):
            was = at_left.get(right[place])
            how = "new" if was is None else "moved"
            changed = () if was is None else _differing_fields(one[was], other[place])
            rows.append(ComparedSteps(how, None, place, changed))
    return rows


def _both(one: State, other: State, left: int, right: int) -> ComparedSteps:
    changed = _differing_fields(one[left], other[right])
    return ComparedSteps("changed" if changed else "same", left, right, changed)


def _differing_fields(one: RefinedStep, other: RefinedStep) -> tuple[str, ...]:
    return tuple(name for name in FIELDS if getattr(one, name) != getattr(other, name))
