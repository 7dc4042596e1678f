"""What a dialect is: a way of writing actions, read without ever evaluating it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from proctor.actions.action import Action


@dataclass(frozen=True, kw_only=True, slots=True)
class Frame:
    """What coordinates refer to: the picture the model saw, and the desktop behind it."""

    desktop: tuple[int, int]
    image: tuple[int, int]
    """Size of the picture in pixels; that of the desktop where none was shown."""
    marks: Mapping[int, tuple[float, float]] = field(default_factory=dict)
    """Places of numbered marks, in desktop pixels."""
    pointer: tuple[float, float] | None = None
    """Where the pointer is, in desktop pixels, where that is known."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """What was understood of a reply."""

    actions: tuple[Action, ...] = ()
    problem: str = ""
    """Why the rest was not, in words that help the model to write it right."""
    thought: str = ""
    """What stood before or around the actions."""


class Dialect(Protocol):
    """A way of writing actions as text."""

    name: str

    def describe(self, kinds: Sequence[str], frame: Frame) -> str:
        """Return how to write actions of these kinds, for a prompt; made from the action set's own schema."""

    def read(self, reply: str, frame: Frame) -> Reading:
        """Return the actions of a reply; never raises and never evaluates it."""

    def write(self, actions: Sequence[Action], frame: Frame) -> str:
        """Return actions as this dialect writes them; raises AgentError for one that it has no word for."""
