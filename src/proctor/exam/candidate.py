"""Who is examined, as far as an exam must know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from proctor.agents.agent import want_of
from proctor.observations.observation import Want
from proctor.records import NamedAgent

GAME = "game"
"""The goal of an agent that tries to score without doing the work."""
MOST_STRATEGY = 80


@dataclass(kw_only=True)
class Candidate:
    """An agent of ours, or whoever acts through somebody else's loop."""

    name: str = "client"
    label: str = ""
    """What tables call it; its name where empty."""
    options: Mapping[str, str] = field(default_factory=dict)
    want: Want = Want()
    """What it is shown."""
    uses: tuple[str, ...] = ()
    """Kinds of actions that not every agent is given, such as `run_code`."""
    agent: object = None
    """The agent itself, which may say what it is after."""

    def meet(self, agent: object) -> None:
        """Take note of the agent that was opened."""
        self.agent, self.want = agent, want_of(agent)
        self.uses = tuple(getattr(agent, "uses", ()))

    @property
    def named(self) -> NamedAgent:
        """How records name it."""
        return NamedAgent(name=self.name, options=dict(self.options), label=self.label or self.name)

    @property
    def goal(self) -> str:
        """`game` for an agent that says of itself that it is not after doing the work."""
        goal = getattr(self.agent, "goal", "")
        return GAME if isinstance(goal, str) and goal == GAME else ""

    @property
    def strategy(self) -> str:
        """What such an agent tried, if it says so."""
        strategy = getattr(self.agent, "strategy", "") if self.goal else ""
        return strategy[:MOST_STRATEGY] if isinstance(strategy, str) else ""
