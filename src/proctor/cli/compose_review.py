"""`proctor tasks compose --verdicts`: what people said of composed tasks, and how far they agree."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import isnan
from pathlib import Path

import click

from proctor.graphs.compose.review import SenseVerdict, read_verdicts
from proctor.plain_text import one_line
from proctor.report.agreement import Confusion

SIZES = ((1, 4), (5, 8), (9, 99))


def show_verdicts(files: Sequence[Path], *, as_json: bool) -> None:
    """Print how many tasks each person found sensible, by size, how far two agree, and why not."""
    people = {_name(path): read_verdicts(path) for path in files}
    rows = [_row(name, said) for name, said in people.items()]
    pairs = [_pair(one, other, people) for one, other in combinations(people, 2)]
    if as_json:
        for line in (*rows, *pairs):
            click.echo(json.dumps(line))
        return
    for row in rows:
        click.echo(
            one_line(f"{row['by']}: " + ", ".join(f"{what} {told}" for what, told in row.items() if what != "by"))
        )
    for pair in pairs:
        told = ", ".join(f"{what} {pair[what]}" for what in ("both judged", "agreement", "kappa"))
        click.echo(one_line(f"{pair['one']} and {pair['other']}: {told}"))
    for name, said in people.items():
        for verdict in said:
            if not verdict.sensible:
                click.echo(one_line(f"not sensible to {name}: {verdict.task}: {verdict.why}"))


def _name(path: Path) -> str:
    return path.stem.removeprefix("verdicts-")


def _row(name: str, said: Sequence[SenseVerdict]) -> dict[str, object]:
    row: dict[str, object] = {"by": name, "tasks": len(said), "sensible": _share([each.sensible for each in said])}
    for least, most in SIZES:
        mine = [each.sensible for each in said if least <= each.size <= most]
        row[f"of {least} to {most} subtasks" if most < 99 else f"of {least} and more"] = _share(mine)
    return row


def _share(said: Sequence[bool]) -> str:
    return f"{sum(said)} of {len(said)}" + (f" ({100 * sum(said) / len(said):.0f} %)" if said else "")


def _pair(one: str, other: str, people: Mapping[str, Sequence[SenseVerdict]]) -> dict[str, object]:
    first, second = ({each.task: each.sensible for each in people[name]} for name in (one, other))
    both = [task for task in first if task in second]
    found = Confusion.of([first[task] for task in both], [second[task] for task in both])
    agreement, kappa = (None if isnan(value) else round(value, 3) for value in (found.accuracy, found.kappa))
    return {"one": one, "other": other, "both judged": len(both), "agreement": agreement, "kappa": kappa}
