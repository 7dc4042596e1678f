"""Whether two offline runs differ, on the samples that both answered."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from proctor.offline.summary import Summary, short_names
from proctor.report.statistics import Interval, Paired, holm, pair, pair_episodes


@dataclass(frozen=True)
class RunPair:
    """Two runs on the samples that both answered; p-values are corrected for all pairs looked at."""

    first: str
    second: str
    samples: int
    accuracies: tuple[float, float]
    """Of these samples; what the figures of each run show where it answered no others."""
    alike: Paired
    """Each sample counts the same: the difference of the accuracies."""
    by_cluster: Paired
    """Each picture or task counts the same, however many samples it has."""

    def plain(self) -> dict[str, object]:
        """Return it as plain data."""
        return {
            "first": self.first,
            "second": self.second,
            "samples": self.samples,
            "accuracies": list(self.accuracies),
            **_plain(self.alike),
            "each_picture_or_task_alike": _plain(self.by_cluster),
        }


def compare_runs(summaries: Sequence[Summary]) -> list[RunPair]:
    """Return every two runs of one task compared on the samples that both answered."""
    names = short_names(summaries)
    both = [
        (a, b)
        for a, b in itertools.combinations(range(len(summaries)), 2)
        if summaries[a].config["task"] == summaries[b].config["task"]
    ]
    compared = [_compare(names[a], summaries[a], names[b], summaries[b]) for a, b in both]
    found = [each for each in compared if each is not None]
    chances, others = (holm([each.p for each in column]) for column in _columns(found))
    return [
        replace(each, alike=replace(each.alike, p=p), by_cluster=replace(each.by_cluster, p=other))
        for each, p, other in zip(found, chances, others, strict=True)
    ]


def _columns(found: Sequence[RunPair]) -> tuple[list[Paired], list[Paired]]:
    return [each.alike for each in found], [each.by_cluster for each in found]


def _plain(found: Paired) -> dict[str, float | int | Interval | None]:
    return {"difference": found.difference, "interval": found.interval, "p": found.p, "clusters": found.tasks}


def _compare(name: str, first: Summary, other: str, second: Summary) -> RunPair | None:
    right = [{sample.id: answer.outcome == "right" for sample, answer in each.pairs} for each in (first, second)]
    common = [sample for sample, _ in first.pairs if sample.id in right[1]]
    if not common:
        return None
    clusters = {
        name: place for place, name in enumerate(dict.fromkeys(sample.cluster or sample.id for sample in common))
    }
    won, tried = np.zeros((2, len(clusters)), np.int64), np.zeros(len(clusters), np.int64)
    for sample in common:
        place = clusters[sample.cluster or sample.id]
        tried[place] += 1
        for which in (0, 1):
            won[which, place] += right[which][sample.id]
    return RunPair(
        first=name,
        second=other,
        samples=len(common),
        accuracies=(float(won[0].sum() / len(common)), float(won[1].sum() / len(common))),
        alike=pair_episodes(won[0], won[1], tried),
        by_cluster=pair((won[0], tried), (won[1], tried)),
    )
