"""`proctor report`: what came of one or more runs, for the terminal, for programs, for papers and as a page."""

from __future__ import annotations

import json
from pathlib import Path

import click
from rich.console import Console

from proctor.report.episodes import DIMENSIONS
from proctor.report.markdown import markdown
from proctor.report.matrix import THRESHOLD
from proctor.report.page import page
from proctor.report.reading import read_runs
from proctor.report.summary import Report, summarise
from proctor.report.text import print_report
from proctor.store.files import disk_trouble
from proctor.store.paths import RunPaths


@click.command()
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--compare", is_flag=True, help="Test every two agents against each other on their common tasks.")
@click.option("--by", multiple=True, type=click.Choice(DIMENSIONS), help="Break success down by this; can be repeated.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for a program to read.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown.")
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), help="Write the page to this file.")
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1, min_open=True),
    default=THRESHOLD,
    show_default=True,
    help="Success that counts as performing in OS-MAP's matrix of levels and scopes.",
)
def report(
    runs: tuple[Path, ...],
    compare: bool,
    by: tuple[str, ...],
    as_json: bool,
    as_markdown: bool,
    html: Path | None,
    threshold: float,
) -> None:
    """Report on runs, finished or going on; several are put together.

    RUN is the folder of a run. Prints a table and writes a page with everything into the first run's folder, unless
    another output is asked for.

    \b
    proctor report RUN                      a table, and RUN/report/index.html
    proctor report RUN1 RUN2 --compare      are the agents really different?
    proctor report RUN --json               everything, for a program
    """
    if as_json + as_markdown + (html is not None) > 1:
        raise click.UsageError("--json, --markdown and --html exclude each other")
    found = summarise(*read_runs(runs), threshold=threshold)
    if as_json:
        click.echo(json.dumps(found.plain(), ensure_ascii=False, allow_nan=False))
    elif as_markdown:
        click.echo(markdown(found, by=by))
    else:
        place = html or RunPaths(runs[0]).root / "report" / "index.html"
        if not html:
            print_report(found, Console(highlight=False), by=by, compare=compare)
        click.echo(f"{'' if html else chr(10)}page: {write_page(found, place)}")


def write_page(found: Report, place: Path) -> Path:
    """Write a report as a page and return where it is."""
    title = f"Report on {', '.join(Path(run.folder).name for run in found.runs)}"
    with disk_trouble(place):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(page(found, title), encoding="utf-8")
    return place
