"""Differences in words: what a person would call the parts that changed."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from proctor.tasks.inside.grid import ADDRESS, column_number
from proctor.tasks.inside.merge import ABSENT, ItemName, Kind, PartChange

MOST_TEXT = 40
MOST_PARTS = 50
"""More parts of one model are counted, not listed."""
MOST_RANGES = 3

_NUMBERED = re.compile(r"(line|row|column) (\d+)")


@dataclass(frozen=True, slots=True)
class Part:
    """What is different in one part, or in several that differ alike."""

    text: str
    kind: Kind


def in_words(differences: Sequence[PartChange]) -> list[Part]:
    """Return differences as a person would tell them, those of many cells or lines as one."""
    groups: dict[tuple[object, ...], list[PartChange]] = defaultdict(list)
    for each in differences:
        groups[_alike(each)].append(each)
    parts = [Part(_text_of(group), group[0].kind) for group in groups.values()]
    left = len(parts) - MOST_PARTS
    return parts if left <= 0 else [*parts[:MOST_PARTS], Part(f"and {left:,} more parts", parts[-1].kind)]


def is_at(place: Sequence[str], patterns: Sequence[str]) -> bool:
    """Tell whether a place is one of some, or below one: `sheets.*.colour`, with `*` for any name."""
    for pattern in patterns:
        steps = pattern.split(".")
        if len(steps) <= len(place) and all(map(fnmatchcase, place, steps)):
            return True
    return False


def _alike(each: PartChange) -> tuple[object, ...]:
    """Return what differences share that are told as one."""
    place = tuple("*" if _is_spot(step) else step for step in each.place)
    return each.kind, place


def _is_spot(step: str) -> bool:
    return isinstance(step, ItemName) and bool(ADDRESS.fullmatch(step) or _NUMBERED.fullmatch(step))


def _text_of(group: Sequence[PartChange]) -> str:
    first = group[0]
    spots = [step for each in group for step in each.place if _is_spot(step)]
    steps = list(_steps(first.place, _ranges(spots)))
    verb = first.kind if len(group) > 1 or first.kind == "moved" else _verb(first)
    *above, last = steps or ["all of it"]
    # What lies in something is told after it: "sheet Order, B2 to B9: bold removed".
    is_field = len(first.place) > 0 and not isinstance(first.place[-1], ItemName)
    head = ", ".join(above)
    return f"{head}{(': ' if is_field else ', ') if head else ''}{last} {verb}"


def _steps(place: Sequence[str], spots: str) -> Iterator[str]:
    """Yield the words for a place, a list and its item as one."""
    for at, step in enumerate(place):
        following = place[at + 1] if at + 1 < len(place) else ""
        if _is_spot(step):
            listed = place[at - 1] if at and ADDRESS.fullmatch(step) and place[at - 1] != "cells" else ""
            # Of what lies in a cell beside its content, such as a remark, it is said what that is.
            yield f"{_one(listed)} in {spots}" if listed and not isinstance(listed, ItemName) else spots
        elif isinstance(step, ItemName):
            yield f"{_one(place[at - 1])} {step}" if at and not isinstance(place[at - 1], ItemName) else step
        elif not isinstance(following, ItemName):
            yield step.replace("_", " ")


def _verb(each: PartChange) -> str:
    before, after = _short(each.before), _short(each.after)
    if each.kind == "changed" and before and after:
        return f"changed from {before} to {after}"
    told = after if each.kind == "added" else before if each.kind == "removed" else ""
    return (
        f"{each.kind} ({told})"
        if told and not isinstance(each.place[-1] if each.place else "", ItemName)
        else each.kind
    )


def _short(value: object) -> str:
    """Return a plain value as one may read it; nothing for what is too much to be told."""
    if value is ABSENT or value is None or isinstance(value, dict | list):
        return ""
    text = f"{value}"
    if len(text) > MOST_TEXT or "\n" in text:
        return ""
    return f"'{text}'" if isinstance(value, str) else text.lower() if isinstance(value, bool) else text


def _one(field: str) -> str:
    """Return the name of one item of a list: sheet of sheets, entry of entries."""
    name = field.replace("_", " ")
    if name.endswith("ies"):
        return f"{name[:-3]}y"
    if name.endswith(("xes", "ches", "shes", "sses")):
        return name[:-2]
    return name[:-1] if name.endswith("s") and not name.endswith("ss") else name


def _ranges(spots: Iterable[str]) -> str:
    """Return cells or lines as ranges: `B2 to B9`, `lines 4 to 7`."""
    names = list(dict.fromkeys(spots))
    numbered = [found for name in names if (found := _NUMBERED.fullmatch(name))]
    if numbered:
        told = [_range(*run) for run in _runs(sorted(int(found[2]) for found in numbered))]
        kind = numbered[0][1]
        return f"{kind if len(numbered) == 1 else f'{kind}s'} {_list(told)}"
    columns: dict[str, list[int]] = defaultdict(list)
    for name in names:
        if found := ADDRESS.fullmatch(name):
            columns[found[1]].append(int(found[2]))
    told = [
        f"{column}{first}" if first == last else f"{column}{first} to {column}{last}"
        for column in sorted(columns, key=column_number)
        for first, last in _runs(sorted(columns[column]))
    ]
    return _list(told)


def _range(first: int, last: int) -> str:
    return f"{first}" if first == last else f"{first} to {last}"


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and last of numbers that follow each other."""
    begin = previous = numbers[0] if numbers else 0
    for number in [*numbers[1:], None] if numbers else ():
        if number is None or number != previous + 1:
            yield begin, previous
            begin = number or 0
        previous = number or 0


def _list(told: Sequence[str]) -> str:
    left = len(told) - MOST_RANGES
    return ", ".join(told) if left <= 0 else f"{', '.join(told[:MOST_RANGES])} and {left} more places"
