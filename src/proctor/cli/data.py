"""`proctor data`: runs in the formats of other tools, and their trajectories as runs."""

from __future__ import annotations

import click

from proctor.cli.lazy import Lazy, LazyGroup

COMMANDS = {
    "export": Lazy("proctor.cli.record:export", "Write a run in a format that other tools read."),
    "import": Lazy("proctor.cli.record:import_", "Make a run from somebody else's trajectories."),
}


@click.group(cls=LazyGroup, lazy=COMMANDS)
def data() -> None:
    """Export runs for other tools, and import trajectories.

    \b
    proctor data export RUN --format osworld --out RESULTS
    proctor data import agentnet.jsonl --format agentnet --out RUN
    """
