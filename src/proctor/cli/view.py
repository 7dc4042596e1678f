"""`proctor view`: pages that list runs and replay their episodes, in the browser."""

from __future__ import annotations

from pathlib import Path

import click

from proctor.cli.extras import import_extra
from proctor.cli.options import preset


@click.command()
@click.argument("folders", metavar="RUN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@preset("--port", type=click.IntRange(0, 65535), default=8420, help="Port to listen on; 0 for any free one.")
@preset("--host", default="127.0.0.1", help="Address to listen on; with any other address, other machines can connect.")
@click.option("--no-open", is_flag=True, help="Do not open a browser.")
def view(folders: tuple[Path, ...], port: int, host: str, no_open: bool) -> None:
    """Replay episodes in the browser, also while they run; RUN may be a folder of runs.

    \b
    proctor view runs/tour              one run
    proctor view runs                   every run in a folder
    proctor view runs --port 0 --no-open
    """
    app = import_extra("proctor.web.app", "proctor view", "web")

    def ready(address: str) -> None:
        click.echo(f"Open {address}\nCtrl-C stops it.")

    app.serve(folders, host=host, port=port, ready=ready, browse=not no_open)
