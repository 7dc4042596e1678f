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
    reply was not understood; `feedback`: what the judge says is still missing."""
    text: str
    pictures: tuple[str, ...] = ()
    """Pictures in a tool's answer: file names; during the episode, PNG as data URLs."""


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
    """The screen before an action; for the first of a turn, as it was shown to the agent.

    File names are relative to the episode's folder. A file that did not change is written once and named again.
    """

    at: float | None = None
    """When looking began, in seconds since the epoch."""
    screenshot: str = ""
    """File of the screenshot; kept even for agents that are not shown it."""
    tree: str = ""
    """File of the accessibility tree, if the agent wanted it."""
    marks: str = ""
    """File of the marked screenshot, if it wanted one."""
    marked: str = ""
    """File with the numbers on it and their positions."""
    clip: str = ""
    """File with a clip of the last seconds before, if it wanted one."""
    windows: tuple[SawWindow, ...] | None = None
    """The windows from bottom to top, if it wanted them."""
    terminal: str | None = None
    """Text of the frontmost terminal, if it wanted it and there was one."""
    degraded: tuple[str, ...] = ()
    """Reasons why parts may be incomplete."""
    told: tuple[Told, ...] = ()
    """What the agent has been told since its last turn, in order."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Hit:
    """The element that an action hit."""

    role: str = ""
    name: str = ""
    text: str = ""
    """Its text, up to 2,000 characters."""
    box: Places | None = None
    app: str = ""
    window: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Output:
    """The result of code that was run."""

    text: str = ""
    """What it printed."""
    error: str = ""
    """The error, if it failed."""
    timed_out: bool = False

    @staticmethod
    def older(data: object) -> object:
        """Read a plain text, as early versions wrote it, as what was printed."""
        return {"text": data} if isinstance(data, str) else data


@dataclass(frozen=True, kw_only=True, slots=True)
class Seconds:
    """How long each part of a step took."""

    agent: float | None = None
    """Time the agent took to answer; on the first line of a turn, 0 on the others."""
    act: float | None = None
    """Time to perform the action, if it was performed."""
    see: float | None = None
    """Time to wait for the screen and look at it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """One action, a turn without actions, or, as the last line (`end`), what was seen at the end."""

    step: int | None = None
    """Its number in the episode, from 0."""
    turn: int | None = None
    """The agent's turn that it belongs to, from 1; absent on the last line."""
    at: float | None = None
    """When it began, in seconds since the epoch."""
    saw: Saw | None = None
    reply: str = ""
    """What the agent's model wrote, unchanged; only on the first line of a turn, like the next three."""
    thought: str = ""
    """The model's reasoning, if it is separate from its reply."""
    problem: str = ""
    """Why the reply could not be understood."""
    calls: tuple[ModelCall, ...] = ()
    """The requests to models in this turn."""
    action: dict[str, object] | None = None
    """The action, performed or requested, as `Action.to_json` writes it, with `given`: how the agent wrote it."""
    meant: dict[str, object] | None = None
    """What the agent requested, or what was recorded, if a person replaced it with `action`."""
    by: str = ""
    """Who acted, if not the agent: `human` for a person who had taken over."""
    instruction: str = ""
    """The purpose of the step, if a person gave it while refining a demonstration."""
    element: Hit | None = None
    """The element that the action hit, if one was found there."""
    program: str | None = None
    """Path of the image's program that received it, as the display and the kernel know it; empty if none did, missing
    if unknown."""
    settled: bool | None = None
    """Whether the screen settled after it."""
    verified: bool | None = None
    """Whether a typed text arrived as typed, if that could be checked."""
    output: Output | None = None
    """What code printed."""
    refused: str = ""
    """Why the action was not carried out."""
    trouble: str = ""
    """Why the computer could not carry it out."""
    broke: str = ""
    """How it broke the computer."""
    stale: float | None = None
    """Share of the screen that had changed by itself since it was shown to the agent, if any."""
    repeated: bool = False
    """Whether it repeats an action of the episode that this one continues, rather than being the agent's own."""
    nodes: tuple[str, ...] = ()
    """Subtasks of a composed task that it completed."""
    seconds: Seconds | None = None
    end: bool = False
    """Whether this is the last line."""
    stop: str = ""
    """On the last line, why the episode ended."""
    clipped: bool = False
    """Whether texts were truncated because the line was longer than 8 MB."""

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
