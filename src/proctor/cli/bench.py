"""`proctor bench`: measure this machine, as a table and as JSON."""

from __future__ import annotations

import click
from rich.console import Console
from rich.table import Table


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
    if as_json:
        click.echo(figures_of.to_json(figures))
        return
    table = Table("what", "measured", "reach", "", title="proctor bench computer", title_justify="left")
    for figure in figures:
        shown = "-" if figure.value is None else f"{figure.value:.0f} {figure.unit}"
        colour = {True: "green", False: "yellow", None: "dim"}[figure.reached]
        goal = f"{figure.goal:.0f} {figure.unit}" if figure.goal is not None else ""
        table.add_row(figure.what, f"[{colour}]{shown}[/]", goal, f"[dim]{figure.note}[/]")
    Console().print(table)
