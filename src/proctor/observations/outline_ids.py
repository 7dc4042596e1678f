"""Short numbers for elements, the same for as long as an element is there."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import count

from proctor.observations.tree import Node

MAX_GONE = 5_000
"""Of how many elements that are gone it is remembered what they were."""

Named = tuple[Node, str, str]
"""An element, what it is called, and its role's word."""
_Key = Callable[[Named], Hashable]


def _by_all(named: Named) -> Hashable:
    node, name, role = named
    return node.app, role, name, node.box


def _by_name(named: Named) -> Hashable | None:
    node, name, role = named
    return (node.app, node.window, role, name) if name else None


def _by_place(named: Named) -> Hashable | None:
    node, _, role = named
    return (node.app, role, node.box) if node.box else None


class Ids:
    """Numbers that were given, and to what."""

    def __init__(self) -> None:
        self._next = count(1)
        self._known: dict[int, Named] = {}
        self._called: dict[int, str] = {}

    def number(self, elements: Sequence[Named]) -> list[int]:
        """Return a number for each element: its old one where it was there the last time, else a new one.

        One that has moved is known by its name, one that is called otherwise by its place.
        """
        found: dict[int, int] = {}
        left = dict(self._known)
        for key in (_by_all, _by_name, _by_place):
            waiting = [place for place in range(len(elements)) if place not in found]
            _match(key, elements, waiting, left, found)
        for place in range(len(elements)):
            if place not in found:
                found[place] = next(self._next)
        numbers = [found[place] for place in range(len(elements))]
        self._known = dict(zip(numbers, elements, strict=True))
        return numbers

    def remember(self, called: Mapping[int, str]) -> None:
        """Remember what the elements that are there now are called."""
        self._called.update(called)
        while len(self._called) > MAX_GONE + len(called):
            del self._called[next(iter(self._called))]

    def former(self) -> dict[int, str]:
        """Return of the elements that are gone what they were."""
        return {number: f"{what} is gone" for number, what in self._called.items() if number not in self._known}


def _match(
    key: _Key, elements: Sequence[Named], waiting: Sequence[int], left: dict[int, Named], found: dict[int, int]
) -> None:
    """Give what is waiting the numbers of what is left, where they have the same key."""
    by_key: dict[Hashable, list[int]] = {}
    for number, named in left.items():
        if (known := key(named)) is not None:
            by_key.setdefault(known, []).append(number)
    for numbers in by_key.values():
        numbers.reverse()
    for place in waiting:
        wanted = key(elements[place])
        if wanted is not None and (same := by_key.get(wanted)):
            found[place] = same.pop()
            del left[found[place]]
