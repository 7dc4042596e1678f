"""`proctor run --confirm page`: the page in which a person confirms what an agent does."""

from __future__ import annotations

import click

from proctor.cli.extras import import_extra
from proctor.runner.workers.worker import Workers


def controlled_workers(confirm: str) -> Workers:
    """Open the page, say where it is, and return workers that ask there before each action."""
    page = import_extra("proctor.studio.control.serve", "proctor run --confirm page", "web")

    def ready(address: str) -> None:
        click.echo(f"Confirm each action at {address}  (lets one browser in, once)", err=True)

    workers: Workers = page.ControlledWorkers(int(confirm.partition(":")[2] or 0), ready)
    return workers
