"""What a computer can do: the parts a backend hands it, and what each is called."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Literal, NoReturn, cast, get_args

from proctor.computers.parts.apps import Apps
from proctor.computers.parts.changes import Changes
from proctor.computers.parts.clip import Clips
from proctor.computers.parts.clock import Clock, PatientClock
from proctor.computers.parts.code import Code
from proctor.computers.parts.files import Files
from proctor.computers.parts.keys import Keys
from proctor.computers.parts.network import Network
from proctor.computers.parts.pages import Pages
from proctor.computers.parts.pointer import Pointer
from proctor.computers.parts.programs import Programs
from proctor.computers.parts.rest import PlainRest, Rest
from proctor.computers.parts.screen import Screen
from proctor.computers.parts.shell import Shell
from proctor.computers.parts.snapshots import Snapshots
from proctor.computers.parts.touch import Touch
from proctor.computers.parts.tree import AccessibilityTree
from proctor.computers.parts.viewer import Viewer
from proctor.computers.parts.windows import Windows
from proctor.errors import ComputerError, SpecError

Capability = Literal[
    "screen", "pointer", "keys", "touch", "tree", "windows", "shell", "code", "files", "changes", "snapshot", "clip",
    "network", "viewer", "pages", "apps", "programs",
]  # fmt: skip
"""Each is the name of a field of `Parts`: a computer can do what it has a part for."""
CAPABILITIES: tuple[Capability, ...] = get_args(Capability)

WORDS: dict[Capability, str] = {
    "screen": "screen", "pointer": "mouse pointer", "keys": "keyboard", "touch": "touch screen",
    "tree": "accessibility tree", "windows": "window list", "shell": "shell", "code": "code interpreter",
    "files": "file access", "changes": "record of file changes", "snapshot": "snapshots", "clip": "screen clips",
    "network": "network control", "viewer": "live view", "pages": "web pages", "apps": "applications to open by name",
    "programs": "control of what is running",
}  # fmt: skip
"""How a message calls each of them: this computer has no ..."""


@dataclass(frozen=True, kw_only=True)
class Parts:
    """The parts of one computer; None for what it does not have. Rest and clock have plain ones."""

    screen: Screen
    pointer: Pointer | None = None
    keys: Keys | None = None
    touch: Touch | None = None
    tree: AccessibilityTree | None = None
    windows: Windows | None = None
    shell: Shell | None = None
    code: Code | None = None
    files: Files | None = None
    changes: Changes | None = None
    snapshot: Snapshots[Any] | None = None
    clip: Clips | None = None
    network: Network | None = None
    viewer: Viewer | None = None
    pages: Pages | None = None
    apps: Apps | None = None
    programs: Programs | None = None
    clock: Clock = field(default_factory=PatientClock)
    rest: Rest = cast(Rest, None)

    def __post_init__(self) -> None:
        if getattr(self, "rest", None) is None:
            object.__setattr__(self, "rest", PlainRest(self.screen, self.clock))

    @cached_property
    def capabilities(self) -> frozenset[Capability]:
        """What a computer of these parts can do."""
        return frozenset(name for name in CAPABILITIES if getattr(self, name) is not None)


class _Closed:
    """Stands where a part was."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.size = size

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):  # asked by Python itself, as when it is copied
            raise AttributeError(name)
        raise ComputerError("this computer is closed", remedy="open another one")


def close_parts(parts: Parts) -> Parts:
    """Return the parts of a computer that is closed: whatever is asked of them says so."""
    gone: Any = _Closed(parts.screen.size)
    there = (field.name for field in fields(parts) if getattr(parts, field.name) is not None)
    return replace(parts, **dict.fromkeys(there, gone))


def absent(missing: Iterable[Capability], backend: str, present: Iterable[Capability]) -> SpecError:
    """Return the error that says which parts a computer does not have."""
    words = [WORDS[name] for name in missing]
    listed = f"{', no '.join(words[:-1])} and no {words[-1]}" if len(words) > 1 else words[0]
    return SpecError(
        f"this computer has no {listed}",
        remedy=f"choose another; {backend!r} offers: {', '.join(sorted(present))}",
    )
