"""The figures of the doors for other people's clients and trainers: what the way to a computer costs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import click

from benchmarks.interop_mcp import measure_mcp
from benchmarks.interop_openenv import measure_openenv
from benchmarks.interop_osworld import measure_osworld
from proctor.bench.measure import Figure
from proctor.bench.terminal import print_figures, progress
from proctor.errors import MissingExtra


@click.command("interop")
@click.option("--calls", type=click.IntRange(min=10), default=200, show_default=True, help="Calls of each kind.")
@click.option(
    "--minutes",
    type=click.FloatRange(min=0),
    default=0.0,
    show_default=True,
    help="How long sixteen OpenEnv sessions at once go on, each with a step a minute; 0 for ten steps without pauses.",
)
@click.option("--computer", default="fake", show_default=True, help="The computers of those sessions.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program to read.")
def command(calls: int, minutes: float, computer: str, as_json: bool) -> None:
    """What other people's clients and trainers pay for the way to a computer, beside what they do on it."""
    with progress() as say:
        figures = measure(
            calls=calls,
            minutes=minutes,
            computer=computer,
            say=say,
        )
    print_figures(figures, "proctor bench interop", as_json=as_json)


def measure(*, calls: int, minutes: float, computer: str, say: Callable[[str], None]) -> list[Figure]:
    """Measure everything.

    Args:
        calls: How many calls of each kind are timed.
        minutes: How long many OpenEnv sessions go on at once, with pauses; 0 for one round without.
        computer: What those sessions have.
        say: Told what is measured next.
    """
    parts: list[tuple[str, Callable[[], list[Figure]]]] = [
        (f"{calls:,} calls of an MCP tool", partial(measure_mcp, calls)),
        (
            "steps over OpenEnv's websocket, then sixteen sessions at once",
            partial(measure_openenv, minutes=minutes, computer=computer),
        ),
        ("sixteen computers through the vector environment", _vector),
        ("episodes of DesktopEnv with a browser", measure_osworld),
    ]
    figures = []
    for what, part in parts:
        say(what)
        figures += part()
    return figures


def _vector() -> list[Figure]:
    """Measure the vector environment; without Gymnasium it is left out, and the figure says so."""
    try:
        from benchmarks.interop_vector import measure_vector
    except MissingExtra as error:
        what = "throughput that the vector environment costs"
        return [Figure(key="vector_cost_percent", what=what, value=None, unit="%", note=f"left out: {error.remedy}")]
    return measure_vector()
