"""Whether two offline runs differ, on the samples that both answered."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from proctor.offline.summary import Summary, short_names
from proctor.report.statistics import Paired, holm, pair


def compare_runs(summaries: Sequence[Summary]) -> list[dict[str, Any]]:
    """Return every two runs of one task compared on the samples that both answered."""
    names = short_names(summaries)
    both = [
        (a, b)
        for a, b in itertools.combinations(range(len(summaries)), 2)
        if summaries[a].config["task"] == summaries[b].config["task"]
    ]
    found = [(a, b, _pair_up(summaries[a], summaries[b])) for a, b in both]
    kept = [(a, b, pair) for a, b, pair in found if pair.difference is not None]
    chances = holm([pair.p for _, _, pair in kept])
    return [
        {
            "first": names[a],
            "second": names[b],
            "difference": pair.difference,
            "interval": list(pair.interval),
            "p": chance,
            "clusters": pair.tasks,
        }
        for (a, b, pair), chance in zip(kept, chances, strict=True)
    ]


def _pair_up(first: Summary, second: Summary) -> Paired:
    right = [{sample.id: answer.outcome == "right" for sample, answer in each.pairs} for each in (first, second)]
    common = [sample for sample, _ in first.pairs if sample.id in right[1]]
    clusters = {
        name: place for place, name in enumerate(dict.fromkeys(sample.cluster or sample.id for sample in common))
    }
    won, tried = np.zeros((2, len(clusters)), np.int64), np.zeros(len(clusters), np.int64)
    for sample in common:
        place = clusters[sample.cluster or sample.id]
        tried[place] += 1
        for which in (0, 1):
            won[which, place] += right[which][sample.id]
    return pair((won[0], tried), (won[1], tried))
