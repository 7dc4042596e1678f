"""What has happened in an episode so far: kept by its loop, looked at by its companions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from proctor.actions.action import Action, SignalAction
from proctor.agents.agent import Turn
from proctor.computers.computer import Computer, Performed
from proctor.env import Env, StepResult
from proctor.observations.observation import Observation
from proctor.records import Brief, Flag, ModelCall, Stop, Told
from proctor.tasks.probe_context import Ending
from proctor.tasks.user import SimulatedUser


@dataclass
class EpisodeState:
    """One episode under way; a companion looks, and may `finish` it."""

    env: Env
    user: SimulatedUser
    observation: Observation
    """What was last seen, with what the agent is to be told."""
    number: int = 0
    """Of the step that comes next, or is being taken."""
    turn: Turn = Turn()
    """What the agent answered last."""
    turns: int = 0
    """How often it answered."""
    steps: int = 0
    """Actions that were handed to the computer."""
    parse_errors: int = 0
    refused: int = 0
    stale: int = 0
    told: list[Told] = field(default_factory=list)
    """What the agent is told with the next observation."""
    calls: list[ModelCall] = field(default_factory=list)
    """Every request to a model, without what was said."""
    failed_call: ModelCall | None = None
    """The request that could not be answered, where that ended the episode."""
    result: StepResult | None = None
    """What the last action led to; None where it was not handed to the computer, or broke it."""
    signal: SignalAction | None = None
    instead: Action | None = None
    """What a person puts in the place of the action that they are asked about; it is then asked about itself."""
    by: str = ""
    """Who acts right now, where that is not the agent."""
    waited: float = 0.0
    """Seconds that a person took to decide; the clock stands meanwhile."""
    stop: Stop | None = None
    """Why it ended, once it has."""
    error: str = ""
    """What the agent failed with by itself, or broke."""
    trace: str = ""
    """Where in its code it failed."""
    crashed: bool = False
    flags: list[Flag] = field(default_factory=list)
    """Signs that the agent tried to reach the judge or the answer."""
    figures: dict[str, float] = field(default_factory=dict)
    """What companions found out; kept beside the score and never part of it."""
    defects: list[str] = field(default_factory=list)
    """Traces of companions that failed when all was over."""
    thought: Callable[[], float] = field(default=lambda: 0.0, repr=False)
    """Returns how many seconds the agent had."""

    @property
    def computer(self) -> Computer:
        """The computer that the agent works on."""
        return self.env.computer

    @property
    def brief(self) -> Brief:
        """All that the agent was told."""
        return self.env.brief

    @property
    def acted(self) -> bool:
        """Whether an action was handed to the computer."""
        return self.env.acted

    @property
    def history(self) -> tuple[Performed, ...]:
        """Every action that was performed, with what it hit."""
        return tuple(self.env.computer.history)

    @property
    def agent_seconds(self) -> float:
        """How long the agent thought."""
        return self.thought()

    @property
    def ending(self) -> Ending:
        """How the agent ended its work."""
        return Ending(self.signal, tuple(self.user.asked))

    def finish(self, stop: Stop, error: str = "") -> None:
        """End the episode; the first reason counts."""
        if self.stop is None:
            self.stop = stop
            self.error = error or self.error

    def finish_broken(self, what: str) -> None:
        """End the episode because its computer is broken, which goes before every other reason."""
        self.stop, self.error = "broke_the_computer", what
