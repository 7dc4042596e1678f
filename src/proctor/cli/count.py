"""`data count`: how many episodes, by task, person, application, verdict, review and day."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import click

from proctor.cli.options import FOUND_FOLDER, ONLY
from proctor.plain_text import one_line
from proctor.store.collection import EpisodeFilter, Recorded, find_runs, walk

BY = ("task", "person", "agent", "app", "verdict", "review", "day")


@click.command()
@click.argument("runs", type=FOUND_FOLDER, nargs=-1, required=True, metavar="RUN...")
@ONLY
@click.option("--by", type=click.Choice(BY), multiple=True, help="Count by this only; repeatable.  [default: all]")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def count(runs: tuple[Path, ...], only: tuple[str, ...], by: tuple[str, ...], as_json: bool) -> None:
    """Count the episodes of runs by task, person, verdict and more.

    A RUN is a run, a folder of runs, or the folder of a studio, as for `proctor data export`.

    \b
    proctor data count studio
    proctor data count studio runs/2026-03-12 --only verdict=passed --by person --by day
    """
    choice, total = EpisodeFilter.parse(only), 0
    found: dict[str, Counter[str]] = {name: Counter() for name in by or BY}
    for item in walk(find_runs(runs), choice):
        total += 1
        for name, counted in found.items():
            counted.update(_values(item, name))
    if as_json:
        click.echo(json.dumps({"episodes": total, **{name: dict(each.most_common()) for name, each in found.items()}}))
        return
    click.echo(f"{total} episodes")
    for name, counted in found.items():
        click.echo(f"\n{name}")
        for value, number in sorted(counted.items()) if name == "day" else counted.most_common():
            click.echo(f"{number:>7}  {one_line(value)}")


def _values(item: Recorded, name: str) -> Iterable[str]:
    """Return under what an episode counts: one with several applications under each."""
    key = item.result.key
    match name:
        case "app":
            return item.result.apps or ("none",)
        case "day":
            return (datetime.fromtimestamp(item.result.started, UTC).date().isoformat(),)
        case "task" | "agent":
            return (key.task if name == "task" else key.agent,)
        case "person":
            return (item.person or "nobody (agents)",)
    return (str(getattr(item, name)),)
