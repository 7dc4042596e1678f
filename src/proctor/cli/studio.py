"""`proctor studio`: pages in which people record, try, annotate and review, in the browser."""

from __future__ import annotations

from pathlib import Path

import click

from proctor.cli.extras import import_extra
from proctor.cli.options import FOLDER, FOUND_FOLDER, preset
from proctor.errors import HostError
from proctor.runner.computer_spec import ComputerSpec
from proctor.suites import load_suite


@click.command()
@click.argument("folder", metavar="[FOLDER]", default="studio", type=FOLDER)
@preset("--port", type=click.IntRange(0, 65535), default=8430, help="Port to listen on; 0 for any free one.")
@preset("--host", default="127.0.0.1", help="Address to listen on; with any other address, other machines can connect.")
@preset(
    "--suite",
    "suites",
    multiple=True,
    default=("core",),
    metavar="NAME|FOLDER",
    help="Where tasks come from; repeatable.",
)
@click.option(
    "--run",
    "runs",
    multiple=True,
    type=FOUND_FOLDER,
    metavar="RUN",
    help="Recorded run, or folder of runs, to look at and review; repeatable.",
)
@preset(
    "--computer",
    default="sandbox",
    metavar="COMPUTER",
    help="NAME,option=value,... or module:Class (see `proctor computers list`).",
)
@click.option("--no-open", is_flag=True, help="Do not open a browser.")
def studio(
    folder: Path, port: int, host: str, suites: tuple[str, ...], runs: tuple[Path, ...], computer: str, no_open: bool
) -> None:
    """Serve pages to record, try, annotate and review in the browser; FOLDER keeps the work.

    The printed address works in one browser, once; then a new one is printed.

    \b
    proctor studio serve                            tasks of core; work is kept in ./studio
    proctor studio serve work --suite tour --no-open
    proctor studio work --suite my-tasks --run runs  `serve` may be left out
    """
    app = import_extra("proctor.studio.app", "proctor studio", "web")
    ComputerSpec.parse(computer)
    listed = tuple(load_suite(name) for name in suites)
    made = app.Studio(folder=folder.resolve(), runs=runs, suites=listed, computer=computer)
    try:
        made.demonstrations.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HostError(f"{folder} cannot be made: {error.strerror}", remedy="choose another FOLDER") from error

    def ready(address: str) -> None:
        click.echo(f"Enter at {address}")

    click.echo(f"The studio keeps what is made in {made.folder}; Ctrl-C stops it. Each address works in one browser.")
    app.serve(made, host=host, port=port, ready=ready, browse=not no_open)
