"""The agents of a run as the command line names them, opened and tried once before anything starts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import click

from proctor.agents import options_of
from proctor.agents.spec import AgentSpec, vary
from proctor.runner.endpoints import try_endpoints
from proctor.runner.preflight import check_agents
from proctor.runner.spoken import aside


def named_agents(texts: tuple[str, ...], model: str | None, varied: str | None) -> tuple[AgentSpec, ...]:
    """Return the agents that are meant: a model for those that name none, one agent for each value that varies."""
    # An agent's module may print when it is imported; standard output is for what was asked for.
    with aside():
        specs = [AgentSpec.parse(text) for text in texts]
        if model:
            specs = [
                AgentSpec(spec.name, {**spec.options, "model": model})
                if "model" in options_of(spec) and "model" not in spec.options
                else spec
                for spec in specs
            ]
        return tuple(_varied(specs, varied) if varied else specs)


def _varied(specs: list[AgentSpec], varied: str) -> list[AgentSpec]:
    option, equals, values = varied.partition("=")
    if not equals or not option:
        raise click.BadParameter(f"{varied!r} is not OPTION=A|B|C", param_hint="--vary")
    takes = [spec for spec in specs if option in options_of(spec)]
    if not takes:
        raise click.BadParameter(f"no agent of this run has an option {option!r}", param_hint="--vary")
    rest = [spec for spec in specs if spec not in takes]
    return rest + [one for spec in takes for one in vary(spec, option, values.split("|"))]


def try_agents(agents: Sequence[AgentSpec], *, endpoints: bool) -> None:
    """Open every agent once, and ask the models that they name for one word; what is wrong is raised."""
    with aside():
        check_agents(agents)
        if endpoints:
            try_endpoints(agents, partial(click.echo, err=True))
