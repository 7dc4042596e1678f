"""The agents of a run as the command line names them, opened and tried before it starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import click

from proctor.agents import options_of
from proctor.agents.spec import AgentSpec, vary
from proctor.errors import SpecError
from proctor.runner.agent_output import aside
from proctor.runner.loose_bounds import loose_bounds_of
from proctor.runner.plan import Plan
from proctor.runner.preflight import check_plan


def named_agents(texts: tuple[str, ...], given: Mapping[str, str | None], varied: str | None) -> tuple[AgentSpec, ...]:
    """Return the agents that are meant, one for each value that varies.

    What is `given` goes to every agent that has such an option and does not say it itself. Raises SpecError where none
    has it.
    """
    # An agent's module may print when it is imported; standard output is for what was asked for.
    with aside():
        specs = [AgentSpec.parse(text) for text in texts]
        for option, value in given.items():
            if value:
                specs = _give(specs, option, value)
        return tuple(_vary(specs, varied) if varied else specs)


def _give(specs: list[AgentSpec], option: str, value: str) -> list[AgentSpec]:
    takes = {spec for spec in specs if option in options_of(spec)}
    if specs and not takes:
        flag = f"--{option.replace('_', '-')}"
        named = " or ".join(repr(spec.name) for spec in specs)
        raise SpecError(
            f"{flag} has no effect on the agent {named}", remedy=f"leave out {flag}, or add --agent prompted"
        )
    return [replace(spec, options={option: value, **spec.options}) if spec in takes else spec for spec in specs]


def _vary(specs: list[AgentSpec], varied: str) -> list[AgentSpec]:
    option, equals, values = varied.partition("=")
    if not equals or not option:
        raise click.BadParameter(f"{varied!r} is not OPTION=A|B|C", param_hint="--vary")
    takes = [spec for spec in specs if option in options_of(spec)]
    if not takes:
        raise click.BadParameter(f"no agent of this run has the option {option!r}", param_hint="--vary")
    rest = [spec for spec in specs if spec not in takes]
    return rest + [one for spec in takes for one in vary(spec, option, values.split("|"))]


def checked_visibly(
    plan: Plan, *, most_usd: float | None, endpoints: bool, skip_unfit: bool = False, loose_limits: bool = False
) -> Plan:
    """Return a plan that was looked at: every agent opened once, what is unfit left out."""
    trying = partial(click.echo, err=True) if endpoints else None
    with aside():
        plan = check_plan(plan, most_usd=most_usd, skip_unfit=skip_unfit, trying=trying, loose_limits=loose_limits)
    for bound in loose_bounds_of(plan):
        click.echo(f"note: nothing enforces the limit of {bound.name} here: {bound.means}", err=True)
    return plan
