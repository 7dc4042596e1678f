"""A run in front of its user: progress while it goes on, and what it came to."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import click

from proctor.cli.extras import import_extra
from proctor.cli.plain import escape
from proctor.cli.progress import RunBar
from proctor.cli.run_summary import command, show_run
from proctor.report.terminal import open_console
from proctor.runner.admission import EpisodeAdmission
from proctor.runner.agent_output import PRESENT
from proctor.runner.capacity import share
from proctor.runner.computer_spec import ComputerSpec
from proctor.runner.plan import Plan
from proctor.runner.schedule import MODEL_FAILURES, carry_out
from proctor.runner.workers.local import HereWorkers, LocalWorkers
from proctor.runner.workers.worker import Workers
from proctor.store.run import RunRecord

INCOMPLETE = 3
"""Exit status of a run that ended before all was done."""
ALL_VOID = 4
"""Exit status of a run that says nothing about any agent: no episode could be scored."""


@dataclass(frozen=True)
class RunSettings:
    """Where and how a run is carried out; none of it changes what is examined."""

    size: int | None = None
    """Episodes side by side; None for as many as the machine can hold."""
    on: str = "local"
    address: str = ""
    most_usd: float | None = None
    loose_limits: bool = False
    """Whether agents may run code also where a sandbox has bounds that it could pass."""
    preflight: bool = True
    as_json: bool = False
    resumable: bool = True
    """Whether what is left can be held another time."""


def hold_visibly(plan: Plan, record: RunRecord, workers: Workers, settings: RunSettings) -> None:
    """Carry out a plan with a progress bar; ends the process where it is incomplete."""
    console = open_console(stderr=True)
    again = f"continue with: {escape(command('runs resume', record.folder))}"
    try:
        with RunBar(console, {agent.label: plan.share(agent) for agent in plan.agents}) as bar:
            if isinstance(workers, LocalWorkers):
                workers.hear(bar.tell)
            tally = carry_out(plan, record, workers, heard=bar.hear, most_usd=settings.most_usd)
    except KeyboardInterrupt:
        console.print(f"stopped; {again}" if settings.resumable else "stopped", soft_wrap=True)
        raise
    if isinstance(workers, LocalWorkers) and workers.admission.summary:
        workers.admission.keep(record.folder)
        console.print(workers.admission.summary, soft_wrap=True)
    for agent, why in tally.stopped.items():
        console.print(f"[red]{escape(agent)} was not asked again: its model failed {MODEL_FAILURES} times in a row[/]")
        console.print(f"  {escape(why)}", soft_wrap=True)
    if tally.out_of_money:
        console.print(f"[yellow]the run has cost {tally.cost_usd:.2f} USD and was stopped[/]")
    if tally.uncounted and settings.most_usd is not None:
        console.print(
            f"[yellow]--max-cost cannot be enforced, so the run was stopped: {escape(tally.uncounted)}[/]",
            soft_wrap=True,
        )
    if tally.gone:
        console.print(f"[red]the run was aborted: {escape(tally.gone)}[/]", soft_wrap=True)
    if not tally.complete and settings.resumable:
        console.print(again, soft_wrap=True)
    if tally.gone and next(iter(record.results()), None) is None:
        sys.exit(INCOMPLETE)  # there is nothing to show yet
    show_run(record, as_json=settings.as_json)
    if tally.ended and tally.ended == tally.void and not tally.gone:
        console.print("[red]every episode was void: no agent could be evaluated[/]")
        sys.exit(ALL_VOID)
    if not tally.complete:
        sys.exit(INCOMPLETE)


def find_workers(plan: Plan, settings: RunSettings) -> Workers:
    """Return where a plan is to be carried out; raises before anything is written."""
    if plan.rules.confirm.startswith("page"):
        return _controlled_workers(plan.rules.confirm)
    # Whoever acts on your own display is watched at it, and stopped from it.
    here = plan.rules.confirm or ComputerSpec.parse(plan.rules.backend).name == "local"
    if here or any(agent.name in PRESENT for agent in plan.agents):
        return HereWorkers()
    if settings.on == "ray":
        from proctor.runner.workers.ray import RayWorkers

        return RayWorkers(settings.address, size=settings.size, images=plan.images, thinking=_thinks(plan))
    need = share(plan.images, thinking=_thinks(plan))
    return LocalWorkers(EpisodeAdmission.for_plan(len(plan), settings.size, need), longest_sec=plan.longest_sec)


def _thinks(plan: Plan) -> bool:
    return any(agent.name not in ("idle", "random", "oracle") for agent in plan.agents)


def _controlled_workers(confirm: str) -> Workers:
    """Open the page, say where it is, and return workers that ask there before each action."""
    page = import_extra("proctor.studio.control.serve", "proctor run --confirm page", "web")

    def ready(address: str) -> None:
        click.echo(f"Confirm each action at {address}  (works in one browser, once)", err=True)

    workers: Workers = page.ControlledWorkers(int(confirm.partition(":")[2] or 0), ready)
    return workers
