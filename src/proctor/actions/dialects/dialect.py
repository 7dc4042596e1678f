"""What a dialect is: a way of writing actions, read without ever evaluating it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from proctor.actions.action import Action


@dataclass(frozen=True, kw_only=True, slots=True)
class Frame:
    """What coordinates refer to: the picture the model saw, and the desktop behind it."""

    desktop: tuple[int, int]
    image: tuple[int, int]
    """Size of the picture in pixels; that of the desktop where none was shown."""
    shown: bool = True
    """Whether there are pictures at all; otherwise places are those of the desktop."""
    marked: bool = False
    """Whether pictures have numbered marks, even if this one happens to have none."""
    listed: bool = False
    """Whether elements with ids are listed beside the picture, or in its place."""
    marks: Mapping[int, tuple[float, float]] = field(default_factory=dict)
    """Places of elements that have an id, in desktop pixels; marks show the same ids."""
    names: Mapping[int, str] = field(default_factory=dict)
    """What these elements are, in a few words."""
    absent: Mapping[int, str] = field(default_factory=dict)
    """Why other ids stand for no place: the element is gone, or out of sight."""
    pointer: tuple[float, float] | None = None
    """Where the pointer is, in desktop pixels, where that is known."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Look:
    """A request to be shown something; no action, but the model waits for the answer."""

    kind: Literal["screenshot", "pointer", "zoom"]
    region: tuple[float, float, float, float] | None = None
    """For `zoom`: left, top, right and bottom, in desktop pixels."""
    after: int = 0
    """How many of the reading's actions go before it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SafetyCheck:
    """A warning that the provider attached to a call; somebody has to acknowledge it."""

    id: str = ""
    code: str = ""
    message: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """What was understood of a reply."""

    actions: tuple[Action, ...] = ()
    problem: str = ""
    """Why the rest was not, in words that help the model to write it right."""
    thought: str = ""
    """What stood before or around the actions."""
    looks: tuple[Look, ...] = ()
    """What the model asked to be shown."""
    checks: tuple[SafetyCheck, ...] = ()


class Dialect(Protocol):
    """A way of writing actions as text.

    Three more attributes are used where a dialect has them; `words.py` says what holds for one that has not:
    `several` (whether a reply may hold more than one action), `thinks` (whether its form has a place of its own for
    reasoning) and `endings` (how each signal is written, by kind).
    """

    name: str
    kinds: tuple[str, ...]
    """The kinds of actions that it has a word for."""

    def describe(self, kinds: Sequence[str], frame: Frame) -> str:
        """Return how to write actions of these kinds, for a prompt, made from their own schema."""

    def read(self, reply: str, frame: Frame) -> Reading:
        """Return the actions of a reply; never raises and never evaluates it."""

    def write(self, actions: Sequence[Action], frame: Frame) -> str:
        """Return actions as this dialect writes them; raises AgentError for one that it has no word for."""
