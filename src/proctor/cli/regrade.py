"""`proctor runs regrade`: judge a run again from its record, without a computer."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

import click
from rich.console import Console

from proctor.cli.options import FOLDER, preset
from proctor.cli.plain import escape
from proctor.errors import UnknownName
from proctor.records import Result
from proctor.runner.regrade import regrade_run
from proctor.store.run import RunRecord
from proctor.suites import SUITES
from proctor.tasks.task import Task


@click.command()
@click.argument("folder", metavar="RUN", type=FOLDER)
@preset(
    "--tasks",
    type=click.Choice(["recorded", "current"]),
    default="recorded",
    help="Use the checks of the tasks as recorded, or as they are in the suite now.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for a program to read.")
def regrade(folder: Path, tasks: str, as_json: bool) -> None:
    """Judge every episode again from the evidence in its record.

    With the recorded tasks every score must come out the same; otherwise the checks of this version judge differently.
    Side effects inside documents and stores are compared again too. The exit status is 1 when a score or a side effect
    differs. The record is not changed.

    \b
    proctor runs regrade runs/tour
    proctor runs regrade runs/core --tasks current     after a check was fixed
    """
    record = RunRecord.open(folder)
    found = list(regrade_run(record, _current if tasks == "current" else None))
    different = [one for one in found if one.differs]
    if as_json:
        listed = [
            {
                **asdict(one.key),
                "before": one.before,
                "after": one.after,
                "why": one.why,
                "new_side_effects": one.new,
                "gone_side_effects": one.gone,
            }
            for one in different
        ]
        click.echo(json.dumps({"episodes": len(found), "same": len(found) - len(different), "different": listed}))
    else:
        console = Console(highlight=False)
        for one in different:
            after = "cannot be judged" if one.after is None else f"{one.after:g}"
            label = f"{one.key.task} seed {one.key.seed}, {one.key.agent}"
            if one.after != one.before:
                console.print(escape(f"{label}: {one.before:g} -> {after}  {one.why}"))
            for said, effects in (("a side effect now", one.new), ("no side effect any more", one.gone)):
                for effect in effects:
                    console.print(escape(f"{label}: {said}: {effect}"))
        console.print(f"{len(found)} episodes judged again, {len(different)} differ")
    if different:
        sys.exit(1)


def _current(result: Result) -> Task:
    suite, _, name = result.key.task.partition("/")
    # By name only: a record may come from elsewhere, and a folder that it names would be run.
    found = SUITES.get(suite)
    wanted = next((template for template in found.templates if template.id(suite) == result.key.task), None)
    if wanted is None:
        names = [template.name for template in found.templates]
        raise UnknownName(f"task of suite {suite!r}", name, names, listing=f"proctor tasks list --suite {suite}")
    return found.task(wanted.name, result.key.seed)
