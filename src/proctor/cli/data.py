"""`proctor data`: count episodes, export them, and import other tools' trajectories."""

from __future__ import annotations

import click

from proctor.cli.lazy import Lazy, LazyGroup

COMMANDS = {
    "count": Lazy("proctor.cli.count:count", "Count the episodes of runs by task, person, verdict and more."),
    "export": Lazy("proctor.cli.record:export", "Write runs in a format that other tools read."),
    "import": Lazy("proctor.cli.record:import_", "Make a run from other people's trajectories."),
}


@click.group(cls=LazyGroup, lazy=COMMANDS)
def data() -> None:
    """Count and export runs for other tools, and import trajectories.

    \b
    proctor data count studio
    proctor data export RUN --format osworld --out RESULTS
    proctor data import agentnet.jsonl --format agentnet --out RUN
    """
