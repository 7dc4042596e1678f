"""`proctor run --confirm page`: the page in which a person confirms what an agent does."""

from __future__ import annotations

import click

from proctor.errors import MissingExtra
from proctor.runner.workers.worker import Workers


def controlled_workers(confirm: str) -> Workers:
    """Open the page, say where it is, and return workers that ask there before each action."""
    try:
        from proctor.studio.control.serve import ControlledWorkers
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("proctor"):
            raise
        raise MissingExtra("proctor run --confirm page", "web") from error

    def ready(address: str) -> None:
        click.echo(f"Confirm each action at {address}  (lets one browser in, once)", err=True)

    return ControlledWorkers(int(confirm.partition(":")[2] or 0), ready)
