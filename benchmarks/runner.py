"""The figures of the runner: its cost and the record's, its rate, how fast reports are."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import click

from benchmarks.runner_overhead import measure_overhead
from benchmarks.runner_replay import measure_replay
from benchmarks.runner_report import measure_report
from benchmarks.runner_throughput import measure_throughput
from proctor.bench.measure import Figure, measure_parts
from proctor.bench.terminal import print_figures, progress


@click.command("runner")
@click.option(
    "--pairs",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    help="How often each task of the tour is held with and without the runner; 0 leaves that out.",
)
@click.option(
    "--episodes", type=click.IntRange(min=100), default=10_000, show_default=True, help="On the fake computer."
)
@click.option("--recorded", type=click.IntRange(min=100), default=100_000, show_default=True, help="For the report.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program to read.")
def command(pairs: int, episodes: int, recorded: int, as_json: bool) -> None:
    """What the runner and the record cost, its rate, how fast reports and replays are."""
    parts: list[tuple[str, Callable[[], list[Figure]]]] = [
        (f"{episodes:,} episodes on the fake computer", partial(measure_throughput, episodes)),
        (f"a report over {recorded:,} episodes", partial(measure_report, recorded)),
        ("the replay of 500 steps", measure_replay),
    ]
    if pairs:
        parts.insert(0, ("the tour with and without the runner", partial(measure_overhead, pairs)))
    with progress() as say:
        figures = measure_parts(parts, say)
    print_figures(figures, "proctor bench runner", as_json=as_json)
