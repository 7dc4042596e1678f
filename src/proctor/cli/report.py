"""`proctor report`: the results of runs, for the terminal, programs and papers, and as a page."""

from __future__ import annotations

from pathlib import Path

import click

from proctor.cli.options import preset
from proctor.errors import SpecError
from proctor.plain_text import json_text, printable
from proctor.report.episodes import DIMENSIONS
from proctor.report.markdown import markdown
from proctor.report.matrix import THRESHOLD
from proctor.report.page import page
from proctor.report.read_runs import read_runs
from proctor.report.summary import Report, summarise
from proctor.report.terminal import open_console
from proctor.report.text import print_report
from proctor.store.files import disk_trouble, write_whole
from proctor.store.inner_folders import made_below
from proctor.store.paths import RunPaths, folder_name

REPORT, PAGE = "report", "index.html"
DEMONSTRATIONS = "demonstrations"
"""Where in a studio the runs of people are."""
_NAMED = 3
"""So many runs are named in the folder of a page about several."""


@click.command()
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--compare",
    is_flag=True,
    help="Test each pair of agents on the tasks they share; an agent in several runs counts once per run.",
)
@click.option("--by", multiple=True, type=click.Choice(DIMENSIONS), help="Break success down by this; repeatable.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for a program to read.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown.")
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), help="Write the page to this file.")
@click.option(
    "--human",
    is_flag=True,
    help="Show people's results from the studio next to the agents', task by task.",
)
@preset(
    "--threshold",
    type=click.FloatRange(0, 1, min_open=True),
    default=THRESHOLD,
    help="Success rate that counts as capable in OS-MAP's matrix of levels and scopes.",
)
@preset(
    "--capabilities",
    type=click.Choice(["disjoint", "paper"]),
    default="disjoint",
    help="What the capabilities of composed tasks mean: sets that share no task, or OmniBench's own.",
)
def report(
    runs: tuple[Path, ...],
    compare: bool,
    by: tuple[str, ...],
    as_json: bool,
    as_markdown: bool,
    html: Path | None,
    human: bool,
    threshold: float,
    capabilities: str,
) -> None:
    """Report on runs, finished or still running.

    RUN is the folder of a run, or that of a studio for everything people did there. Prints a table and writes a page
    with everything: for one run into its own folder, for several below `reports` in the current folder, unless --html
    names another place. An agent that occurs in several runs is counted as one, and the report says so; with
    --compare it is compared run by run.

    \b
    proctor report RUN                      a table, and RUN/report/index.html
    proctor report RUN1 RUN2 --compare      are the agents, or the runs of one agent, really different?
    proctor runs diff RUN1 RUN2             which tasks were won and lost
    proctor report RUN studio --human       people, timed, and the agents on the same tasks
    proctor report RUN --json               everything, for a program
    """
    if as_json + as_markdown + (html is not None) > 1:
        raise click.UsageError("--json, --markdown and --html exclude each other")
    found = summarise(*read_runs(_unfold(runs), apart=compare), threshold=threshold, capabilities=capabilities)
    if human and not found.table("humans"):
        raise SpecError(
            "nobody has done any of these tasks against the clock",
            remedy="`proctor studio`, Try, timed; then give its FOLDER along with the runs of agents",
        )
    if as_json:
        click.echo(json_text(found.plain()))
    elif as_markdown:
        click.echo(markdown(found, by=by))
    else:
        if not html:
            print_report(found, open_console(), by=by, compare=compare, human=human)
        click.echo(f"{'' if html else chr(10)}page: {printable(str(write_page(found, html)))}")


def _unfold(runs: tuple[Path, ...]) -> list[Path]:
    """Return runs, with those that people made in the place of each studio that is named."""
    found: list[Path] = []
    for run in runs:
        made = run / DEMONSTRATIONS
        inside = sorted(made.iterdir()) if made.is_dir() and not RunPaths(run).run.exists() else None
        found += [run] if inside is None else [each for each in inside if RunPaths(each).index.exists()]
    return found


def write_page(found: Report, place: Path | None = None) -> Path:
    """Write a report as a page and return where: into a run's folder only if it is about it alone.

    What a user names is written as it is named; inside a run, which may come from elsewhere, no link is followed.
    """
    title = f"Report on {', '.join(Path(run.folder).name for run in found.runs)}"
    text = page(found, title).encode()
    if place is None and len(found.runs) == 1:
        folder = made_below(Path(found.runs[0].folder), REPORT)
        write_whole(folder, PAGE, text)
        return folder / PAGE
    place = place or _place_of_several(found)
    with disk_trouble(place):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text)
    return place


def _place_of_several(found: Report) -> Path:
    names = [folder_name(Path(run.folder).resolve().name) for run in found.runs]
    listed = [*names[:_NAMED], *([f"{len(names) - _NAMED}-more"] if len(names) > _NAMED else [])]
    return Path("reports") / "+".join(listed) / PAGE
