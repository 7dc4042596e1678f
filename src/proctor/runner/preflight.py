"""What is looked at before a run starts, so that nothing fails minutes into it."""

from __future__ import annotations

from collections.abc import Sequence

from proctor.agents import find, open_agent
from proctor.agents.agent import close
from proctor.agents.spec import AgentSpec
from proctor.computers.images import store
from proctor.runner.plan import Plan


def images_of(plan: Plan) -> dict[str, str]:
    """Return the digests of the images that a plan needs; raises ImageError where one is missing."""
    if plan.rules.backend != "sandbox":
        return {}
    return {name: store.find(name).digest for name in sorted(plan.images)}


def check_agents(agents: Sequence[AgentSpec]) -> None:
    """Open each agent once and close it, so that a wrong option or a missing key is found before anything starts."""
    for spec in agents:
        if spec.name in ("oracle", "human"):
            find(spec)
            continue
        close(open_agent(spec))
