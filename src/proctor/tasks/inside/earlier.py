"""How documents and stores were when the task began, as their models show it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from proctor.computers.computer import Computer
from proctor.errors import Overrun
from proctor.home import absolute
from proctor.tasks.call import Call
from proctor.tasks.deadline import Deadline
from proctor.tasks.examine import looker
from proctor.tasks.findings import Fault
from proctor.tasks.inside.merge import merge
from proctor.tasks.inside.models import models_of, whole_of
from proctor.tasks.probe_context import MOST_BYTES, Ending, ProbeContext
from proctor.tasks.shelves import tool
from proctor.tasks.task import Task

ASIDE = ("comments", "protected")
"""Fields of a document that stay empty unless somebody sets out to fill them."""

States = dict[str, object]
"""What models show, by their calls."""


@dataclass(frozen=True)
class _EarlierContext(ProbeContext):
    """A computer whose files are as they were when the task began."""

    copies: Mapping[str, str] = field(default_factory=dict)
    """What those were made of that were not there."""

    def read(self, path: str, *, most: int = MOST_BYTES) -> bytes:
        return self.before(self.copies.get(path, path), most=most)


def look_before(task: Task, computer: Computer) -> States:
    """Return what those models show, before the agent acts, whose earlier state nobody keeps."""
    kept: States = {}
    look = looker(ProbeContext(computer), kept)
    for call in models_of(task):
        if whole_of(call) != "file":
            look(call)
    return kept


def move_on(kept: States, before: Mapping[str, object], after: Mapping[str, object]) -> States:
    """Return what models showed at first, with what changed between two later looks put into it.

    What had been changed until the first of them is left out, as far as it can be told apart.
    """
    found = dict(kept)
    for key, first in kept.items():
        one, two = before.get(key), after.get(key)
        if one == two or two is None or Fault.from_json(two):
            continue
        if one == first or Fault.from_json(one) or Fault.from_json(first):
            found[key] = two
            continue
        theirs = [(each.place, each.kind, each.after) for each in merge(first, one).differences]
        whole = merge(first, two)
        found[key] = whole.without(
            {each.number for each in whole.differences if (each.place, each.kind, each.after) in theirs}
        )
    return found


def kept_of(seen: Mapping[str, object]) -> States:
    """Return what `look_before` would have, of what all probes saw when the task began."""
    calls = {key: Call.from_json(json.loads(key)) for key in seen if key.startswith("{")}
    return {key: seen[key] for key, call in calls.items() if tool(call).whole not in (None, "file")}


def look_back_at(
    task: Task, computer: Computer, ending: Ending, seen: Mapping[str, object], deadline: Deadline
) -> tuple[States, list[Call]]:
    """Return what models of files showed when the task began, of those files that have changed since.

    With those for which no time was left. A file that is a copy of another one, by the word of the task, was what that
    one was. Any other new file counts as having been itself, without remarks and locks.
    """
    kinds = {change.path: change.kind for change in computer.changes()}
    copies = {path: of for path, of in task.copies.items() if kinds.get(absolute(path, computer.home)) == "created"}
    changed = {path for path, kind in kinds.items() if kind == "changed"}
    changed |= {absolute(path, computer.home) for path in copies}
    made = {path for path, kind in kinds.items() if kind == "created"} - changed
    found: States = {}
    left: list[Call] = []
    look = looker(_EarlierContext(computer, ending, (), deadline, copies), found)
    for call in models_of(task):
        path = call.arguments.get("path")
        place = absolute(path, computer.home) if isinstance(path, str) else ""
        if whole_of(call) != "file":
            continue
        if place in made:
            found[call.key] = _without_asides(seen.get(call.key))
        elif place in changed:
            try:
                look(call)
            except Overrun:
                left.append(call)
    return {key: before for key, before in found.items() if before != seen.get(key)}, left


def _without_asides(seen: object) -> object:
    """Return what a model of a document shows, had nobody written remarks beside it or locked it."""
    if isinstance(seen, list):
        return [_without_asides(each) for each in seen]
    if not isinstance(seen, dict):
        return seen
    empty = {name: type(seen[name])() for name in ASIDE if isinstance(seen.get(name), bool | list)}
    return {name: empty[name] if name in empty else _without_asides(value) for name, value in seen.items()}


def comparable(before: Mapping[str, object], after: Mapping[str, object]) -> Iterator[str]:
    """Yield the models that could be seen both times and differ."""
    for key, earlier in before.items():
        later = after.get(key)
        if later is not None and not Fault.from_json(earlier) and not Fault.from_json(later) and earlier != later:
            yield key


def spoilt(before: Mapping[str, object], after: Mapping[str, object]) -> Iterator[str]:
    """Yield the models that could be seen, and are there but cannot be seen any more."""
    for key, earlier in before.items():
        fault = Fault.from_json(after.get(key))
        lost = fault.kind != "absent" if fault else key not in after
        if lost and not Fault.from_json(earlier):
            yield key
