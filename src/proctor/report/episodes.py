"""The outcomes of one or more runs as columns, so that every table is arithmetic on arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from proctor.records.result import ASSISTED
from proctor.report.statistics import Counts, Rate, clean_rate

Mask = NDArray[np.bool_]
Told = TypeVar("Told")

DIMENSIONS = ("suite", "app", "category", "level", "domain", "scenario", "demand", "feasible")
"""What success can be broken down by."""
GRAPH_LABELS = ("dependency", "instruction", "knowledge", "hierarchy", "branch", "capability", "shape")
"""How composed tasks are classified: the level in each dimension of complexity, the capability, chain or graph."""
SCOPE_PARTS = "\n"
"""Stands between level, domain and scenario in the labels of `scope`."""


_MASKED = ("agent", "task", "case", "attempt", "paraphrase", "score", "clean", "known", "judged")

Measure = Literal["won", "clean", "success", "raw"]
"""What to count: what is compared and ranked, clean success, success, or success with void episodes not passed."""


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
    attempt: NDArray[np.int64]
    """Numbers what belongs together over tasks: the same run, seed, wording and sample."""
    paraphrase: NDArray[np.int64]
    score: NDArray[np.float64]
    """NaN for a void episode."""
    figures: dict[str, NDArray[np.float64]]
    """Steps, seconds, tokens and cost; NaN where nothing is known."""
    labels: dict[str, Labels]
    """The dimensions, those of composed tasks, and `scope`, `stop`, `cause`, `mode` and `strategy`."""
    amounts: dict[str, dict[str, NDArray[np.float64]]]
    """`collateral` by severity, `flags` by rule and `events` by what became of them (0 where there was none), `metrics`
    and `costs` by name (NaN without any); `disturbed`, `recovered` and `recovery` by kind (`disturbed` NaN where a run
    did not ask for the kind)."""
    settings: tuple[dict[str, str], ...]
    errors: dict[str, str]
    """An example of what was said for each cause of voids, and for crashes of agents."""
    besides: dict[int, tuple[str, ...]]
    """What was changed though nobody asked, in words, of the episodes in which something was."""
    said: dict[int, str]
    """What happened, of the episodes that say so."""
    checkpoints: dict[int, dict[str, bool]]
    """Which checkpoints held at the end, in their order, of the episodes whose tasks have any."""
    records: list[tuple[int, str, int]]
    """Of each episode the number of its run, the folder of its record in it, and how many tries it took."""
    clean: Mask
    """Which episodes did all of their task and changed nothing else, as far as that is known."""
    known: Mask
    """In which episodes somebody could look for side effects."""
    judged: Mask
    """Which episodes were to be judged; others show something, and count for nobody."""
    gaming: tuple[bool, ...]
    """Which agents try to score without doing the work."""
    twin: tuple[str, ...]
    """Of each task: the feasible task that differs from it only in what makes it infeasible; empty for others."""
    retried: Counts
    """Tries of each agent that a later try took the place of."""

    def __len__(self) -> int:
        return len(self.score)

    @property
    def void(self) -> Mask:
        """Which episodes say nothing about their agent."""
        return np.isnan(self.score) & self.judged

    @property
    def assists(self) -> Mask:
        """In which episodes a person acted in the agent's place, or changed what it wanted."""
        found = np.zeros(len(self), dtype=bool)
        for name in ASSISTED:
            found |= np.nan_to_num(self.amounts["metrics"].get(name, np.zeros(len(self)))) > 0
        return found

    @property
    def passes(self) -> Mask:
        """Which episodes did all of their task."""
        return self.score >= 1.0

    @property
    def differ(self) -> bool:
        """Whether an episode did its task and also changed something else."""
        return bool((self.passes & self.known & ~self.clean).any())

    @property
    def successes(self) -> Mask:
        """Which episodes are what is ranked: clean successes where the two differ, or else successes."""
        return self.clean if self.differ else self.passes

    @property
    def comparable(self) -> Mask:
        """Of which episodes that is known: all that were scored, or those that somebody looked at."""
        return ~self.void & self.known if self.differ else ~self.void

    def of_agents(self, wanted: Sequence[bool]) -> Episodes:
        """Return the episodes of some of the agents; tasks keep their places."""
        return self.keep(np.array(wanted, dtype=bool)[self.agent])

    def keep(self, kept: Mask) -> Episodes:
        """Return some of the episodes and the agents that have any; tasks keep their places."""
        chosen = np.unique(self.agent[kept]).tolist()
        number = np.full(len(self.agents), -1)
        number[chosen] = np.arange(len(chosen))
        place = np.cumsum(kept) - 1
        labels = {}
        for name, each in self.labels.items():
            mine = kept[each.rows]
            used, codes = np.unique(each.codes[mine], return_inverse=True)
            labels[name] = Labels(tuple(each.names[code] for code in used), place[each.rows[mine]], codes)
        return replace(
            self,
            agents=tuple(self.agents[each] for each in chosen),
            **{name: getattr(self, name)[kept] for name in _MASKED} | {"agent": number[self.agent[kept]]},
            figures={name: column[kept] for name, column in self.figures.items()},
            labels=labels,
            amounts={
                kind: {name: column[kept] for name, column in found.items()} for kind, found in self.amounts.items()
            },
            settings=tuple(self.settings[each] for each in chosen),
            besides=keep_places(self.besides, kept),
            said=keep_places(self.said, kept),
            checkpoints=keep_places(self.checkpoints, kept),
            records=[record for record, keep in zip(self.records, kept, strict=True) if keep],
            gaming=tuple(self.gaming[each] for each in chosen),
            retried=self.retried[chosen],
        )

    def by_task(self, measure: Measure = "won") -> tuple[Counts, Counts]:
        """Return the episodes that passed, and those that count, as tables of agents by tasks."""
        cells = self.agent * len(self.tasks) + self.task
        shape = (len(self.agents), len(self.tasks))
        passed, counted = self._masks(measure)
        return _tally(cells[passed], shape), _tally(cells[counted], shape)

    def by_case(self, agent: int) -> tuple[Counts, Counts]:
        """Return an agent's episodes of each of its cases: those that were won, and those that count."""
        mine = (self.agent == agent) & self.comparable
        _, cases = np.unique(self.case[mine], return_inverse=True)
        size = int(cases.max()) + 1 if len(cases) else 0
        return _tally(cases[self.successes[mine]], (size,)), _tally(cases, (size,))

    def split(self, dimension: str, measure: Measure = "won") -> tuple[Counts, Counts]:
        """Return the episodes that passed, and those that count, as tables of agents by labels by tasks."""
        labels = self.labels[dimension]
        shape = (len(self.agents), len(labels.names), len(self.tasks))
        cells = (self.agent[labels.rows] * shape[1] + labels.codes) * shape[2] + self.task[labels.rows]
        passed, counted = (mask[labels.rows] for mask in self._masks(measure))
        return _tally(cells[passed], shape), _tally(cells[counted], shape)

    def rates(self, clean: tuple[Counts, Counts], success: tuple[Counts, Counts]) -> Rate:
        """Return the rate of what is compared and ranked, with the other one of the two in it."""
        rate = clean_rate(clean[0], *success, clean[1])
        if self.differ or rate.beside is None:
            return rate
        return replace(rate.beside, clean=replace(rate, beside=None))

    def _masks(self, measure: Measure) -> tuple[Mask, Mask]:
        match measure:
            case "won":
                return self.successes, self.comparable
            case "clean":
                return self.clean, ~self.void & self.known
            case "success":
                return self.passes, ~self.void
            case "raw":
                return self.passes, np.ones(len(self), dtype=bool)

    def count(self, dimension: str) -> Counts:
        """Return how many episodes of each agent carry each label."""
        labels = self.labels[dimension]
        shape = (len(self.agents), len(labels.names))
        return _tally(self.agent[labels.rows] * shape[1] + labels.codes, shape)

    def with_label(self, dimension: str, label: str) -> Mask:
        """Return which episodes carry a label."""
        labels = self.labels[dimension]
        found = np.zeros(len(self), dtype=bool)
        if label in labels.names:
            found[labels.rows[labels.codes == labels.names.index(label)]] = True
        return found


def keep_places(told: Mapping[int, Told], kept: Mask) -> dict[int, Told]:
    """Return what is known of some episodes, by their places among those that are kept."""
    place = np.cumsum(kept) - 1
    return {int(place[at]): each for at, each in told.items() if kept[at]}


def _tally(cells: NDArray[np.int64], shape: tuple[int, ...]) -> Counts:
    return np.bincount(cells, minlength=int(np.prod(shape))).reshape(shape)
