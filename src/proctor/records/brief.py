"""All that an agent may know of a task."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True, slots=True)
class Tool:
    """A tool outside of the computer that an agent may call (`call_tool`)."""

    name: str
    """Server and tool, such as `notes__add`."""
    description: str = ""
    schema: dict[str, object] = field(default_factory=dict, hash=False)
    """Of its arguments, as JSON Schema."""
    server: str = ""
    """What its server calls itself, with its version."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Brief:
    """All that an agent may know of a task."""

    instruction: str
    actions: tuple[str, ...]
    """Kinds of actions it may take, such as `click`."""
    size: tuple[int, int]
    """Width and height of the desktop in pixels."""
    max_steps: int
    """How many actions it may take; signals do not count."""
    notes: str = ""
    """What else it is told, such as the name of the user or how an answer is to be written."""
    intent: str = ""
    """What the user is after with it all, where the task says so."""
    seconds: float = 0.0
    """How long it may take; 0 when nobody counts."""
    seed: int = 0
    """For agents that draw lots."""
    computer: str = ""
    """What computer it is and where its user's home folder is, in words that go on from "the computer is"."""
    tools: tuple[Tool, ...] = ()
    """Tools outside of the computer that it may call, where the run was given any; a call takes a step."""
