"""The shelf of agents: one per file, opened by name, by `module:Class`, by command or by address."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from proctor.agents.load import look_here
from proctor.agents.spec import AgentSpec
from proctor.errors import SpecError
from proctor.registry import Registration, Registry
from proctor.text_options import Option, convert_options, parameters_of, text_options

if TYPE_CHECKING:
    from proctor.agents.agent import Agent, Driver

__all__ = ["AGENTS", "AgentSpec", "find", "open_agent", "options_of"]

AGENTS: Registry[Callable[..., object]] = Registry(
    "agent",
    {
        "busy": Registration("proctor.agents.busy:Busy"),
        "cmd": Registration("proctor.agents.external.command:CommandAgent"),
        "coder": Registration("proctor.agents.prompted.coder:Coder"),
        "grounded": Registration("proctor.agents.prompted.planner:Grounded"),
        "hacker": Registration("proctor.agents.hacker.agent:Hacker"),
        "http": Registration("proctor.agents.external.web:WebAgent"),
        "human": Registration("proctor.agents.human:Human"),
        "idle": Registration("proctor.agents.idle:Idle"),
        "mcp": Registration("proctor.agents.external.caller:Caller"),
        "native": Registration("proctor.agents.native.agent:Native"),
        "oracle": Registration("proctor.agents.oracle:Oracle"),
        "osworld": Registration("proctor.agents.external.osworld:OSWorldAgent"),
        "prompted": Registration("proctor.agents.prompted.agent:Prompted"),
        "random": Registration("proctor.agents.random:Random"),
        "rules": Registration("proctor.agents.rules.agent:RulesAgent"),
        "silent": Registration("proctor.agents.silent:Onlooker"),
    },
    group="proctor.agents",
)

_SHORT_FORMS = {"cmd:": ("cmd", "command"), "http://": ("http", "url"), "https://": ("http", "url")}
"""Names that hold their first option: what they stand for."""


def open_agent(spec: AgentSpec | str, **extra: object) -> Agent | Driver:
    """Return an agent, ready to be told its brief.

    Args:
        spec: Which agent and its options, or their text.
        extra: What whoever runs it offers, such as `moves` to an oracle; an agent gets what its constructor names.

    Raises:
        UnknownName: No agent has this name.
        SpecError: Options are wrong or missing (all faults at once), or it is not an agent.
    """
    # The protocol brings in the imaging library, which whoever only imports this package should not pay for.
    from proctor.agents.agent import Agent, Driver

    spec = AgentSpec.parse(spec) if isinstance(spec, str) else spec
    factory, spec = find(spec)
    takes = parameters_of(factory)
    offered = {name: value for name, value in extra.items() if name in takes and name not in spec.options}
    agent = factory(**convert_options(factory, spec.options, f"agent {spec.name!r}", given=offered), **offered)
    if not isinstance(agent, Agent | Driver):
        lacks = [f"{method}()" for method in ("start", "act") if not callable(getattr(agent, method, None))]
        raise SpecError(
            f"{spec.name!r} is not an agent: it lacks {' and '.join(lacks)}",
            remedy="write a class with start(brief) and act(observation), as in examples/agents/",
        )
    return agent


def options_of(spec: AgentSpec) -> dict[str, Option]:
    """Return what can be said of an agent as text, by name; raises UnknownName for no agent."""
    return {option.name: option for option in text_options(find(spec)[0])}


def find(spec: AgentSpec) -> tuple[Callable[..., object], AgentSpec]:
    """Return what makes an agent, and its options with nothing hidden in the name; makes nothing yet."""
    for prefix, (name, option) in _SHORT_FORMS.items():
        if spec.name.startswith(prefix):
            text = spec.name if name == "http" else spec.name.removeprefix(prefix)
            spec = AgentSpec(name, {option: text.strip(), **spec.options})
    if not AGENTS.knows(spec.name):
        look_here()
    try:
        factory: object = AGENTS.get(spec.name)
    except SyntaxError as error:
        raise SpecError(f"agent {spec.name!r} cannot be loaded: {error}", remedy="correct its module") from error
    if not callable(factory):
        kind = type(factory).__name__
        raise SpecError(f"agent {spec.name!r} is {kind}, not a class", remedy="name it as module:Class")
    return factory, spec
