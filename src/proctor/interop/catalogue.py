"""The tasks of a suite by split and index, as trainers ask for them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Integral

from proctor.errors import SpecError, UnknownName
from proctor.suites.suite import Suite
from proctor.tasks.task import Task
from proctor.tasks.template import Template, Written

TRAIN_SEEDS = 100
"""How many variants of each template the split `train` has, unless told otherwise."""
MOST_SEEDS = 2**53
"""Larger seeds do not come through JSON unharmed."""


@dataclass(frozen=True)
class Entry:
    """One task of a split, not yet written."""

    split: str
    index: int
    template: Template
    seed: int

    def to_json(self, suite: Suite) -> dict[str, object]:
        """Return what may be known of it before it is set: never whether it can be done."""
        return {
            "id": suite.id(self.template),
            "name": self.template.name,
            "split": self.split,
            "index": self.index,
            "seed": self.seed,
            "apps": list(self.template.tags.apps),
            "level": self.template.tags.level,
        }


class Catalogue:
    """The splits of a suite: `test`, every task as `proctor run` sets it; `train`, other variants.

    Tasks that were written by hand have no variants, and so are in `test` only: nothing is trained on that is tested.
    """

    def __init__(self, suite: Suite, *, train_seeds: int = TRAIN_SEEDS) -> None:
        self.suite = suite
        drawn = tuple(template for template in suite.templates if not isinstance(template, Written))
        self._splits: dict[str, tuple[tuple[Template, ...], range]] = {"test": (suite.templates, range(0, 1))}
        if drawn and train_seeds > 0:
            self._splits["train"] = (drawn, range(1, train_seeds + 1))
        self._turn = itertools.count()
        if not suite.templates:
            raise SpecError(f"suite {suite.name!r} has no tasks", remedy="choose another one")

    def splits(self) -> list[str]:
        """Return the names of the splits."""
        return list(self._splits)

    def count(self, split: str) -> int:
        """Return how many tasks a split has."""
        templates, seeds = self._split(split)
        return len(templates) * len(seeds)

    def entry(self, split: str, index: int) -> Entry:
        """Return a task by its place, counted from 0; raises IndexError beyond the end."""
        templates, seeds = self._split(split)
        index = _whole("index", index)
        if not 0 <= index < len(templates) * len(seeds):
            raise IndexError(f"split {split!r} has no task {index}; its tasks are 0 to {self.count(split) - 1}")
        variant, place = divmod(index, len(templates))
        return Entry(split, index, templates[place], seeds[variant])

    def entries(self, split: str, start: int | None = None, stop: int | None = None) -> Iterator[Entry]:
        """Yield tasks of a split, by bounds as in a slice."""
        for index in range(self.count(split))[slice(start, stop)]:
            yield self.entry(split, index)

    def choose(
        self,
        *,
        split: str | None = None,
        index: int | None = None,
        seed: int | None = None,
        task: str | None = None,
    ) -> tuple[Entry, Task]:
        """Return the task that an episode is to be about; the same words always choose the same.

        Args:
            split: `test`, unless told otherwise.
            index: Which of its tasks. Without it the seed chooses; without either, tasks take turns.
            seed: Beside an index or a name, the seed of the variant: the task as listed where none is given.
            task: Name or id of a task, in place of an index.
        """
        split = "test" if split is None else split
        if seed is not None and not 0 <= (seed := _whole("seed", seed)) < MOST_SEEDS:
            raise SpecError(f"seed {seed!r} is not a whole number from 0 to {MOST_SEEDS - 1}")
        if task is not None:
            entry = self._find_entry(split, index, task)
        elif index is not None:
            try:
                entry = self.entry(split, index)
            except IndexError as error:
                raise SpecError(str(error)) from error
        else:
            total = self.count(split)
            entry, seed = self.entry(split, (next(self._turn) if seed is None else seed) % total), None
        chosen = entry if seed is None else Entry(entry.split, entry.index, entry.template, seed)
        return chosen, self.suite.task(chosen.template.name, chosen.seed)

    def _find_entry(self, split: str, index: int | None, task: str) -> Entry:
        if index is not None:
            raise SpecError("a task is named or given by its index, not both", remedy="leave one of them out")
        if not isinstance(task, str):
            raise SpecError(f"task {task!r} is not a name")
        template = self.suite.template(task)
        templates, seeds = self._split(split)
        names = [each.name for each in templates]
        if template.name not in names:
            raise SpecError(f"task {task!r} is not in split {split!r}", remedy="it is in the split 'test'")
        return Entry(split, names.index(template.name), template, seeds[0])

    def _split(self, split: str) -> tuple[tuple[Template, ...], range]:
        if not isinstance(split, str) or split not in self._splits:
            raise UnknownName(f"split of suite {self.suite.name!r}", str(split)[:100], self._splits)
        return self._splits[split]


def _whole(what: str, number: object) -> int:
    """Return a whole number as a plain one: a dataset's column has NumPy's own."""
    if isinstance(number, bool) or not isinstance(number, Integral):
        raise SpecError(f"{what} {number!r} is not a whole number")
    return int(number)
