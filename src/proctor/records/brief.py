"""Everything an agent is told about its task."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True, slots=True)
class Tool:
    """A tool outside the computer that an agent may call (`call_tool`)."""

    name: str
    """Server and tool, such as `notes__add`."""
    description: str = ""
    schema: dict[str, object] = field(default_factory=dict, hash=False)
    """JSON Schema of its arguments."""
    server: str = ""
    """The name that its server reports, with its version."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Brief:
    """Everything an agent is told about its task."""

    instruction: str
    actions: tuple[str, ...]
    """Kinds of actions that are allowed, such as `click`."""
    size: tuple[int, int]
    """Width and height of the desktop in pixels."""
    max_steps: int
    """How many actions it may take; signals do not count."""
    notes: str = ""
    """Anything else it needs to know, such as the user's name or the format of an answer."""
    intent: str = ""
    """What the user wants to achieve, if the task says so."""
    seconds: float = 0.0
    """Time limit in seconds; 0 for none."""
    seed: int = 0
    """For agents that make random choices."""
    computer: str = ""
    """The kind of computer and its user's home folder, worded to follow "the computer is"."""
    tools: tuple[Tool, ...] = ()
    """Tools outside the computer that it may call, if the run has any; a call takes a step."""
