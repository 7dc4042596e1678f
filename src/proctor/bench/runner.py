"""The figures of the runner: its cost and the record's, its rate, how fast reports are."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from proctor.bench.measure import Figure
from proctor.bench.overhead import measure_overhead
from proctor.bench.replay import measure_replay
from proctor.bench.report import measure_report
from proctor.bench.throughput import measure_throughput


def measure(*, pairs: int, episodes: int, recorded: int, say: Callable[[str], None]) -> list[Figure]:
    """Measure everything.

    Args:
        pairs: How often each task of the tour is held with and without the runner; 0 to leave that out.
        episodes: How many episodes to hold on the fake computer.
        recorded: How many recorded episodes the report is made of.
        say: Told what is measured next.
    """
    parts: list[tuple[str, Callable[[], list[Figure]]]] = [
        (f"{episodes:,} episodes on the fake computer", partial(measure_throughput, episodes)),
        (f"a report over {recorded:,} episodes", partial(measure_report, recorded)),
        ("the replay of 500 steps", measure_replay),
    ]
    if pairs:
        parts.insert(0, ("the tour with and without the runner", partial(measure_overhead, pairs)))
    figures = []
    for what, part in parts:
        say(what)
        figures += part()
    return figures
