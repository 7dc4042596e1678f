"""Who annotates what next, how far a set is, and what annotators differ on."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from proctor.store.versions import Version
from proctor.studio.annotate.agreement import differs
from proctor.studio.annotate.items import AnnotationItem
from proctor.studio.annotate.sets import AnnotationSet

CLAIM_SECONDS = 1800.0
"""So long an item that somebody opened and saved nothing of is kept for them."""

Labels = Mapping[str, Mapping[str, Version]]


class Queue:
    """Hands the items of one set out, each to as many people as the set wants; several may ask."""

    def __init__(self, opened: AnnotationSet, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._set = opened
        self._clock = clock
        self._claims: dict[str, dict[str, float]] = {}
        self._lock = threading.Lock()

    def next(self, person: str, after: str = "") -> AnnotationItem | None:
        """Return the next item for somebody after the one they come from, and keep it for them.

        What they began comes first, then what others have done already, so that items are completed. None where nothing
        is left.
        """
        with self._lock:
            items, labels = self._set.items(), self._set.labels()
            start = next((place for place, item in enumerate(items) if item.id == after), -1) + 1
            turned = [*items[start:], *items[:start]]
            open_ = [item for item in turned if item.id != after and not self._done_by(labels, item.id, person)]
            mine = [item for item in open_ if person in labels.get(item.id, {})]
            free = [item for item in open_ if self._others(labels, item.id, person) < self._set.about.annotators]
            free.sort(key=lambda item: -len(self._set.done_labels(dict_of(labels), item.id)))
            found = next(iter([*mine, *free]), None)
            if found:
                self._claims.setdefault(found.id, {})[person] = self._clock()
            return found

    def _done_by(self, labels: Labels, item: str, person: str) -> bool:
        label = labels.get(item, {}).get(person)
        return label is not None and label.data.get("done") is True

    def _others(self, labels: Labels, item: str, person: str) -> int:
        now = self._clock()
        claims = {who for who, at in self._claims.get(item, {}).items() if now - at < CLAIM_SECONDS}
        return len((claims | set(labels.get(item, {}))) - {person})


def dict_of(labels: Labels) -> dict[str, dict[str, Version]]:
    """Return labels as plain dictionaries."""
    return {item: dict(found) for item, found in labels.items()}


def state_of(opened: AnnotationSet, item: str, done: Mapping[str, Mapping[str, object]], decided: bool) -> str:
    """Return how far an item is: open, done by some, by all who are wanted, differing, or decided."""
    if decided:
        return "decided"
    if len(done) > 1 and differs(opened.about.kind, done):
        return "differs"
    return "done" if len(done) >= opened.about.annotators else "some" if done else "open"


@dataclass(frozen=True, slots=True)
class ItemStanding:
    """How far one item is."""

    item: AnnotationItem
    state: str
    done: tuple[str, ...]


def standings(opened: AnnotationSet, labels: Labels) -> list[ItemStanding]:
    """Return how far each item of a set is, in their order."""
    decisions, plain = opened.decisions.latest(), dict_of(labels)
    found = []
    for item in opened.items():
        done = opened.done_labels(plain, item.id)
        decided = item.id in decisions and decisions[item.id].data.get("done") is True
        found.append(ItemStanding(item, state_of(opened, item.id, done, decided), tuple(done)))
    return found


def progress(opened: AnnotationSet, known: Sequence[ItemStanding] | None = None) -> dict[str, Any]:
    """Return how far a set is: items by their state, and what each annotator has done."""
    found = standings(opened, opened.labels()) if known is None else known
    people = Counter(who for each in found for who in each.done)
    return {
        "items": len(found),
        "states": dict(Counter(each.state for each in found)),
        "people": dict(people.most_common()),
        "labels": people.total(),
        "wanted": len(found) * opened.about.annotators,
    }
