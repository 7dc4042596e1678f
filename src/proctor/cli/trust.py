"""Whether to go on with a run from elsewhere: its user sees what it starts, and is asked."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import click

from proctor.agents.load import look_in
from proctor.errors import SpecError
from proctor.plain_text import one_line
from proctor.runner.plan import Plan
from proctor.runner.plan_record import begin, recall
from proctor.runner.preflight import images_of
from proctor.store.own_runs import begun_in, remember
from proctor.store.run import RunRecord

__all__ = ["begin_own", "code_folders", "go_on_with", "remember", "starts"]


def go_on_with(folder: Path, *, trust: bool) -> tuple[RunRecord, Plan]:
    """Open a run to go on with it, and its plan; one begun elsewhere only when its user says so.

    Nothing of it is touched, imported or started before. Modules that it names are looked for in the folder it was
    begun in, or in the current one where it comes from elsewhere. Raises SpecError where there is nobody to ask, Abort
    when the answer is no.
    """
    found = RunRecord.open(folder)
    code = code_folders(found, starts(recall(found)), trust)
    record = RunRecord.resume(folder)
    if record.root != found.root:
        record.close()
        raise SpecError(f"{folder} was changed in the meantime", remedy="check who else writes there")
    return record, replace(recall(record), code=code)


def begin_own(plan: Plan, out: Path | None, name: str) -> RunRecord:
    """Begin a run of its user's own, in a new folder below `runs` unless another is named."""
    folder = out or Path("runs") / f"{datetime.now():%Y-%m-%d-%H%M%S}-{name}"
    record = begin(plan, folder, images=images_of(plan))
    remember(record.root, *(plan.code or [Path.cwd()]))
    return record


def code_folders(record: RunRecord, started: Iterable[str], trust: bool) -> tuple[Path, ...]:
    """Return where modules that a record names are looked for from now on; asks about foreign ones.

    What is known of a run that was begun here is its `run.json`, so whatever else would be `started`, because an
    episode names it, is asked about too.
    """
    code = _code_folders(record, list(started), trust)
    look_in(*code)
    return code


def _code_folders(record: RunRecord, shown: list[str], trust: bool) -> tuple[Path, ...]:
    begun = begun_in(record.root)
    if begun:
        known = set(starts(recall(record)))
        shown = [line for line in shown if line not in known]
        if not shown:
            return begun
    code = begun or (Path.cwd(),)
    if trust:
        return code
    folder = one_line(str(record.folder))
    why = f"{folder} {'has an episode that names what run.json does not' if begun else 'was not begun here by you'}"
    if not sys.stdin.isatty():
        raise SpecError(
            f"{why}, and continuing it would start {'; '.join(shown) or 'a computer'}",
            remedy="look at its run.json and episode.json, and add --trust if you would start these yourself",
        )
    click.echo(f"{why}. Continuing it starts on this machine:")
    for line in shown:
        click.echo(f"  {line}")
    click.echo(f"Modules are searched on Python's path, then in {', '.join(one_line(str(one)) for one in code)}.")
    click.confirm("Go on?", abort=True)
    return code


def starts(plan: Plan, *, agents: bool = True) -> Iterator[str]:
    """Yield everything that a plan has started, imported, asked or read outside of a sandbox."""
    for agent in plan.agents if agents else ():
        yield f"agent {one_line(agent.label)}"
    if plan.rules.policy:
        yield f"policy {one_line(plan.rules.policy)}"
    if plan.rules.user_model:
        yield f"model {one_line(plan.rules.user_model)}, which plays the user"
    if plan.rules.critic:
        yield f"model {one_line(plan.rules.critic)}, which judges alongside the checks"
    if plan.rules.backend != "sandbox":
        yield f"computers {one_line(plan.rules.backend)}"
    for server in plan.rules.tool_servers:
        yield f"tool server {one_line(server.shown)}"
    if plan.assets:
        yield f"tasks with files from {one_line(str(plan.assets))}"
