"""What a computer is asked about and answers with, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from proctor.actions.action import Action
from proctor.observations.box import Box
from proctor.observations.tree import Node


@dataclass(frozen=True, kw_only=True, slots=True)
class CommandResult:
    """What a finished command left behind."""

    code: int
    """Exit status; negative for the signal that ended it."""
    stdout: str
    stderr: str


@dataclass(frozen=True, kw_only=True, slots=True)
class CodeResult:
    """What a code action printed and returned."""

    output: str
    """Standard output, standard error and the last value, as a terminal would show them."""
    error: str = ""
    """Name of the exception or `exit status N`; empty on success."""
    timed_out: bool = False
    pictures: tuple[str, ...] = ()
    """PNG as data URLs, where a tool outside of the computer answered with some."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Window:
    """A top-level window, as the window manager lists it."""

    id: int
    title: str
    app: str
    """Class of the application, such as `Mousepad`."""
    pid: int
    """Process inside the computer; 0 where the window does not say."""
    box: Box
    active: bool = False
    minimised: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class RunningProgram:
    """A program that is running."""

    pid: int
    name: str
    """What the kernel calls it, of 15 characters at most."""
    command: str
    path: str
    """The executable; that of its interpreter for a script."""
    of_image: bool
    """Whether that is the image's own, and not one that was put there."""
    agents: bool
    """Whether it runs as the agent's user."""
    halted: bool
    early: bool = False
    """Whether it was running when the task began; then name and command are those it had."""
    nice: int = 0
    """How much it gives way to others."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Frozen:
    """How a computer was held still."""

    ended: tuple[RunningProgram, ...] = ()
    """Those that did not stand still, and were ended."""
    changed: bool = False
    """Whether a file of the agent's user has changed since this was last looked at."""


@dataclass(frozen=True, kw_only=True, slots=True)
class App:
    """An application that `launch` started."""

    argv: tuple[str, ...]
    pid: int
    """Process inside the computer."""
    window: Window | None
    """Its first window; None when launched without waiting."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Performed:
    """One action as it was carried out."""

    action: Action
    element: Node | None = None
    """What was under the pointer (or had the focus, for keys) before the action."""
    program: str | None = None
    """Path of the image's program that it went to; empty where it was none of them, None where nobody can tell."""
    started: float = 0.0
    ended: float = 0.0
    """Seconds since the epoch on the host's clock."""
    settled: bool = True
    """False when the screen was still moving at the end of the patience."""
    verified: bool | None = None
    """For typing: whether the tree shows the text; None where it cannot tell."""
    result: CodeResult | None = None
    """For code actions."""


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """The file state of a computer at one instant, with the applications that were open."""

    backend: str
    path: Path
    """A file on the host that holds it; removed with the computer that made it."""
    apps: tuple[tuple[str, ...], ...] = ()
    """Command lines to relaunch after `restore`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MachineCosts:
    """What its programs have used since they started; None where nobody counts it."""

    processor_seconds: float | None
    memory_bytes: int | None
    """The most at any time, with the files that are held in memory."""
