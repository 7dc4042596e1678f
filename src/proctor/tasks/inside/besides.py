"""Which differences nobody asked for: those that can be taken back without the check minding."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

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
            half = len(group) // 2
            waiting += [group[half:], group[:half]]
    found = {key: [each for each in merged.differences if each.number in undone[key]] for key, merged in merges.items()}
    return Besides({key: each for key, each in found.items() if each}, whole=not waiting)
