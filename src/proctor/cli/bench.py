"""`proctor bench`: measure this machine, as a table and as JSON."""

from __future__ import annotations

from pathlib import Path

import click
from click.core import ParameterSource
from rich.console import Console
from rich.table import Table

from proctor.bench.measure import Figure, to_json
from proctor.errors import MissingExtra
from proctor.report.terminal import open_console, print_table


@click.group()
def bench() -> None:
    """Measure how fast computers are on this machine."""


@bench.command()
@click.option(
    "--computer",
    "backend",
    type=click.Choice(["sandbox", "browser", "vnc", "qemu"]),
    default="sandbox",
    show_default=True,
    help="Which kind; browser on the image full unless told, vnc on the Xvnc of a sandbox, qemu with --disk or alone.",
)
@click.option("--image", default="starter", show_default=True, help="Image to measure.")
@click.option("--disk", default="", metavar="FILE", help="Disk image that the virtual machine of qemu starts from.")
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
@click.option("--quick", is_flag=True, help="Only a sample of the views after actions (see `proctor bench settle`).")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program to read.")
def computer(
    backend: str, image: str, disk: str, office: str | None, desktops: int, repeats: int, quick: bool, as_json: bool
) -> None:
    """Starting, seeing, acting, memory and density of the sandbox, with the baselines it is compared with.

    The views after actions take about twenty minutes, a sample of them five.
    """
    from proctor.bench import computer as figures_of
    from proctor.bench import settle as settling
    from proctor.bench.spreadsheet import office_image

    progress = Console(stderr=True)
    if backend == "browser":
        from proctor.bench import browser

        given = click.get_current_context().get_parameter_source("image") is not ParameterSource.DEFAULT
        with progress.status("") as status:
            figures = browser.measure(
                image=image if given else "full", repeats=repeats, say=lambda text: status.update(f"measuring: {text}")
            )
        _show(figures, "proctor bench computer --computer browser", as_json=as_json)
        return
    if backend == "qemu":
        from proctor.bench import qemu

        with progress.status("") as status:
            figures = qemu.measure(disk=disk, repeats=repeats, say=lambda text: status.update(f"measuring: {text}"))
        _show(figures, "proctor bench computer --computer qemu", as_json=as_json)
        return
    if backend == "vnc":
        from proctor.bench import vnc

        with progress.status("") as status:
            figures = vnc.measure(image=image, repeats=repeats, say=lambda text: status.update(f"measuring: {text}"))
        _show(figures, "proctor bench computer --computer vnc", as_json=as_json)
        return
    with progress.status("") as status:
        figures = figures_of.measure(
            image=image,
            office=office or office_image(),
            desktops=desktops,
            repeats=repeats,
            say=lambda text: status.update(f"measuring: {text}"),
        )
        figures += settling.measure(
            settling="quick", quick=quick, pictures=None, say=lambda text: status.update(f"measuring: {text}")
        )
    _show(figures, "proctor bench computer", as_json=as_json)


