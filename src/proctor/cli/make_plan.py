"""The plan of `proctor run`: of named tasks and agents, or of a run that is repeated."""

from __future__ import annotations

from pathlib import Path

import click
from click.core import ParameterSource

from proctor.cli.choose_tasks import Filters, chosen_tasks, suite_name
from proctor.cli.config_file import config_value
from proctor.cli.open_agents import named_agents
from proctor.cli.repeat import plan_like
from proctor.cli.run_options import WantedRun
from proctor.exam.rules import Rules
from proctor.runner.plan import Plan, plan_tasks
from proctor.suites import SUITES, load_suite


def like_or_new(
    context: click.Context,
    names: tuple[str, ...],
    suite: str,
    filters: Filters,
    wanted: WantedRun,
    *,
    like: Path | None,
    trust: bool,
) -> Plan:
    """Return what is to be examined; raises SpecError where something of it is wrong."""
    agents = named_agents(wanted.agents, wanted.model, wanted.varied)
    if like is not None:
        return plan_like(like, context, agents, trust=trust)
    names = names or tuple(config_value(context, "names") or ())
    seeds = range(wanted.first_seed, wanted.first_seed + wanted.seeds)
    chosen, assets = chosen_tasks(suite, names, filters, seeds, limit=wanted.limit)
    home = suite_name(suite, names, chosen)
    rules = dict(wanted.rules)
    if context.get_parameter_source("backend") is ParameterSource.DEFAULT and SUITES.knows(home):
        rules["backend"] = load_suite(home).computer or rules["backend"]
    return Plan(
        suite=home,
        tasks=plan_tasks(chosen),
        agents=agents,
        samples=wanted.attempts,
        paraphrases=wanted.paraphrases,
        rules=Rules(**rules),
        assets=assets,
        code=(Path.cwd(),),
    )
