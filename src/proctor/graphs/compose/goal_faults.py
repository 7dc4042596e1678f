"""What is wrong with a goal that can be told before anything is composed from it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from string import Formatter

from proctor import taxonomy
from proctor.errors import UnknownName
from proctor.graphs.compose.contents import BANKS, MEMBERS, SORT_OF, TABLES
from proctor.graphs.compose.resource import KINDS, is_a
from proctor.graphs.compose.subtask import Subtask
from proctor.graphs.compose.theme import NAMES
from proctor.graphs.goals.goal import Goal, GoalPart
from proctor.graphs.goals.sense import PACKERS

_ROWS = ("table_file", "spreadsheet", "database")
_HOLDERS = ("folder", "archive")
_UNREAD = ("image", "audio", "video", "wallpaper", "contact")
"""Kinds whose content does not come from lines or rows."""


def goal_faults(goal: Goal, subtasks: Mapping[str, Subtask], initial: Collection[str]) -> Iterator[str]:
    """Yield everything wrong with a goal."""
    domain, _, scenario = goal.demand.partition("/")
    if scenario not in taxonomy.DEMANDS.get(domain, {}):
        yield f"unknown demand {goal.demand!r}"
    if goal.names not in NAMES:
        yield _unknown("sort of names", goal.names, NAMES)
    if goal.table not in TABLES:
        yield _unknown("sort of table", goal.table, TABLES)
    yield from _start_faults(goal, initial)
    if not goal.wanted:
        yield "nothing is wanted in the end; put a star before what may be"
    used = {source for part in goal.parts for options in part.sources for source in options}
    kinds = {name: start.kind for name, start in goal.starts.items()}
    for part in goal.parts:
        if part.role in goal.starts:
            yield f"{part.role!r} is there already"
        subtask = subtasks.get(part.subtask)
        if subtask is None:
            yield _unknown("subtask", part.subtask, subtasks)
            continue
        yield from _part_faults(goal, part, subtask, kinds)
        (given, *more) = subtask.gives.values()
        if more:
            yield f"{part.subtask} gives more than one thing"
        if kinds.setdefault(part.role, given) != given and part.role in used:
            yield f"the ways to {part.role!r} give different kinds"
    yield from (f"nobody uses {name!r}" for name in sorted({*goal.starts, *goal.ways} - used - goal.wanted))


def _start_faults(goal: Goal, initial: Collection[str]) -> Iterator[str]:
    for start in goal.starts.values():
        if start.kind not in KINDS:
            yield _unknown("kind of resource", start.kind, KINDS)
        elif start.kind not in initial:
            yield f"no task can begin with a {start.kind}"
        topic = SORT_OF.get(start.topic, start.topic)
        known: Collection[str] = TABLES if start.kind in _ROWS else BANKS
        if start.kind in _HOLDERS:
            known = [*MEMBERS, *BANKS]
        if start.kind not in _UNREAD and topic not in known:
            yield _unknown("sort of content", topic, known)


def _part_faults(goal: Goal, part: GoalPart, subtask: Subtask, kinds: Mapping[str, str]) -> Iterator[str]:
    said = {name for ask in subtask.asks for _, name, _, _ in Formatter().parse(ask) if name}
    for parameter, texts in part.hints:
        if parameter not in said or not texts:
            yield f"{part.role!r}: {part.subtask} has no parameter {parameter!r}, or nothing is said of it"
    if len(part.sources) != len(subtask.takes):
        yield f"{part.role!r}: {part.subtask} takes {len(subtask.takes)} things, not {len(part.sources)}"
        return
    for kind, options in zip(subtask.takes.values(), part.sources, strict=True):
        for source in options:
            if source not in kinds:
                yield f"{part.role!r} is made of {source!r}, which no line above names"
            elif not is_a(kinds[source], kind):
                yield f"{part.role!r}: {part.subtask} takes a {kind}, not {source!r}, a {kinds[source]}"
            elif kinds[source] == "archive" and part.subtask in PACKERS:
                yield f"{part.role!r} packs an archive into an archive"
            elif any(way.subtask == part.subtask for way in goal.ways.get(source, ())):
                yield f"{part.role!r} is made of {source!r} by the same subtask"


def _unknown(what: str, name: str, known: Collection[str]) -> str:
    error = UnknownName(what, name, known)
    return f"{error.message}; {error.remedy}"
