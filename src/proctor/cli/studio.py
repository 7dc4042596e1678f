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
@preset("--port", type=click.IntRange(0, 65535), default=8430, help="0 for any free one.")
@preset("--host", default="127.0.0.1", help="Address to listen on; others can then come too.")
@preset("--suite", "suites", multiple=True, default=("core",), help="Whose tasks; repeatable, or a folder.")
@click.option(
    "--runs",
    multiple=True,
    type=FOUND_FOLDER,
    metavar="RUN",
    help="Run, or folder of runs, to look at and review; repeatable.",
)
@preset(
    "--computer",
    default="sandbox",
    metavar="NAME[,OPTION=VALUE,...]",
    help="Which computers people work on, as in `proctor run`.",
)
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
def studio(
    folder: Path, port: int, host: str, suites: tuple[str, ...], runs: tuple[Path, ...], computer: str, no_browser: bool
) -> None:
    """Serve pages in which people record, try, annotate and review; FOLDER keeps their work.

    The address that is printed lets one browser in, once; then the next one is printed.

    \b
    proctor studio                                  tasks of core; what is made goes to ./studio
    proctor studio work --suite tour --no-browser
    proctor studio work --suite my-tasks --runs runs
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

    click.echo(f"The studio keeps what is made in {made.folder}; Ctrl-C ends it. Each address lets one browser in.")
    app.serve(made, host=host, port=port, ready=ready, browse=not no_browser)
