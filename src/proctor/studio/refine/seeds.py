"""A key for other seeds: what the template draws anew is replaced in the moves."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from proctor.errors import SpecError
from proctor.tasks.load import task_from_json
from proctor.tasks.task import Task

_PARTS = re.compile(r"\w+|\s+|[^\w\s]")
SURE = 1_000
LEAST = 2
"""Characters; what is shorter is found everywhere by chance, unless it is all of a text."""


def with_solution(task: Task, calls: Sequence[Mapping[str, object]]) -> Task:
    """Return a task with other moves as its answer key; raises SpecError where they make no sense."""
    if task.graph is not None:
        raise SpecError(
            f"the key of {task.id!r} is composed of its subtasks' keys", remedy="record a task that is not composed"
        )
    return task_from_json({**task.to_json(), "solution": [dict(call) for call in calls]})


def drawn_otherwise(one: Task, other: Task) -> dict[str, str]:
    """Return what stands in one task and what stands in its place in another of the same template."""
    whole: dict[str, Counter[str]] = {}
    pieces: dict[str, Counter[str]] = {}
    mine, others = _template_parts(one), _template_parts(other)
    for name in mine.keys() & others.keys():
        # Where a template draws things in another order, its own key says best what stands for what.
        weight = SURE if name == "solution" else 1
        for first, second in _pairs(mine[name], others[name]):
            whole.setdefault(first, Counter())[second] += weight
            for old, new in _replace_text(first, second):
                pieces.setdefault(old, Counter())[new] += weight
    found = {old: _most(news) for old, news in pieces.items() if len(old) >= LEAST}
    return found | {old: _most(news) for old, news in whole.items()}


def replace_drawn(calls: Sequence[Mapping[str, object]], drawn: Mapping[str, str]) -> list[dict[str, object]]:
    """Return moves in which everything that was drawn is what another seed draws."""
    if not drawn:
        return [dict(call) for call in calls]
    longest = sorted((old for old in drawn if old), key=len, reverse=True)
    # A word is not looked for inside another: the name Ann is no part of the word Annual.
    pattern = re.compile("|".join(rf"{_edge(old, 0)}{re.escape(old)}{_edge(old, -1)}" for old in longest))

    def rewrite(value: object) -> object:
        if isinstance(value, str):
            return pattern.sub(lambda match: drawn[match[0]], value)
        if isinstance(value, Mapping):
            return {key: rewrite(item) for key, item in value.items()}
        return [rewrite(item) for item in value] if isinstance(value, list | tuple) else value

    return [
        {name: value if name in ("move", "role") else rewrite(value) for name, value in call.items()} for call in calls
    ]


def _edge(text: str, place: int) -> str:
    return r"\b" if re.match(r"\w", text[place]) else ""


def _most(counted: Counter[str]) -> str:
    return counted.most_common(1)[0][0]


def _template_parts(task: Task) -> dict[str, object]:
    """Return the parts of a task that a template writes: its own answer keys show best what is drawn."""
    data = task.to_json()
    names = ("instruction", "setup", "check", "expected", "solution", "near_misses", "other_ways", "user", "goal")
    return {name: data[name] for name in names if name in data}


def _pairs(one: object, other: object) -> Iterator[tuple[str, str]]:
    """Yield texts that stand at the same place in both; one that is the same stands for itself."""
    if isinstance(one, str) and isinstance(other, str):
        yield one, other
    elif isinstance(one, Mapping) and isinstance(other, Mapping):
        for key in one.keys() & other.keys():
            yield from _pairs(one[key], other[key])
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for first, second in zip(one, other, strict=True):
            yield from _pairs(first, second)
    elif type(one) in (int, float) and type(other) in (int, float) and one != other:
        yield str(one), str(other)


def _replace_text(one: str, other: str) -> Iterator[tuple[str, str]]:
    first, second = _PARTS.findall(one), _PARTS.findall(other)
    if max(len(first), len(second)) > 5_000:
        return
    for tag, a, b, c, d in difflib.SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        if tag == "replace":
            yield "".join(first[a:b]), "".join(second[c:d])
