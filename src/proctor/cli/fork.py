"""`proctor runs fork`: continue from the middle of a recorded episode."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from proctor.agents.load import look_in
from proctor.cli.open_agents import checked_visibly, named_agents
from proctor.cli.options import FOLDER, preset
from proctor.cli.plain import escape
from proctor.cli.run_progress import RunSettings, find_workers, hold_visibly
from proctor.cli.trust import begin_own, code_folders, starts
from proctor.records import Origin
from proctor.report.terminal import open_console
from proctor.runner.origin import RecordedActions
from proctor.runner.plan import Plan
from proctor.runner.plan_record import plan_of_fork
from proctor.store.find_episode import check_sums, find_episode
from proctor.store.read import open_episode
from proctor.store.run import RunRecord

WENT_APART = 5
"""Exit status with --exact when a screen was not the recorded one."""
_MOST_NAMED = 5


@click.command()
@click.argument("episode", metavar="EPISODE", type=FOLDER)
@click.option(
    "--step",
    "count",
    type=click.IntRange(0),
    required=True,
    metavar="K",
    help="Repeat its first K actions, then ask the agent.",
)
@click.option(
    "--agent",
    "agents",
    multiple=True,
    required=True,
    metavar="AGENT",
    help="Agent to evaluate: NAME,option=value,..., module:Class, cmd:COMMAND or http://...; repeatable.",
)
@click.option("--model", metavar="PROVIDER/NAME", help="Model for agents that need one and name none.")
@click.option("--base-url", metavar="URL", help="Server of the model, if not the provider's own.")
@preset("-k", "--attempts", type=click.IntRange(1), default=1, help="Independent attempts at each episode.")
@click.option("-n", "--workers", "size", type=click.IntRange(1), help="How many episodes at the same time.")
@click.option("--computer", "backend", metavar="COMPUTER", help="Another computer than the episode used.")
@click.option("--video", is_flag=True, help="Record a video of every episode.")
@click.option(
    "--exact", is_flag=True, help=f"Exit with status {WENT_APART} if any screen differed from the recorded one."
)
@click.option("--out", type=click.Path(path_type=Path), help="Folder for the run.  [default: a new one in runs/]")
@click.option("--trust", is_flag=True, help="Start agents and programs named by a run from elsewhere without asking.")
@click.option(
    "--loose-limits", is_flag=True, help="Let agents run code even where it can exceed some limits of this machine."
)
@click.option("--no-preflight", is_flag=True, help="Do not send each model a short request before the run.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for a program to read.")
def fork(
    episode: Path,
    count: int,
    agents: tuple[str, ...],
    model: str | None,
    base_url: str | None,
    attempts: int,
    size: int | None,
    backend: str | None,
    video: bool,
    exact: bool,
    out: Path | None,
    trust: bool,
    loose_limits: bool,
    no_preflight: bool,
    as_json: bool,
) -> None:
    """Continue from the middle of a recorded episode with another agent, or yourself.

    A computer is prepared as that episode's was, its first K actions are repeated, each once the screen matches the
    recorded one, and then the agent takes over. Clocks, carets and the pointer are not compared. Where a screen
    differed, you are told, and the new record notes it, together with the episode it continues.

    EPISODE is a folder below `episodes` of a run, or a run of one episode.

    \b
    proctor runs fork runs/tour/episodes/oracle/tour_sign-the-letter-v1/0-0-0/0 --step 3 --agent oracle
    proctor runs fork runs/one --step 10 --agent human            do the rest yourself
    proctor runs fork runs/one --step 4 --agent prompted --model openai/gpt-4o -k 5
    """  # fmt: skip
    recorded, record = find_episode(episode)
    check_sums(recorded, record)
    actions = RecordedActions(recorded.folder, count)
    actions.read()  # too few of them, or a broken one, is said before anything starts
    plan = plan_of_fork(
        record, recorded, actions, named_agents(agents, {"model": model, "base_url": base_url}, None), attempts
    )
    plan = replace(plan, rules=replace(plan.rules, video=video or plan.rules.video))
    plan = _on_trust(plan, record, backend, trust)
    settings = RunSettings(size=size, preflight=not no_preflight, as_json=as_json, loose_limits=loose_limits)
    plan = checked_visibly(plan, most_usd=None, endpoints=settings.preflight, loose_limits=loose_limits)
    workers = find_workers(plan, settings)
    made = begin_own(plan, out, "fork")
    try:
        hold_visibly(plan, made, workers, settings)
    finally:
        apart = _tell_where_apart(made.folder)
    if exact and apart:
        raise SystemExit(WENT_APART)


def _on_trust(plan: Plan, record: RunRecord, backend: str | None, trust: bool) -> Plan:
    """Return a plan with the computer that was named, and where its modules are.

    Asks about what the record names.
    """
    # The agents are named here and now, as another computer is; all else that is started the record names.
    recorded = replace(plan, rules=replace(plan.rules, backend="sandbox")) if backend else plan
    code = tuple(dict.fromkeys([Path.cwd(), *code_folders(record, starts(recorded, agents=False), trust)]))
    look_in(*code)
    return replace(plan, code=code, rules=replace(plan.rules, backend=backend or plan.rules.backend))


def _tell_where_apart(folder: Path) -> int:
    console = open_console(stderr=True)
    record = RunRecord.open(folder)
    apart = 0
    for result in record.final():
        origin = open_episode(record.paths.at(result.folder)).header.origin if result.folder else None
        if origin is None:
            continue
        apart += bool(origin.apart)
        console.print(escape(f"{result.key.agent}: {_words(origin)}"), soft_wrap=True)
    return apart


def _words(origin: Origin) -> str:
    repeated = f"{origin.repeated} of {origin.actions} actions repeated"
    if not origin.apart:
        return f"{repeated}, every screen as recorded"
    listed = ", ".join(f"action {one.action} ({one.share:.2%} of the screen)" for one in origin.apart[:_MOST_NAMED])
    more = f" and {len(origin.apart) - _MOST_NAMED} more" if len(origin.apart) > _MOST_NAMED else ""
    return f"{repeated}; the screen differed before {listed}{more}"
