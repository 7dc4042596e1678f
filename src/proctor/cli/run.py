"""`proctor run` and `proctor runs resume`: evaluate agents, and continue where it stopped."""

from __future__ import annotations

from pathlib import Path

import click
from click.core import ParameterSource

from proctor.cli.choose_tasks import Filters, chosen_tasks, selection_options, suite_name
from proctor.cli.config_file import config_value
from proctor.cli.open_agents import checked_visibly, named_agents
from proctor.cli.options import FOLDER
from proctor.cli.repeat import plan_like
from proctor.cli.run_options import GroupedCommand, WantedRun, plan_options, where_options
from proctor.cli.run_progress import RunSettings, find_workers, hold_visibly
from proctor.cli.trust import begin_own, go_on_with
from proctor.errors import SpecError
from proctor.exam.rules import Rules
from proctor.runner.plan import Plan, plan_tasks
from proctor.runner.preflight import images_of
from proctor.suites import SUITES, load_suite
from proctor.suites.hidden_seeds import SeedSecret
from proctor.tasks.stretch import from_checkpoint


@click.command(cls=GroupedCommand)
@selection_options
@plan_options
@where_options
@click.pass_context
def run(
    context: click.Context,
    /,
    names: tuple[str, ...],
    suite: str,
    filters: Filters,
    wanted: WantedRun,
    out: Path | None,
    like: Path | None,
    skip_unfit: bool,
    trust: bool,
    settings: RunSettings,
) -> None:
    """Evaluate agents on tasks.

    Every episode is recorded as it happens; `proctor runs resume` continues an interrupted run. The exit status is 0
    when every episode was completed, 1 for an error, 2 for a wrong option, 3 when the run ended early, 4 when no
    episode could be scored, 130 when it was interrupted.

    \b
    proctor run --suite tour --agent oracle --agent idle        the first thing to try
    proctor run --suite core --agent prompted --model openai/gpt-4o
    proctor run --suite tour --agent prompted --model openai/NAME --base-url http://127.0.0.1:8000/v1
    proctor run --suite core --agent prompted,model=openai/gpt-4o --vary 'observe=screenshot|tree|marks'
    proctor run --suite core --agent cmd:./my-agent -k 3 -n 4
    proctor run sign-the-letter --agent mine:Agent --confirm
    proctor run my-tasks --agent oracle                         a folder of your own tasks
    proctor run --config nightly.toml --max-cost 5              options from a file, such as `agent = ["idle"]`
    proctor run --suite expert --agent oracle --from-checkpoint 3
    proctor run --like runs/2026-03-12-093000-core              the same run again
    """  # fmt: skip
    plan = _like_or_new(context, names, suite, filters, wanted, like=like, trust=trust)
    endpoints = settings.preflight
    plan = checked_visibly(
        plan,
        most_usd=settings.most_usd,
        endpoints=endpoints,
        skip_unfit=skip_unfit,
        loose_limits=settings.loose_limits,
    )
    workers = find_workers(plan, settings)
    hold_visibly(plan, begin_own(plan, out, plan.suite), workers, settings)


@click.command(cls=GroupedCommand)
@click.argument("folder", metavar="RUN", type=FOLDER)
@where_options
def resume(folder: Path, trust: bool, settings: RunSettings) -> None:
    """Continue a run that was interrupted; finished episodes are not repeated.

    A run that was not started on this machine may name other people's agents and programs. They are shown, and started
    only if you agree.

    \b
    proctor runs resume runs/2026-03-12-093000-core
    """
    record, plan = go_on_with(folder, trust=trust)
    loose = settings.loose_limits
    checked_visibly(plan, most_usd=settings.most_usd, endpoints=settings.preflight, skip_unfit=True, loose_limits=loose)
    changed = {name for name, digest in images_of(plan).items() if record.config["images"].get(name) != digest}
    if changed:
        raise SpecError(
            f"the image {', '.join(sorted(changed))} is not the one the run started with",
            remedy="start a new run, or import the image it names (`proctor images import`)",
        )
    workers = find_workers(plan, settings)
    record.adopt()
    hold_visibly(plan, record, workers, settings)


def _like_or_new(
    context: click.Context,
    names: tuple[str, ...],
    suite: str,
    filters: Filters,
    wanted: WantedRun,
    *,
    like: Path | None,
    trust: bool,
) -> Plan:
    agents = named_agents(wanted.agents, {"model": wanted.model, "base_url": wanted.base_url}, wanted.varied)
    if like is not None:
        return plan_like(like, context, agents, trust=trust)
    names = names or tuple(config_value(context, "names") or ())
    seeds = range(wanted.first_seed, wanted.first_seed + wanted.seeds)
    secret = SeedSecret.find(wanted.hidden_seeds) if wanted.hidden_seeds else None
    chosen, assets = chosen_tasks(suite, names, filters, seeds, limit=wanted.limit, secret=secret)
    home = suite_name(suite, names, chosen)
    rules = dict(wanted.rules)
    if context.get_parameter_source("backend") is ParameterSource.DEFAULT and SUITES.knows(home):
        rules["backend"] = load_suite(home).computer or rules["backend"]
    begin = wanted.begin_after
    return Plan(
        suite=home,
        tasks=plan_tasks(chosen if begin is None else [from_checkpoint(task, begin) for task in chosen]),
        agents=agents,
        samples=wanted.attempts,
        paraphrases=wanted.paraphrases,
        rules=Rules(**rules),
        assets=assets,
        seeds_by=secret.fingerprint if secret else "",
        code=(Path.cwd(),),
    )
