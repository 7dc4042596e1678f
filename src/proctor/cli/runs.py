"""`proctor runs`: what can be done with a run that is on disk."""

from __future__ import annotations

import click

from proctor.cli.lazy import Lazy, LazyGroup

COMMANDS = {
    "resume": Lazy("proctor.cli.run:resume", "Continue a run that was interrupted."),
    "fork": Lazy("proctor.cli.fork:fork", "Continue from the middle of an episode with another agent."),
    "diff": Lazy("proctor.cli.diff:diff", "Show which tasks were won and lost between two runs."),
    "verify": Lazy("proctor.cli.record:verify", "Check that a record is complete and unchanged."),
    "regrade": Lazy("proctor.cli.regrade:regrade", "Judge a run again from its record, without a computer."),
}


@click.group(cls=LazyGroup, lazy=COMMANDS)
def runs() -> None:
    """Resume, fork, compare, verify and regrade recorded runs.

    \b
    proctor runs resume runs/2026-03-12-093000-core     continue where it was interrupted
    proctor runs diff RUN1 RUN2                         which tasks were won and lost
    proctor runs verify runs/2026-03-12-093000-core     is the record complete and unchanged?
    """
