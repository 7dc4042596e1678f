"""The Agent protocol: told a brief, shown observations, answers with turns, knows nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

from proctor.actions.action import Action
from proctor.observations.observation import Observation, Want
from proctor.records import Brief, ModelCall


@dataclass(frozen=True, kw_only=True)
class Turn:
    """What an agent answers to one observation."""

    actions: tuple[Action, ...] = ()
    """Carried out in order; a signal ends the turn."""
    reply: str = ""
    """What its model wrote, unchanged."""
    thought: str = ""
    """The model's reasoning, if it is separate from its reply."""
    problem: str = ""
    """Why the reply could not be understood; the agent is shown it with the next observation."""
    finish: Literal["stop", "length", "refusal", "empty"] = "stop"
    """How its reply ended: by itself, cut off, because the model declined, or before there was anything in it."""
    calls: tuple[ModelCall, ...] = ()
    """The requests to models that this turn took."""
    repeated: bool = False
    """Whether it repeats what another episode did; its agent has not been asked yet."""
    look: Want | None = None
    """What it asks to be shown anew; where it does nothing besides, that is recorded and takes no step."""


@runtime_checkable
class Agent(Protocol):
    """What one brings to be examined.

    An agent may also have `want: Want` (what it wants to see; a screenshot otherwise), `uses` (kinds of actions that
    not every agent is given, such as `run_code`) and `close()`. One that tries to score without doing the work says so
    with `goal = "game"`, and may name its `strategy`: its results are then kept apart from those of others.
    """

    def start(self, brief: Brief) -> None:
        """Begin an episode; nothing of the one before may matter."""

    def act(self, observation: Observation) -> Turn | Action | Sequence[Action | dict[str, Any] | str] | dict[str, Any]:
        """Answer an observation.

        Dicts and text are read as the JSON of `cmd:` is (`proctor.agents.wire`); a list may mix them with actions.

        Raises ModelError when a model could not be asked: the episode is then void. Everything else that it raises
        is its own failure and is scored.
        """


@runtime_checkable
class Driver(Protocol):
    """An agent that keeps the loop in its own hands, such as a person or an answer key.

    It has the same clock as any agent. One that looks at the computer by itself says so with `looks_by_itself = True`:
    it is not interrupted in the middle of that, and learns at its next turn that its time is up.
    """

    def start(self, brief: Brief) -> None:
        """Begin an episode."""

    def drive(self, step: Callable[[Turn], Observation]) -> None:
        """Make turns by `step` until the work is done; it raises Over when the episode has ended."""


class Over(Exception):
    """Raised to a driver when a word of its own or a limit ended its episode: a signal, and no error."""


class Vetoed(Exception):
    """Raised out of a turn when a person or a policy ends the episode: a signal, and no error."""


def want_of(agent: object) -> Want:
    """Return what an agent wants to see."""
    want = getattr(agent, "want", None)
    return want if isinstance(want, Want) else Want()


def close(agent: object) -> None:
    """Let an agent give back what it holds, where it holds something."""
    closing = getattr(agent, "close", None)
    if callable(closing):
        closing()
