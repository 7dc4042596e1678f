"""One line of `steps.jsonl`: what was seen, answered and done, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from proctor.records.model_call import ModelCall

Places = tuple[float, float, float, float]
"""Left, top, width and height in desktop pixels."""


@dataclass(frozen=True, slots=True)
class Told:
    """Something said to the agent since its last turn."""

    kind: Literal["reply", "output", "refused", "feedback"]
    """`reply`: the user's answer; `output`: what code printed; `refused`: why an action was not carried out, or why a
    reply was not understood; `feedback`: what the judge finds missing so far."""
    text: str
    pictures: tuple[str, ...] = ()
    """Pictures that a tool answered with: names of their files; while the episode goes on, PNG as data URLs."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SawWindow:
    """One window on the desktop."""

    title: str = ""
    app: str = ""
    """Class of its application."""
    box: Places | None = None
    active: bool = False
    """Whether it has the input focus."""
    minimised: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Saw:
    """What was on the screen before an action: that of a turn's first is what its agent was shown.

    Files are named relative to the folder of the episode. One that did not change is written once and named again.
    """

    at: float | None = None
    """When looking began, in seconds since the epoch."""
    screenshot: str = ""
    """File of the picture; kept also for agents that are shown none."""
    tree: str = ""
    """File of the accessibility tree, where the agent wanted one."""
    marks: str = ""
    """File of the marked picture, where it wanted one."""
    marked: str = ""
    """File of the numbers on it and where each is."""
    clip: str = ""
    """File of the last seconds before, where it wanted them."""
    windows: tuple[SawWindow, ...] | None = None
    """Bottom to top, where it wanted them."""
    terminal: str | None = None
    """Text of the frontmost terminal, where it wanted that and there was one."""
    degraded: tuple[str, ...] = ()
    """Why parts may be incomplete, one reason each."""
    told: tuple[Told, ...] = ()
    """What the agent was told since its last turn, in order."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Hit:
    """The element that an action hit."""

    role: str = ""
    name: str = ""
    text: str = ""
    """What it held, up to 2,000 characters."""
    box: Places | None = None
    app: str = ""
    window: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Output:
    """What came of code that was run."""

    text: str = ""
    """What it printed."""
    error: str = ""
    """How it failed."""
    timed_out: bool = False

    @staticmethod
    def older(data: object) -> object:
        """Read a plain text, as early versions wrote it, as what was printed."""
        return {"text": data} if isinstance(data, str) else data


@dataclass(frozen=True, kw_only=True, slots=True)
class Seconds:
    """How long the parts of a step took."""

    agent: float | None = None
    """The agent's thinking; on the first line of a turn, 0 on the others."""
    act: float | None = None
    """Performing the action, where it was performed."""
    see: float | None = None
    """Waiting for the screen and looking at it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """One action, a turn without any, or, as the last line (`end`), what was seen at the end."""

    step: int | None = None
    """Its number in the episode, from 0."""
    turn: int | None = None
    """Which turn of the agent it belongs to, from 1; not at the end."""
    at: float | None = None
    """When it began, in seconds since the epoch."""
    saw: Saw | None = None
    reply: str = ""
    """What the agent's model wrote, unchanged; only on the first line of a turn, like the next three."""
    thought: str = ""
    """Its reasoning, where that can be told apart."""
    problem: str = ""
    """Why the reply could not be understood."""
    calls: tuple[ModelCall, ...] = ()
    """The requests to models that the turn took."""
    action: dict[str, object] | None = None
    """What was done, or wanted, as `Action.to_json` writes it, `given` by the agent in its own terms included."""
    meant: dict[str, object] | None = None
    """What the agent asked for, or what was recorded, where a person put `action` in its place."""
    by: str = ""
    """Who acted where that was not the agent: `human` for a person who had taken over."""
    instruction: str = ""
    """What the step is for, where a person said so when they refined a demonstration."""
    element: Hit | None = None
    """What the action hit, where something was found there."""
    program: str | None = None
    """Path of the image's program that it went to, as the display and the kernel know it; empty where it went to none,
    missing where nobody could tell."""
    settled: bool | None = None
    """Whether the screen came to rest after it."""
    verified: bool | None = None
    """Whether a typed text arrived as it was typed, where that could be told."""
    output: Output | None = None
    """What code printed."""
    refused: str = ""
    """Why the action was not carried out."""
    trouble: str = ""
    """Why the computer did not take it."""
    broke: str = ""
    """How the computer broke by it."""
    stale: float | None = None
    """Share of the screen that had changed by itself since the agent was shown it, where any had."""
    repeated: bool = False
    """Whether it is not the agent's own, but an action of the episode that this one goes on from."""
    nodes: tuple[str, ...] = ()
    """Subtasks of a composed task that were completed by it."""
    seconds: Seconds | None = None
    end: bool = False
    """Whether this is the last line."""
    stop: str = ""
    """On the last line, why the episode ended."""
    clipped: bool = False
    """Whether texts were cut because the line was longer than 8 MB."""

    @property
    def place(self) -> tuple[float, float] | None:
        """Where its action points, in desktop pixels; None where it says no place."""
        x, y = (self.action.get("x"), self.action.get("y")) if self.action else (None, None)
        return (x, y) if isinstance(x, int | float) and isinstance(y, int | float) else None

    @property
    def kind(self) -> str:
        """The kind of its action, such as `click`; empty where there is none."""
        kind = self.action.get("type") if self.action else None
        return kind if isinstance(kind, str) else ""
