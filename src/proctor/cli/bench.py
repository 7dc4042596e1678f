"""`proctor bench`: measure this machine, as a table and as JSON."""

from __future__ import annotations

import click
from rich.console import Console
from rich.table import Table

from proctor.bench.measure import Figure, to_json


@click.group()
def bench() -> None:
    """Measure how fast computers are on this machine."""


@bench.command()
@click.option("--image", default="starter", show_default=True, help="Image to measure.")
@click.option("--office", help="Image with LibreOffice and pyatspi for the tree; any that is built, otherwise.")
@click.option(
    "--desktops", type=click.IntRange(min=1), default=16, show_default=True, help="How many desktops to open at once."
)
@click.option(
    "--repeats",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    help="How often to repeat; medians are shown.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program to read.")
def computer(image: str, office: str | None, desktops: int, repeats: int, as_json: bool) -> None:
    """Starting, seeing, acting, memory and density of the sandbox, with the baselines it is compared with."""
    from proctor.bench import computer as figures_of
    from proctor.bench.spreadsheet import office_image

    progress = Console(stderr=True)
    with progress.status("") as status:
        figures = figures_of.measure(
            image=image,
            office=office or office_image(),
            desktops=desktops,
            repeats=repeats,
            say=lambda text: status.update(f"measuring: {text}"),
        )
    _show(figures, "proctor bench computer", as_json=as_json)


@bench.command()
@click.option(
    "--pairs",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    help="How often each task of the tour is held with and without the runner.",
)
@click.option(
    "--episodes", type=click.IntRange(min=100), default=10_000, show_default=True, help="On the fake computer."
)
@click.option("--recorded", type=click.IntRange(min=100), default=100_000, show_default=True, help="For the report.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program to read.")
def runner(pairs: int, episodes: int, recorded: int, as_json: bool) -> None:
    """What the runner and the record cost, how many episodes they hold, how fast reports and replays are."""
    from proctor.bench.runner import measure

    with Console(stderr=True).status("") as status:
        figures = measure(
            pairs=pairs,
            episodes=episodes,
            recorded=recorded,
            say=lambda text: status.update(f"measuring: {text}"),
        )
    _show(figures, "proctor bench runner", as_json=as_json)


def _show(figures: list[Figure], title: str, *, as_json: bool) -> None:
    if as_json:
        click.echo(to_json(figures))
        return
    table = Table("what", "measured", "reach", "", title=title, title_justify="left")
    for figure in figures:
        shown = "-" if figure.value is None else f"{figure.value:.{_places(figure)}f} {figure.unit}"
        colour = {True: "green", False: "yellow", None: "dim"}[figure.reached]
        goal = f"{figure.goal:.0f} {figure.unit}" if figure.goal is not None else ""
        table.add_row(figure.what, f"[{colour}]{shown}[/]", goal, f"[dim]{figure.note}[/]")
    Console().print(table)


def _places(figure: Figure) -> int:
    """Return how many decimals tell something."""
    return 1 if figure.value is not None and abs(figure.value) < 20 else 0
