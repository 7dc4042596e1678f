"""`proctor run` and `proctor resume`: examine agents on a suite, and go on where a run was broken off."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from pathlib import Path
from typing import Any

import click

from proctor.cli.bringing import named_agents, try_agents
from proctor.cli.choosing import chosen_tasks, selection_options, suite_name
from proctor.cli.running import Settings, find_workers, hold_visibly
from proctor.cli.trust import go_on_with, remember
from proctor.errors import SpecError
from proctor.runner.job import Rules
from proctor.runner.plan import Plan, begin, planned
from proctor.runner.preflight import images_of

Command = Callable[..., Any]

_RULES = (
    click.option("--steps", type=click.IntRange(1), help="Actions an agent may take; each task's own limit otherwise."),
    click.option("--seconds", type=click.FloatRange(1), help="How long it may work; each task's own limit otherwise."),
    click.option("--tokens", type=click.IntRange(1), help="Tokens its models may use in one episode."),
    click.option("--episode-cost", "cost_usd", type=click.FloatRange(0), help="US dollars one episode may cost."),
    click.option("--repetition", type=click.IntRange(2), default=10, show_default=True,
                 help="The same action so often in a row, with nothing changing, ends an episode."),
    click.option("--feedback", type=click.IntRange(0), default=0, show_default=True,
                 help="How often an agent that says it is done is told what is missing."),
    click.option("--action", "actions", multiple=True, metavar="KIND",
                 help="Only these kinds of actions; all but run_code otherwise. Repeatable."),
    click.option("--retries", type=click.IntRange(0), default=2, show_default=True,
                 help="How often a void episode is tried again."),
    click.option("--settle", default="quick", show_default=True, metavar="quick|careful|SECONDS",
                 help="How long the screen is waited for after each action; a number waits that long at least."),
    click.option("--video", is_flag=True, help="Record a video of every episode."),
    click.option("--policy", default="", metavar="MODULE:FUNCTION", help="May veto actions before they are performed."),
    click.option("--confirm", is_flag=True, help="Ask you before each action."),
    click.option("--backend", default="sandbox", show_default=True, hidden=True),
)  # fmt: skip


def _size(_context: click.Context, _parameter: click.Parameter, text: str) -> int | None:
    if text == "auto":
        return None
    if not text.isdigit() or int(text) < 1:
        raise click.BadParameter(f"{text!r} is neither a number of 1 or more nor auto")
    return int(text)


_WHERE = (
    click.option("-n", "--workers", "size", default="auto", show_default=True, metavar="N|auto", callback=_size,
                 help="Episodes side by side."),
    click.option("--on", type=click.Choice(["local", "ray"]), default="local", show_default=True,
                 help="Processes on this machine, or a Ray cluster."),
    click.option("--address", default="", help="Address of the Ray cluster; a new one on this machine otherwise."),
    click.option("--max-cost", "most_usd", type=click.FloatRange(0), help="US dollars the run may cost."),
    click.option("--no-preflight", is_flag=True, help="Do not ask each model for one word before the run."),
    click.option("--json", "as_json", is_flag=True, help="Print one JSON object for a program to read."),
)  # fmt: skip


def _rules(command: Command) -> Command:
    """Give a command the options that hold for every episode."""
    for option in reversed(_RULES):
        command = option(command)
    return command


def _where(command: Command) -> Command:
    """Give a command the options on where and how a run is carried out, gathered in `settings`."""

    @wraps(command)
    def gathered(
        *,
        size: int | None,
        on: str,
        address: str,
        most_usd: float | None,
        no_preflight: bool,
        as_json: bool,
        **others: Any,
    ) -> Any:
        return command(settings=Settings(size, on, address, most_usd, not no_preflight, as_json), **others)

    chosen: Command = gathered
    for option in reversed(_WHERE):
        chosen = option(chosen)
    return chosen


@click.command()
@selection_options
@click.option(
    "--agent",
    "agents",
    multiple=True,
    required=True,
    metavar="AGENT",
    help="NAME,option=value,..., module:Class, cmd:COMMAND or http://...; repeatable.",
)
@click.option("--model", help="provider/name, for agents that need a model and name none.")
@click.option("--vary", "varied", metavar="OPTION=A|B|C", help="Run each agent once per value of one option.")
@click.option("--seeds", type=click.IntRange(1), default=1, show_default=True, help="How many seeds of each template.")
@click.option("--seed", "first_seed", type=click.IntRange(0), default=0, show_default=True, help="The first seed.")
@click.option(
    "-k",
    "--attempts",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Independent attempts at each episode.",
)
@click.option("--paraphrases", is_flag=True, help="Set every wording of each instruction.")
@click.option("--limit", type=click.IntRange(1), help="Only the first so many tasks.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder for the record.")
@_rules
@_where
def run(
    names: tuple[str, ...],
    suite: str,
    filters: dict[str, tuple[str, ...]],
    agents: tuple[str, ...],
    model: str | None,
    varied: str | None,
    seeds: int,
    first_seed: int,
    attempts: int,
    paraphrases: bool,
    limit: int | None,
    out: Path | None,
    settings: Settings,
    **rules: Any,
) -> None:
    """Examine agents on a suite.

    Every episode is recorded as it happens; a run that was broken off goes on with `proctor resume`. The exit status is
    0 when every episode was held, 1 for an error, 2 for a wrong option, 3 when the run ended before all was done, 4
    when no episode could be scored, 130 when it was interrupted.

    \b
    proctor run --suite tour --agent oracle --agent idle        the first thing to try
    proctor run --suite core --agent prompted --model openai/gpt-4o
    proctor run --suite core --agent prompted,model=openai/gpt-4o --vary 'observe=screenshot|tree|marks'
    proctor run --suite core --agent cmd:./my-agent -k 3 -n 4
    proctor run sign-the-letter --agent mine:Agent --confirm
    proctor run my-tasks --agent oracle                         a folder with task files and templates of yours
    """  # fmt: skip
    chosen, assets = chosen_tasks(suite, names, filters, range(first_seed, first_seed + seeds), limit=limit)
    name = suite_name(suite, names, chosen)
    plan = Plan(
        suite=name,
        tasks=planned(chosen),
        agents=named_agents(agents, model, varied),
        samples=attempts,
        paraphrases=paraphrases,
        rules=Rules(**rules),
        assets=assets,
        code=Path.cwd(),
    )
    try_agents(plan.agents, endpoints=settings.preflight)
    folder = out or Path("runs") / f"{datetime.now():%Y-%m-%d-%H%M%S}-{name}"
    images, workers = images_of(plan), find_workers(plan, settings)
    record = begin(plan, folder, images=images)
    remember(record.root, Path.cwd())
    hold_visibly(plan, record, workers, settings)


@click.command()
@click.argument("folder", metavar="RUN", type=click.Path(file_okay=False, path_type=Path))
@click.option("--trust", is_flag=True, help="Start what a run from elsewhere names without asking.")
@_where
def resume(folder: Path, trust: bool, settings: Settings) -> None:
    """Go on with a run that was broken off; what its record holds is not done again.

    A run that you did not begin on this machine names agents and programs of somebody else. They are shown, and
    started when you say yes.

    \b
    proctor resume runs/2026-03-12-093000-core
    """
    record, plan = go_on_with(folder, trust=trust)
    try_agents(plan.agents, endpoints=settings.preflight)
    changed = {name for name, digest in images_of(plan).items() if record.config["images"].get(name) != digest}
    if changed:
        raise SpecError(
            f"the image {', '.join(sorted(changed))} is not the one the run was begun with",
            remedy="begin a new run, or import the image it names (`proctor image import`)",
        )
    workers = find_workers(plan, settings)
    record.adopt()
    hold_visibly(plan, record, workers, settings)
