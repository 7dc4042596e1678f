"""Which item of a list is which later: by name where they have one, by content otherwise."""

from __future__ import annotations

import difflib
import json
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

NAMES = ("uid", "id", "path", "name", "address", "title", "key", "href", "url", "subject", "label")
"""Fields that tell items apart, the surest first."""
MOST_ITEMS = 3000
"""Longer lists are compared by position between what they begin and end with alike."""
MOST_PAIRS = 10_000
"""Pairs of items that are held against each other to find the most alike."""
ALIKE = 0.5
"""From what likeness on an item is the other one, changed."""
RENAMED = 0.8
"""The same, of items that have names."""
LASTING = ("uid", "id")
"""Names that nobody changes: another one is another item."""


@dataclass(frozen=True, slots=True)
class ItemPair:
    """Positions of one item before and after; None where it was or is not there."""

    before: int | None
    after: int | None


def align(before: Sequence[object], after: Sequence[object]) -> list[ItemPair]:
    """Return which item is which, each position once; what is left has been removed or added."""
    name = _name_field(before, after)
    keys = [[_key(item, name) for item in items] for items in (before, after)]
    pairs = _same(*keys)
    known = {pair.before for pair in pairs}, {pair.after for pair in pairs}
    gone = [at for at in range(len(before)) if at not in known[0]]
    new = [at for at in range(len(after)) if at not in known[1]]
    if name not in LASTING:
        pairs += _most_alike(before, after, gone, new, least=RENAMED if name else ALIKE)
    if name is None:
        pairs += _in_place_of(pairs, gone, new)
    known = {pair.before for pair in pairs}, {pair.after for pair in pairs}
    pairs += [ItemPair(at, None) for at in gone if at not in known[0]]
    pairs += [ItemPair(None, at) for at in new if at not in known[1]]
    return pairs


def in_order(positions: Sequence[int]) -> set[int]:
    """Return the places of a longest run of positions that only grow: those that nobody moved."""
    tails: list[int] = []
    ends: list[int] = []
    previous: list[int] = []
    for at, position in enumerate(positions):
        length = bisect_left(tails, position)
        tails[length:] = [position]
        ends[length:] = [at]
        previous.append(ends[length - 1] if length else -1)
    kept, at = set(), ends[-1] if ends else -1
    while at >= 0:
        kept.add(at)
        at = previous[at]
    return kept


def content(item: object) -> str:
    """Return a text that equal items share."""
    return json.dumps(item, sort_keys=True, ensure_ascii=False)


def _name_field(before: Sequence[object], after: Sequence[object]) -> str | None:
    """Return the field that tells items apart, if they have one."""
    for name in NAMES:
        values = [[item.get(name) if isinstance(item, dict) else None for item in items] for items in (before, after)]
        flat = [value for some in values for value in some]
        sound = all(isinstance(value, str | int) and value != "" for value in flat)
        if flat and sound and all(len(set(some)) == len(some) for some in values):
            return name
    return None


def _key(item: object, name: str | None) -> Hashable:
    """Return what tells an item apart: the type and value of its name, or all of it."""
    return (type(item[name]), item[name]) if name is not None and isinstance(item, dict) else content(item)


def _same(before: Sequence[Hashable], after: Sequence[Hashable]) -> list[ItemPair]:
    """Return the pairs of equal keys: those in their order first, then those that moved."""
    pairs: list[ItemPair] = []
    first = next((at for at, (one, two) in enumerate(zip(before, after, strict=False)) if one != two), None)
    begin = min(len(before), len(after)) if first is None else first
    end = 0
    while end < min(len(before), len(after)) - begin and before[-1 - end] == after[-1 - end]:
        end += 1
    pairs += [ItemPair(at, at) for at in range(begin)]
    pairs += [ItemPair(len(before) - at, len(after) - at) for at in range(end, 0, -1)]
    middle = before[begin : len(before) - end], after[begin : len(after) - end]
    if max(map(len, middle)) <= MOST_ITEMS:
        matcher = difflib.SequenceMatcher(None, *middle, autojunk=False)
        for block in matcher.get_matching_blocks():
            pairs += [ItemPair(begin + block.a + at, begin + block.b + at) for at in range(block.size)]
    known = {pair.before for pair in pairs}, {pair.after for pair in pairs}
    elsewhere: dict[Hashable, list[int]] = defaultdict(list)
    for at, key in enumerate(after):
        if at not in known[1]:
            elsewhere[key].append(at)
    for at, key in enumerate(before):
        if at not in known[0] and elsewhere[key]:
            pairs.append(ItemPair(at, elsewhere[key].pop(0)))
    return pairs


def _most_alike(
    before: Sequence[object], after: Sequence[object], gone: Sequence[int], new: Sequence[int], least: float
) -> list[ItemPair]:
    """Return pairs of what is left that are one item, changed."""
    if len(gone) * len(new) > MOST_PAIRS:
        return [ItemPair(one, two) for one, two in zip(gone, new, strict=False)]
    likely = [(_likeness(before[one], after[two]), -abs(one - two), one, two) for one in gone for two in new]
    pairs, taken = [], (set[int](), set[int]())
    for likeness, _, one, two in sorted(likely, key=lambda each: each[:2], reverse=True):
        if likeness >= least and one not in taken[0] and two not in taken[1]:
            pairs.append(ItemPair(one, two))
            taken[0].add(one)
            taken[1].add(two)
    return pairs


def _in_place_of(pairs: Sequence[ItemPair], gone: Sequence[int], new: Sequence[int]) -> list[ItemPair]:
    """Return pairs of what is left that stand between the same neighbours."""
    where = {pair.before: pair.after for pair in pairs} | {-1: -1}
    left = set(new) - {pair.after for pair in pairs}
    found = []
    for one in sorted(set(gone) - where.keys()):
        ahead = where.get(one - 1)
        if ahead is not None and ahead + 1 in left:
            where[one] = ahead + 1
            found.append(ItemPair(one, ahead + 1))
    return found


def _likeness(one: object, other: object, depth: int = 2) -> float:
    """Return how much of two values is alike, from 0 to 1."""
    if one == other:
        return 1.0
    if isinstance(one, str) and isinstance(other, str):
        return difflib.SequenceMatcher(None, one[:500], other[:500]).quick_ratio()
    if isinstance(one, dict) and isinstance(other, dict) and depth:
        fields = one.keys() | other.keys()
        shared = [_likeness(one[name], other[name], depth - 1) for name in fields if name in one and name in other]
        return sum(shared) / len(fields) if fields else 1.0
    return 0.0
