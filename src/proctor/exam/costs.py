"""Caps on money: what cannot be counted is refused before a run, or ends it as soon as it shows."""

from __future__ import annotations

from collections.abc import Iterable

from proctor.agents import find
from proctor.agents.spec import AgentSpec
from proctor.errors import SpecError
from proctor.models.usage import PRICES_VARIABLE
from proctor.records import ModelCall, Result

SILENT = frozenset({"cmd", "http", "osworld"})
"""Agents of other people's making whose protocol has no word for what their models cost."""


def refuse_silent_agents(agents: Iterable[AgentSpec]) -> None:
    """Raise SpecError for an agent that never says what it costs."""
    for spec in agents:
        if find(spec)[1].name in SILENT:
            raise SpecError(
                f"a cost limit cannot be enforced: agent {spec.label!r} does not say what its models cost",
                remedy="leave out --max-cost and --episode-cost, or use a Python class that reports its calls",
            )


def refuse_unpriced(calls: Iterable[ModelCall]) -> None:
    """Raise SpecError for an answer whose price is not known, where the money of an episode is limited."""
    for call in calls:
        if call.cost_usd is None and not call.error:
            raise SpecError(
                f"--episode-cost cannot be enforced: the agent asked {call.model}, whose price is not known",
                remedy=_PRICE,
            )


def cost_of(result: Result) -> float:
    """Return what an episode cost as far as is known, its critic included."""
    return (result.cost_usd or 0.0) + result.metrics.get("critic_cost_usd", 0.0)


def why_uncounted(result: Result) -> str:
    """Return why what an episode cost cannot be counted; empty where it can."""
    if result.void or result.cost_usd is not None:
        return ""
    return f"{result.key.agent} asked a model without a known price; {_PRICE}"


_PRICE = f"report cost_usd with each call, or give its price in a TOML file named by {PRICES_VARIABLE}"
