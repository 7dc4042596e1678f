"""`proctor run` and `proctor resume`: examine agents on a suite, and go on where a run was broken off."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from proctor.agents import options_of
from proctor.agents.spec import AgentSpec, vary
from proctor.cli.choosing import chosen_tasks, selection_options
from proctor.cli.running import Settings, find_workers, hold_visibly
from proctor.errors import SpecError
from proctor.runner.job import Rules
from proctor.runner.plan import Plan, begin, planned, recall
from proctor.runner.preflight import check_agents, images_of
from proctor.store.run import RunRecord

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
    click.option("--json", "as_json", is_flag=True, help="Print one JSON object for a program to read."),
)  # fmt: skip


def _options(options: tuple[Callable[[Command], Command], ...]) -> Callable[[Command], Command]:
    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


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
@_options(_RULES)
@_options(_WHERE)
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
    size: int | None,
    on: str,
    address: str,
    most_usd: float | None,
    as_json: bool,
    **rules: Any,
) -> None:
    """Examine agents on a suite.

    Every episode is recorded as it happens; a run that was broken off goes on with `proctor resume`.

    \b
    proctor run --suite tour --agent oracle --agent idle        the first thing to try
    proctor run --suite core --agent prompted --model openai/gpt-4o
    proctor run --suite core --agent prompted,model=openai/gpt-4o --vary 'observe=screenshot|tree|marks'
    proctor run --suite core --agent cmd:./my-agent -k 3 -n 4
    proctor run sign-the-letter --agent mine:Agent --confirm
    """  # fmt: skip
    chosen, assets = chosen_tasks(suite, names, filters, range(first_seed, first_seed + seeds), limit=limit)
    plan = Plan(
        suite=suite,
        tasks=planned(chosen),
        agents=tuple(_agents(agents, model, varied)),
        samples=attempts,
        paraphrases=paraphrases,
        rules=Rules(**rules),
        assets=assets,
    )
    check_agents(plan.agents)
    folder = out or Path("runs") / f"{datetime.now():%Y-%m-%d-%H%M%S}-{suite}"
    settings = Settings(size, on, address, most_usd, as_json)
    images, workers = images_of(plan), find_workers(plan, settings)
    hold_visibly(plan, begin(plan, folder, images=images), workers, settings)


@click.command()
@click.argument("folder", metavar="RUN", type=click.Path(file_okay=False, path_type=Path))
@_options(_WHERE)
def resume(folder: Path, size: int | None, on: str, address: str, most_usd: float | None, as_json: bool) -> None:
    """Go on with a run that was broken off; what its record holds is not done again.

    \b
    proctor resume runs/2026-03-12-093000-core
    """
    record = RunRecord.resume(folder)
    plan = recall(record)
    check_agents(plan.agents)
    changed = {name for name, digest in images_of(plan).items() if record.config["images"].get(name) != digest}
    if changed:
        raise SpecError(
            f"the image {', '.join(sorted(changed))} is not the one the run was begun with",
            remedy="begin a new run, or import the image it names (`proctor image import`)",
        )
    settings = Settings(size, on, address, most_usd, as_json)
    workers = find_workers(plan, settings)
    record.adopt()
    hold_visibly(plan, record, workers, settings)


def _agents(texts: tuple[str, ...], model: str | None, varied: str | None) -> list[AgentSpec]:
    specs = [AgentSpec.parse(text) for text in texts]
    if model:
        specs = [
            AgentSpec(spec.name, {**spec.options, "model": model})
            if "model" in options_of(spec) and "model" not in spec.options
            else spec
            for spec in specs
        ]
    if varied:
        option, equals, values = varied.partition("=")
        if not equals or not option:
            raise click.BadParameter(f"{varied!r} is not OPTION=A|B|C", param_hint="--vary")
        takes = [spec for spec in specs if option in options_of(spec)]
        if not takes:
            raise click.BadParameter(f"no agent of this run has an option {option!r}", param_hint="--vary")
        rest = [spec for spec in specs if spec not in takes]
        specs = rest + [one for spec in takes for one in vary(spec, option, values.split("|"))]
    return specs
