"""Whether an instruction says the subtasks, values and dependencies it means, and no more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from proctor.graphs.compose.composition import Composition, NodePlan
from proctor.graphs.compose.resource import kind_of
from proctor.graphs.compose.subtask import Subtask
from proctor.graphs.language.apps import app_name
from proctor.graphs.language.infer import Clause, Inference, infer
from proctor.graphs.language.phrases import needed_slots


@dataclass(frozen=True, slots=True)
class WordingFault:
    """One thing that is wrong with an instruction."""

    kind: Literal[
        "unread", "unclear", "subtask missing", "subtask added", "value", "edge missing", "edge added", "application",
        "length", "no answer",
    ]  # fmt: skip
    about: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.about}"


def validate(composition: Composition, subtasks: Mapping[str, Subtask], text: str) -> list[WordingFault]:
    """Return what is wrong with an instruction; nothing when it means what the composition means."""
    pool = {node.subtask: subtasks[node.subtask] for node in composition.nodes}
    found = infer(text, pool.values())
    faults = [WordingFault("unread", passage) for passage in found.unread]
    faults += [WordingFault("unclear", phrase) for phrase in found.unclear]
    aligned = _align(composition, found)
    faults += [
        WordingFault("subtask added", clause.text)
        for number, clause in enumerate(found.clauses)
        if number not in aligned
    ]
    said = {node: found.clauses[number] for number, node in aligned.items()}
    for node in composition.nodes:
        if node.id not in said:
            faults.append(WordingFault("subtask missing", f"{node.id} ({node.subtask})"))
        else:
            faults += _wrong_values(node, pool[node.subtask], said[node.id])
    faults += _wrong_apps(composition, pool, said, text)
    pairs = {(aligned[a], aligned[b]) for a, b in found.dependencies if a in aligned and b in aligned}
    return faults + compare(composition, pairs)


def compare(composition: Composition, pairs: Iterable[tuple[str, str]]) -> list[WordingFault]:
    """Return how inferred dependencies differ from the graph's, what follows from each counted in."""
    wanted = composition.gates.paths
    found = closure(pairs)
    missing = [WordingFault("edge missing", f"{first} before {second}") for first, second in sorted(wanted - found)]
    return missing + [
        WordingFault("edge added", f"{first} before {second}") for first, second in sorted(found - wanted)
    ]


def closure(pairs: Iterable[tuple[str, str]]) -> frozenset[tuple[str, str]]:
    """Return all that follows from pairs in order; as a wrong text may, it may go in circles."""
    after: dict[str, set[str]] = {}
    for first, second in pairs:
        after.setdefault(first, set()).add(second)
    for start, reached in after.items():
        waiting = list(reached)
        while waiting:
            fresh = after.get(waiting.pop(), set()) - after[start]
            after[start] |= fresh
            waiting += fresh
    return frozenset((first, second) for first, later in after.items() for second in later)


def _align(composition: Composition, found: Inference) -> dict[int, str]:
    """Return which clause asks for which node: the same subtask, those that agree most first."""
    # Of nodes that look the same, what has to be done first is said first.
    place = {id: number for number, id in enumerate(composition.gates.order)}
    pairs = [
        (number, clause, node)
        for number, clause in enumerate(found.clauses)
        for node in composition.nodes
        if clause.subtask == node.subtask
    ]
    choices = Counter(node.subtask for _, _, node in pairs)
    scored = [
        (-_agreement(node, clause) if choices[node.subtask] > 1 else 0, number, place[node.id], node.id)
        for number, clause, node in pairs
    ]
    aligned: dict[int, str] = {}
    for _, number, _, node in sorted(scored):
        if number not in aligned and node not in aligned.values():
            aligned[number] = node
    return aligned


def _agreement(node: NodePlan, clause: Clause) -> int:
    # What a subtask gives has a name of its own, so that it tells nodes apart best.
    given = sum(3 for slot, resource in node.bound.gives.items() if clause.says(slot) == resource.value)
    taken = sum(clause.says(slot) == resource.value for slot, resource in node.bound.takes.items())
    return given + taken + sum(clause.params.get(slot) == value for slot, value in node.bound.params.items())


def _wrong_values(node: NodePlan, subtask: Subtask, clause: Clause) -> list[WordingFault]:
    faults = []
    for slot, value in values_to_say(node, subtask).items():
        says = clause.says(slot)
        if says != value:
            faults.append(WordingFault("value", f"{node.id}: {slot} is {value!r}, but the text says {says!r}"))
    return faults


def _wrong_apps(
    composition: Composition, pool: Mapping[str, Subtask], said: Mapping[str, Clause], text: str
) -> list[WordingFault]:
    """Return where an application is named wrongly, or nowhere though the work depends on it."""
    faults = []
    for node in composition.nodes:
        subtask = pool[node.subtask]
        named = said[node.id].app if node.id in said else ""
        if named and named != subtask.app:
            faults.append(WordingFault("application", f"{node.id} is done in {subtask.app}, not in {named}"))
        elif subtask.needs_app and app_name(subtask.app) not in text:
            faults.append(WordingFault("application", f"{node.id} needs {subtask.app}, which the text does not name"))
    return faults


def values_to_say(node: NodePlan, subtask: Subtask) -> dict[str, str]:
    """Return what an instruction must say of a node, by placeholder; what no wording names is hidden."""
    bound, wanted = node.bound, needed_slots(subtask)
    resources = {**bound.takes, **bound.gives}
    values = {slot: resource.value for slot, resource in resources.items() if not kind_of(resource.kind).slot}
    return {slot: value for slot, value in {**values, **bound.params}.items() if slot in wanted}
