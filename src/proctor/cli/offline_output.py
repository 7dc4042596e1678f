"""What `proctor offline` prints: data, figures, comparisons, calibrations."""

from __future__ import annotations

from collections.abc import Sequence

import click
from rich.text import Text

from proctor.offline.calibration import Calibration
from proctor.offline.compare import RunPair, compare_runs
from proctor.offline.loaders.load import FORMS
from proctor.offline.sample import Data
from proctor.offline.summary import Summary, short_names, tables
from proctor.offline.target import CONVENTIONS
from proctor.plain_text import json_text, one_line
from proctor.report.cells import ReportTable
from proctor.report.statistics import Paired
from proctor.report.terminal import open_console, print_table
from proctor.report.text import draw_table

MOST_ROWS = 20
MOST_NAMED = 20


def show_data(data: Data, *, named: bool = False) -> None:
    """Print what a data set is."""
    boxes = f"; boxes: {CONVENTIONS[data.boxes].words}" if data.boxes else ""
    of = f" of {data.records:,} records" if data.defects else ""
    click.echo(f"{data.form}: {len(data.samples):,} samples{of}{boxes}")
    if data.defects:
        reasons = "; ".join(f"{reason}: {count}" for reason, count in data.reasons.items())
        click.echo(one_line(f"left out {len(data.defects):,} records: {reasons}"))
    for defect in data.defects[:MOST_NAMED] if named else ():
        click.echo(one_line(f"  {defect.id}: {defect.reason}"))
    if named and len(data.defects) > MOST_NAMED:
        click.echo(f"  and {len(data.defects) - MOST_NAMED} more (--json names all)")
    for remark in data.remarks:
        click.secho(one_line(remark), fg="yellow")


def show_summaries(summaries: Sequence[Summary]) -> None:
    """Print the figures of one or several runs."""
    console, names = open_console(), short_names(summaries)
    found = tables(summaries, names)
    for table in found:
        if table.title:
            console.print(Text(f"\n{one_line(table.title)}", style="bold"))
        print_table(console, draw_table(table, MOST_ROWS))
        if table.name == "outcomes" and table.note:
            console.print(Text(one_line(table.note), style="dim"))
    for name, each in zip(names, summaries, strict=True):
        for hint in each.hints():
            console.print(Text(one_line(f"{name}: {hint}" if len(summaries) > 1 else hint), style="yellow"))
    for pair in compare_runs(summaries):
        console.print(Text(one_line(_comparison(pair))))


def _comparison(pair: RunPair) -> str:
    words = "differ" if pair.alike.p < 0.05 else "cannot be told apart"
    first, second = (f"{100 * share:.1f} %" for share in pair.accuracies)
    said = (
        f"{pair.first} less {pair.second}: {_points(pair.alike)} ({first} against {second} of the "
        f"{pair.samples:,} samples that both answered), p = {pair.alike.p:.3f}: they {words}"
    )
    clusters = pair.by_cluster.tasks
    if clusters == pair.samples:
        return said
    return f"{said}. Each of the {clusters:,} pictures or tasks counted alike: {_points(pair.by_cluster)}"


def _points(found: Paired) -> str:
    interval = ", ".join(f"{100 * end:+.0f}" for end in found.interval)
    return f"{100 * (found.difference or 0):+.1f} points [{interval}]"


def show_forms(*, as_json: bool) -> None:
    """Print the forms of records that are read."""
    if as_json:
        listed = [
            {"name": form.name, "task": form.task, "about": form.about, "columns": form.columns, "boxes": form.boxes}
            for form in FORMS.values()
        ]
        click.echo(json_text({"forms": listed, "boxes": {name: each.words for name, each in CONVENTIONS.items()}}))
        return
    rows = tuple(
        (form.name, form.task, form.about, ", ".join(form.columns), CONVENTIONS[form.boxes].words if form.boxes else "")
        for form in FORMS.values()
    )
    table = ReportTable("", "", ("form", "task", "which sets", "told by", "boxes"), rows)
    print_table(open_console(), draw_table(table, MOST_ROWS))


def show_calibration(found: Calibration) -> None:
    """Print what five answers show."""
    rows = tuple((each["target"], str(each["point"] or "none"), each["space"]) for each in found.answers)
    table = ReportTable("", "", ("target", "answered", "read as"), rows)
    print_table(open_console(), draw_table(table, MOST_ROWS))
    sent = "x".join(map(str, found.sent))
    click.echo(f"picture {'x'.join(map(str, found.size))}, sent as {sent}; {found.hits} of {len(found.answers)} hit")
    if found.scale:
        click.echo(f"scale {found.scale[0]:g} across, {found.scale[1]:g} down")
    click.secho(one_line(found.verdict), fg="green" if found.good else "yellow")
