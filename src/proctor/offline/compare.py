"""Whether two offline runs differ, on the samples that both answered."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from proctor.offline.summary import Summary, short_names
from proctor.report.statistics import Paired, holm, pair, pair_episodes


@dataclass(frozen=True)
class Comparison:
    """Two runs on the samples that both answered."""

    samples: int
    accuracies: tuple[float, float]
    """Of these samples; what the figures of each run show where it answered no others."""
    alike: Paired
    """Each sample counts the same: the difference of the accuracies."""
    by_cluster: Paired
    """Each picture or task counts the same, however many samples it has."""


def compare_runs(summaries: Sequence[Summary]) -> list[dict[str, Any]]:
    """Return every two runs of one task compared on the samples that both answered."""
    names = short_names(summaries)
    both = [
        (a, b)
        for a, b in itertools.combinations(range(len(summaries)), 2)
        if summaries[a].config["task"] == summaries[b].config["task"]
    ]
    found = [(a, b, _compare(summaries[a], summaries[b])) for a, b in both]
    kept = [(a, b, pair) for a, b, pair in found if pair is not None]
    chances = holm([pair.alike.p for _, _, pair in kept])
    others = holm([pair.by_cluster.p for _, _, pair in kept])
    return [
        {
            "first": names[a],
            "second": names[b],
            "samples": pair.samples,
            "accuracies": list(pair.accuracies),
            **_plain(pair.alike, chance),
            "each_picture_or_task_alike": _plain(pair.by_cluster, other),
        }
        for (a, b, pair), chance, other in zip(kept, chances, others, strict=True)
    ]


def _plain(found: Paired, p: float) -> dict[str, Any]:
    return {"difference": found.difference, "interval": list(found.interval), "p": p, "clusters": found.tasks}


def _compare(first: Summary, second: Summary) -> Comparison | None:
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
    return Comparison(
        samples=len(common),
        accuracies=(float(won[0].sum() / len(common)), float(won[1].sum() / len(common))),
        alike=pair_episodes(won[0], won[1], tried),
        by_cluster=pair((won[0], tried), (won[1], tried)),
    )