@bench.command()
@click.option(
    "--settle",
    "policy",
    default="quick",
    show_default=True,
    metavar="quick|careful|SECONDS",
    help="How long the screen is waited for after each action, as in `proctor run`.",
)
@click.option("--app", "apps", multiple=True, metavar="NAME", help="Only these applications. Repeatable.")
@click.option("--quick", is_flag=True, help="A sample: the first actions in the applications of the starter image.")
@click.option(
    "--pictures",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Keep each stale view beside the screen that was there.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program to read.")
def settle(policy: str, apps: tuple[str, ...], quick: bool, pictures: Path | None, as_json: bool) -> None:
    """Whether what is seen after an action is what is there 1.5 s later, over hundreds of actions in applications."""
    from proctor.bench import settle as settling
    from proctor.computers.settle import read_settling

    with Console(stderr=True).status("") as status:
        figures = settling.measure(
            settling=read_settling(policy),
            quick=quick,
            apps=apps,
            pictures=pictures,
            say=lambda text: status.update(f"measuring: {text}"),
        )
    _show(figures, "proctor bench settle", as_json=as_json)


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


@bench.command()
@click.option("--slots", type=click.IntRange(min=1), default=1000, show_default=True, help="Computers side by side.")
@click.option("--per-node", type=click.IntRange(min=1), default=50, show_default=True, help="Computers on one machine.")
@click.option("--episodes", type=click.IntRange(min=1), default=10_000, show_default=True)
@click.option(
    "--node-hours",
    type=click.FloatRange(min=0, min_open=True),
    default=24.0,
    show_default=True,
    help="How long a machine works, on average, before it is lost.",
)
@click.option(
    "--run",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Take how long episodes last from this run.",
)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program to read.")
def fleet(
    slots: int, per_node: int, episodes: int, node_hours: float, run: Path | None, seed: int, as_json: bool
) -> None:
    """Simulate a run on many computers: a work queue against fixed slices, with losses and stragglers."""
    from proctor.bench.fleet import Fleet, measure, recorded_seconds

    measured = recorded_seconds(run) if run else ()
    figures = measure(
        Fleet(slots=slots, per_node=per_node, episodes=episodes, node_hours=node_hours, measured=measured, seed=seed)
    )
    _show(figures, "proctor bench fleet", as_json=as_json)


@bench.command()
@click.option(
    "--count", type=click.IntRange(min=1), default=36_076, show_default=True, help="How many tasks to compose."
)
@click.option("-n", "--workers", type=click.IntRange(1, 64), default=2, show_default=True, help="Processes at work.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program to read.")
def graphs(count: int, workers: int, as_json: bool) -> None:
    """How fast tasks are composed and put into words, hard ones found, and the order of agents judged."""
    from proctor.bench.graphs import measure
    from proctor.suites.pool import POOL

    with Console(stderr=True).status("") as status:
        figures = measure(POOL, count=count, workers=workers, say=lambda text: status.update(f"measuring: {text}"))
    _show(figures, "proctor bench graphs", as_json=as_json)


@bench.command("offline")
@click.option("--records", type=click.IntRange(min=100), default=18_000, show_default=True, help="Grounding records.")
@click.option("--episodes", type=click.IntRange(min=10), default=40, show_default=True, help="To make data from.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program to read.")
def offline_figures(records: int, episodes: int, as_json: bool) -> None:
    """How fast offline benchmarks load and score records, make data from recorded episodes, and harvest elements."""
    from proctor.bench.offline import measure

    with Console(stderr=True).status("") as status:
        figures = measure(records=records, episodes=episodes, say=lambda text: status.update(f"measuring: {text}"))
    _show(figures, "proctor bench offline", as_json=as_json)


@bench.command()
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
def interop(calls: int, minutes: float, computer: str, as_json: bool) -> None:
    """What other people's clients and trainers pay for the way to a computer, beside what they do on it."""
    from proctor.bench.interop import measure

    with Console(stderr=True).status("") as status:
        figures = measure(
            calls=calls,
            minutes=minutes,
            computer=computer,
            say=lambda text: status.update(f"measuring: {text}"),
        )
    _show(figures, "proctor bench interop", as_json=as_json)


@bench.command("fork")
@click.argument("names", nargs=-1, metavar="[TASK]...")
@click.option("--suite", default="core", show_default=True, help="Whose tasks are recorded by their answer key first.")
@click.option("--step", type=click.IntRange(min=1), default=10, show_default=True, help="Actions that are repeated.")
@click.option("--tries", type=click.IntRange(min=1), default=100, show_default=True, help="Forks to make.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the order in which the tasks come.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program to read.")
def bench_fork(names: tuple[str, ...], suite: str, step: int, tries: int, seed: int, as_json: bool) -> None:
    """How soon another agent goes on from a recorded episode, and how often every screen is as it was recorded.

    A try takes twenty seconds or so: an episode is recorded, and then gone on from.
    """
    from proctor.bench.fork import measure

    with Console(stderr=True).status("") as status:
        figures = measure(
            suite=suite,
            step=step,
            tries=tries,
            names=names,
            seed=seed,
            say=lambda text: status.update(f"measuring: {text}"),
        )
    _show(figures, "proctor bench fork", as_json=as_json)


@bench.command("studio")
@click.option("--keys", type=click.IntRange(min=1), default=30, show_default=True, help="Keys to press.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program to read.")
def bench_studio(keys: int, as_json: bool) -> None:
    """From a key to the screen, what recording costs, how soon sets open, how large recordings are."""
    try:
        from proctor.bench.studio import measure
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("proctor"):
            raise
        raise MissingExtra("proctor bench studio", "web") from error

    with Console(stderr=True).status("") as status:
        figures = measure(keys=keys, say=lambda text: status.update(f"measuring: {text}"))
    _show(figures, "proctor bench studio", as_json=as_json)


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
    print_table(open_console(), table)


def _places(figure: Figure) -> int:
    """Return how many decimals tell something."""
    return 1 if figure.value is not None and abs(figure.value) < 20 else 0
