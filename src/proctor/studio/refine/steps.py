"""The steps of a version: lines of recordings, and what was made different in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from proctor.records import Hit, read, without_defaults

MOST_STEPS = 20_000
"""Of one version; a demonstration has far fewer."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RefinedStep:
    """One step of a version; a field that is None or empty is as it was recorded."""

    id: str = ""
    """By which edits name it: the same in every version that has this step, and different for every step of one."""
    line: int = 0
    """Which line of its recording, from 0."""
    of: str = ""
    """Which recording, as `RUN/episodes/...` beside the run of the demonstration; empty for the demonstration."""
    action: dict[str, object] | None = None
    """What is done in place of what was recorded."""
    element: Hit | None = None
    thought: str | None = None
    instruction: str = ""
    """What the step is for, in a person's words."""


State = tuple[RefinedStep, ...]


def original(count: int) -> State:
    """Return the version 0 of a demonstration: its lines as they were recorded."""
    return tuple(RefinedStep(id=str(line), line=line) for line in range(count))


def state_to_json(state: State) -> list[object]:
    """Return a version as plain data; a step as it was recorded takes no more than its number."""
    return [_plain(step) for step in state]


def _plain(step: RefinedStep) -> object:
    data = without_defaults(step)
    return step.line if set(data) <= {"id", "line"} and step.id == str(step.line) else data


def state_from_json(data: object) -> State | None:
    """Read what `state_to_json` wrote; None for what is no version, as files come from anywhere."""
    if not isinstance(data, list) or len(data) > MOST_STEPS:
        return None
    found = []
    for entry in data:
        if type(entry) is int:
            step = RefinedStep(id=str(entry), line=entry)
        elif isinstance(entry, dict):
            step = read(RefinedStep, entry)
        else:
            return None
        if not step.id or step.line < 0:
            return None
        found.append(step)
    return tuple(found) if len({step.id for step in found}) == len(found) else None


def places(state: State, ids: Sequence[str]) -> list[int]:
    """Return where steps stand in a version, in order; those that it does not have are left out."""
    wanted = set(ids)
    return [place for place, step in enumerate(state) if step.id in wanted]
