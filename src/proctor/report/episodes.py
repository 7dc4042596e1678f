"""The outcomes of one or more runs as columns, so that every table is arithmetic on arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from proctor.report.statistics import Counts

Mask = NDArray[np.bool_]

DIMENSIONS = ("suite", "app", "category", "level", "domain", "scenario", "demand", "feasible")
"""What success can be broken down by."""
GRAPH_LABELS = ("dependency", "instruction", "knowledge", "hierarchy", "branch", "capability", "shape")
"""How composed tasks are classified: the level in each dimension of complexity, the capability, chain or graph."""
SCOPE_PARTS = "\n"
"""Stands between level, domain and scenario in the labels of `scope`."""


@dataclass(frozen=True, slots=True)
class Labels:
    """Which episodes carry which labels."""

    names: tuple[str, ...]
    rows: NDArray[np.int64]
    """Numbers of episodes, rising; one may occur several times or not at all."""
    codes: NDArray[np.int64]
    """The place in `names` of each."""


@dataclass(frozen=True, slots=True)
class Episodes:
    """All episodes, each as its last try left it."""

    agents: tuple[str, ...]
    tasks: tuple[str, ...]
    agent: NDArray[np.int64]
    """The place in `agents` of each episode."""
    task: NDArray[np.int64]
    case: NDArray[np.int64]
    """Numbers what an agent was set again and again: the same task, seed and wording."""
    paraphrase: NDArray[np.int64]
    score: NDArray[np.float64]
    """NaN for a void episode."""
    figures: dict[str, NDArray[np.float64]]
    """Steps, seconds, tokens and cost; NaN where nothing is known."""
    labels: dict[str, Labels]
    """The dimensions, those of composed tasks, and `scope`, `stop`, `cause` and `mode`."""
    amounts: dict[str, dict[str, NDArray[np.float64]]]
    """`collateral` by severity (0 where there was none) and `metrics` by name (NaN where an episode has none)."""
    settings: tuple[dict[str, str], ...]
    """Each agent's options."""
    errors: dict[str, str]
    """An example of what was said for each cause of voids, and for crashes of agents."""
    retried: Counts
    """Tries of each agent that a later try took the place of."""

    def __len__(self) -> int:
        return len(self.score)

    @property
    def void(self) -> Mask:
        """Which episodes say nothing about their agent."""
        return np.isnan(self.score)

    @property
    def passed(self) -> Mask:
        """Which episodes did all of their task."""
        return self.score >= 1.0

    def by_task(self, *, raw: bool = False) -> tuple[Counts, Counts]:
        """Return passed and scored episodes as tables of agents by tasks; raw counts void ones as not passed."""
        cells = self.agent * len(self.tasks) + self.task
        shape = (len(self.agents), len(self.tasks))
        counted = np.ones(len(self), dtype=bool) if raw else ~self.void
        return _tally(cells[self.passed], shape), _tally(cells[counted], shape)

    def by_case(self, agent: int) -> tuple[Counts, Counts]:
        """Return an agent's passed and scored episodes of each of its cases."""
        mine = (self.agent == agent) & ~self.void
        _, cases = np.unique(self.case[mine], return_inverse=True)
        size = int(cases.max()) + 1 if len(cases) else 0
        return _tally(cases[self.passed[mine]], (size,)), _tally(cases, (size,))

    def split(self, dimension: str) -> tuple[Counts, Counts, Counts]:
        """Return passed, scored and void episodes as tables of agents by labels by tasks."""
        labels = self.labels[dimension]
        shape = (len(self.agents), len(labels.names), len(self.tasks))
        rows = labels.rows
        cells = (self.agent[rows] * shape[1] + labels.codes) * shape[2] + self.task[rows]
        passed, void = self.passed[rows], self.void[rows]
        return _tally(cells[passed], shape), _tally(cells[~void], shape), _tally(cells[void], shape)

    def count(self, dimension: str) -> Counts:
        """Return how many episodes of each agent carry each label."""
        labels = self.labels[dimension]
        shape = (len(self.agents), len(labels.names))
        return _tally(self.agent[labels.rows] * shape[1] + labels.codes, shape)

    def labelled(self, dimension: str, label: str) -> Mask:
        """Return which episodes carry a label."""
        labels = self.labels[dimension]
        found = np.zeros(len(self), dtype=bool)
        if label in labels.names:
            found[labels.rows[labels.codes == labels.names.index(label)]] = True
        return found


def _tally(cells: NDArray[np.int64], shape: tuple[int, ...]) -> Counts:
    return np.bincount(cells, minlength=int(np.prod(shape))).reshape(shape)
