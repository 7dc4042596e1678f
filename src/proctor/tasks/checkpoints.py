"""Checkpoints: named parts of long work, each of which earns its share of the score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Annotated

from pydantic import Field

from proctor.errors import UnknownName
from proctor.tasks.call import Call, DataPath
from proctor.tasks.findings import Finding
from proctor.tasks.model import PlainModel, Text
from proctor.tasks.shelf import Problem
from proctor.tasks.shelves import problems as call_problems

MOST_WEIGHT = 0.4
"""What one checkpoint may be worth at most: nearly all of a task for one thing would be no long work."""
MOST_CHECKPOINTS = 15
ACCURACY = 1e-6
"""How far from 1 the sum of weights may be."""
COMBINED = "checkpoints"
"""The check that a task with checkpoints is judged by."""
UNSTATED = Call("check", COMBINED)
"""Stands for the check of a task that says none; one with checkpoints is judged by these."""


class Checkpoint(PlainModel):
    """Something that does not hold at the beginning and does at the end, however it was brought about."""

    name: Text
    """What holds then, in a few words: `the landlord has an answer`."""
    check: Call
    weight: Annotated[float, Field(gt=0.0, le=MOST_WEIGHT)]
    """Its share of the score; those of a task sum to 1."""
    moves: Annotated[int, Field(ge=0)] = 0
    """How many moves of the solution lead to it from the one before; none where it comes with that one."""


def combine(checkpoints: Sequence[Checkpoint], guards: Sequence[Call], given: int = 0) -> Call:
    """Return the check that judges all checkpoints, of which the first may be given."""
    arguments = {
        "names": [each.name for each in checkpoints],
        "of": [each.check for each in checkpoints],
        "weights": [each.weight for each in checkpoints],
        "guards": list(guards),
        **({"given": given} if given else {}),
    }
    return Call("check", COMBINED, arguments)


def ends_of(checkpoints: Sequence[Checkpoint]) -> dict[int, int]:
    """Return how many checkpoints hold where a stretch of the solution ends, by how many moves have been made."""
    return {made: number for number, made in enumerate(accumulate(each.moves for each in checkpoints), 1)}


def find_held(checkpoints: Sequence[Checkpoint], finding: Finding) -> dict[str, bool]:
    """Return which checkpoints hold, by what the check that combines them found."""
    parts = finding.parts if len(finding.parts) >= len(checkpoints) else ()
    return {each.name: bool(parts) and parts[place].passed for place, each in enumerate(checkpoints)}


def checkpoint_problems(checkpoints: Sequence[Checkpoint], guards: Sequence[Call], moves: int) -> Iterator[Problem]:
    """Yield what is wrong with checkpoints and guards, in a task whose solution has so many moves."""
    for place, guard in enumerate(guards):
        yield from call_problems(guard, ("guards", place), "check")
    if not checkpoints:
        if guards:
            yield Problem(("guards",), "guards belong to checkpoints, and there are none; put them into the check")
        return
    names: set[str] = set()
    for place, each in enumerate(checkpoints):
        yield from call_problems(each.check, ("checkpoints", place, "check"), "check")
        if each.name in names:
            yield Problem(("checkpoints", place, "name"), f"there are two checkpoints called {each.name!r}; rename one")
        names.add(each.name)
    if abs((total := sum(each.weight for each in checkpoints)) - 1) > ACCURACY:
        yield Problem(("checkpoints",), f"their weights sum to {total:g} and must sum to 1")
    if moves and not checkpoints[0].moves:
        yield Problem(("checkpoints", 0, "moves"), "the first checkpoint is reached by at least one move")
    if moves and (led := sum(each.moves for each in checkpoints)) != moves:
        yield Problem(("checkpoints",), f"{led} moves lead to them, and the solution has {moves}")


def name_problems(name: str, known: Sequence[str], at: DataPath) -> Iterator[Problem]:
    """Yield what is wrong with a name that stands for one of some checkpoints."""
    if name and name not in known:
        error = UnknownName("checkpoint", name, known)
        yield Problem(at, f"{error.message}; {error.remedy}")


def reached_words(held: Mapping[str, bool]) -> str:
    """Say which checkpoints hold."""
    return ", ".join(name for name, holds in held.items() if holds) or "none"
