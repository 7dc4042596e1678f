"""Which differences nobody asked for: those that can be taken back without the check minding."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby

from proctor.tasks.inside.merge import Merge, PartChange

MOST_TRIES = 2000
"""How often the check is asked."""

States = dict[str, object]
"""What probes saw, by their calls."""


@dataclass(frozen=True)
class Besides:
    """What was done besides, by the model in which it was found."""

    found: Mapping[str, Sequence[PartChange]]
    whole: bool = True
    """Whether everything was tried; what was not is taken for asked for."""


def find_besides(merges: Mapping[str, Merge], passes: Callable[[States], bool], most: int = MOST_TRIES) -> Besides:
    """Return the differences that can be taken back, all together, while the check still passes.

    Args:
        merges: The models, by their probes' calls.
        passes: Asks the check about other states of them.
        most: How often it may be asked.
    """
    every = [(key, each) for key, merged in merges.items() for each in merged.differences]
    undone: dict[str, set[int]] = {key: set() for key in merges}
    tries = 0

    def still_passes(group: Sequence[tuple[str, PartChange]]) -> bool:
        touched = {key for key, _ in group}
        trial = {key: undone[key] | {each.number for at, each in group if at == key} for key in touched}
        states = {key: merges[key].without(trial.get(key, undone[key])) for key in merges}
        return passes(states)

    waiting = [every] if every else []
    while waiting and tries < most:
        group = waiting.pop()
        tries += 1
        if still_passes(group):
            for key, each in group:
                undone[key].add(each.number)
        elif len(group) > 1:
            waiting += _halves(group)
    found = {key: [each for each in merged.differences if each.number in undone[key]] for key, merged in merges.items()}
    return Besides({key: each for key, each in found.items() if each}, whole=not waiting)


def _halves(group: Sequence[tuple[str, PartChange]]) -> list[list[tuple[str, PartChange]]]:
    """Part differences in two, the first of them last.

    What lies in one item stays together as long as it can: a word that became a link is a new run and a shorter one,
    and neither can be taken back by itself.
    """
    for depth in range(max(len(each.place) for _, each in group) + 1):
        items = [list(each) for _, each in groupby(group, lambda one: (one[0], *one[1].place[:depth]))]  # noqa: B023
        if len(items) > 1:
            break
    else:
        items = [[one] for one in group]
    half = len(items) // 2
    return [list(chain(*items[half:])), list(chain(*items[:half]))]
