"""The Computer contract: what every machine can be asked, and the hooks a backend fills in."""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, TypeVar

from PIL import Image

from proctor.actions.action import Action
from proctor.computers.entries import Change, FileInfo
from proctor.computers.incidents import Incidents
from proctor.computers.values import (
    App,
    CodeResult,
    CommandResult,
    Performed,
    Snapshot,
    Window,
)
from proctor.errors import NotReady, SpecError
from proctor.observations.box import Box
from proctor.observations.tree import Node, Tree

if TYPE_CHECKING:
    import re

    from proctor.computers.locator import Locator
    from proctor.computers.settling import Settling
    from proctor.observations.clip import Clip

Capability = Literal[
    "screen", "pointer", "keys", "touch", "tree", "windows", "shell", "code", "files", "changes", "snapshot", "clip",
    "network",
]  # fmt: skip
Pace = Literal["settle", "realtime"]
"""`settle` waits until the screen is quiet after each action; `realtime` returns at once, as a live user would."""

Result = TypeVar("Result")


class Computer(ABC):
    """A machine one can see, touch and run commands on.

    Backends set `backend` and `capabilities` and fill in the underscore hooks of what they declare.
    Everything is synchronous and belongs to one thread; a computer is never shared between threads.
    """

    backend: ClassVar[str]
    capabilities: ClassVar[frozenset[Capability]]

    size: tuple[int, int]
    """Width and height of the desktop in pixels."""
    pace: Pace = "settle"
    settling: Settling = "quick"
    route: Callable[[Action], Performed] | None = None
    """Where set, `perform` hands actions to it, so that an episode sees them all; what it performs is carried out."""
    # -- life -----------------------------------------------------------------------------------------------------

    @abstractmethod
    def start(self) -> Self:
        """Start the machine and return when its desktop is complete; starting twice has no effect."""

    @abstractmethod
    def close(self) -> None:
        """Stop the machine and leave nothing behind; closing twice has no effect."""

    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """Return what a record needs to reproduce this computer: image, versions, size, locale, clock, limits."""

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_ended: object) -> None:
        self.close()

    def autopsy(self) -> dict[str, Any]:
        """Return what is known of how it failed, as plain data; `blame.py` says which keys count."""
        return {}

    def need(self, *capabilities: Capability) -> None:
        """Refuse by name what this computer cannot do."""
        missing = [name for name in capabilities if name not in self.capabilities]
        if missing:
            raise SpecError(
                f"computer {self.backend!r} has no {', '.join(missing)}",
                remedy=f"it offers: {', '.join(sorted(self.capabilities))}; choose another backend",
            )

    # -- see ------------------------------------------------------------------------------------------------------

    @abstractmethod
    def screenshot(self, *, cursor: bool = True) -> Image.Image:
        """Return the desktop as an RGB image, with the pointer drawn unless told otherwise."""

    def tree(self) -> Tree:
        """Return the accessibility tree of every application."""
        self.need("tree")
        raise NotImplementedError

    def windows(self) -> list[Window]:
        """Return the top-level windows, bottom to top."""
        self.need("windows")
        raise NotImplementedError

    def active_window(self) -> Window | None:
        """Return the window that has the input focus."""
        return next((window for window in self.windows() if window.active), None)

    def element_at(self, x: float, y: float) -> Node | None:
        """Return the element a click at this place would hit."""
        self.need("tree")
        raise NotImplementedError

    def terminal(self) -> str | None:
        """Return the text of the frontmost terminal, or None when there is none."""
        terminals = [node for node in self.tree().nodes if node.role == "terminal" and node.showing]
        front = self.active_window()
        active = [node for node in terminals if front and node.window == front.title]
        return (active or terminals)[-1].text if terminals else None

    def clip(self, seconds: float) -> Clip:
        """Return the last seconds of the screen; only what changed is kept, with its time."""
        self.need("clip")
        raise NotImplementedError

    # -- touch ----------------------------------------------------------------------------------------------------

    def perform(self, action: Action) -> Performed:
        """Carry out an input action, look up what it hits first, and wait as `pace` says."""
        # The match statement lives apart; it needs this class.
        from proctor.computers.perform import perform, rerouted

        if self.route is not None:
            return rerouted(self, action, self.route)
        performed = perform(self, action)
        self.history.append(performed)
        return performed

    @cached_property
    def incidents(self) -> Incidents:
        """What programs inside did to the connections by which the computer is seen and touched, oldest first."""
        return Incidents()

    @cached_property
    def history(self) -> list[Performed]:
        """Every action performed so far, in order."""
        return []

    def locate(
        self,
        *,
        role: str | None = None,
        name: str | re.Pattern[str] | None = None,
        text: str | re.Pattern[str] | None = None,
        app: str | re.Pattern[str] | None = None,
        window: str | re.Pattern[str] | None = None,
        within: Locator | None = None,
        nth: int | None = None,
    ) -> Locator:
        """Return a locator: a description of an element that is looked up anew each time it is used."""
        from proctor.computers.locator import Locator

        return Locator(self, role=role, name=name, text=text, app=app, window=window, within=within, nth=nth)

    # Input hooks: plain device events, in order, no waiting. `perform` composes them.

    def _pointer_move(self, x: int, y: int) -> None:
        raise NotImplementedError

    def _pointer_position(self) -> tuple[int, int]:
        raise NotImplementedError

    def _pointer_button(self, button: int, down: bool) -> None:
        """Press or release X button 1 left, 2 middle, 3 right, 4-7 wheel up, down, left, right, 8 back, 9 forward."""
        raise NotImplementedError

    def _pointer_clicks(self, button: int, count: int) -> None:
        """Click a button so many times in a row, quickly enough to count as one gesture."""
        for _ in range(count):
            # Released even when pressing failed half-way: a stuck button would spoil every later action.
            try:
                self._pointer_button(button, True)
            finally:
                self._pointer_button(button, False)

    def _key(self, keysym: int, down: bool) -> None:
        """Press or release the key that carries an X keysym."""
        raise NotImplementedError

    def _type(self, text: str) -> None:
        """Type a text exactly, whatever its characters."""
        raise NotImplementedError

    def _focused(self) -> Node | None:
        """Return the element that receives keys, with its text, where that can be known cheaply; otherwise None."""
        return None

    # -- wait -----------------------------------------------------------------------------------------------------

    def _about_to(self, action: Action) -> None:  # noqa: B027
        """Hear that an action begins; what happens from here on is its consequence."""

    @abstractmethod
    def settle(self, *, timeout_sec: float = 10.0) -> bool:
        """Wait until the screen is quiet; return False when it still moves at the end of the patience."""

    def _drawings(self) -> object:
        """Return something that is another whenever anything was drawn; None where that is not known."""
        return None

    def _restless(self) -> list[Box]:
        """Return the places on the screen that change by themselves, such as a panel's clock."""
        return []

    @abstractmethod
    def _wait_activity(self, timeout_sec: float) -> None:
        """Block until something on the computer may have changed, or the time is up."""

    def _pass_time(self, seconds: float) -> None:
        """Let this much time go by on the computer, whatever happens meanwhile."""
        threading.Event().wait(seconds)

    def _clock(self) -> float:
        """Return the seconds by which patience is counted; a fake machine may count its own."""
        return time.monotonic()

    def wait_for(
        self, condition: Callable[[Self], Result | None], *, what: str = "", timeout_sec: float = 10.0
    ) -> Result:
        """Return the first truthy value of `condition(computer)`, looked at again after each sign of activity."""
        deadline = self._clock() + timeout_sec
        while True:
            if value := condition(self):
                return value
            left = deadline - self._clock()
            if left <= 0:
                subject = what or getattr(condition, "__name__", "the condition")
                raise NotReady(f"{subject} did not come true within {timeout_sec:g} s")
            # Not everything announces itself (a file appearing, say), so a silent machine is polled too.
            self._wait_activity(min(left, 0.1))

    # -- run ------------------------------------------------------------------------------------------------------

    def run(
        self,
        argv: Sequence[str],
        *,
        input: bytes = b"",
        timeout_sec: float = 60.0,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        root: bool = False,
        reader: bool = False,
    ) -> CommandResult:
        """Run a command as the agent's user and return what it left.

        `root` runs it as the machine's root, for setup; `reader` as a user who owns nothing and whom the agent can
        neither stop nor trace, for programs that read what the agent made.

        Raises ComputerError when it does not end in time (its processes are killed) or cannot be started.
        """
        self.need("shell")
        raise NotImplementedError

    def launch(
        self,
        argv: Sequence[str],
        *,
        window: str | None = None,
        wait: bool = True,
        timeout_sec: float = 30.0,
        env: Mapping[str, str] | None = None,
    ) -> App:
        """Start an application and return when its window (whose title contains `window`) is up and settled."""
        self.need("windows")
        raise NotImplementedError

    def execute(self, code: str, *, language: str = "python", timeout_sec: float = 30.0) -> CodeResult:
        """Run code in the agent's persistent interpreter or shell."""
        self.need("code")
        raise NotImplementedError

    # -- files (relative paths start at the user's home) ------------------------------------------------------------

    def read_file(self, path: str, *, most: int | None = None, follow: bool = True) -> bytes:
        """Return a file's content; raises FileNotFoundError and the like as `open` would.

        Args:
            path: Where it lies.
            most: How many bytes at most; more raise OSError with EFBIG. None for a bound of the computer's own.
            follow: Whether the path may be a link; otherwise one raises OSError with ELOOP. What lies behind a link
                is read with the rights of the agent's user.
        """
        self.need("files")
        raise NotImplementedError

    def write_file(self, path: str, data: bytes, *, mode: int = 0o644) -> None:
        """Write a file as the agent's user, making folders as needed."""
        self.need("files")
        raise NotImplementedError

    def list_files(self, path: str = ".") -> list[FileInfo]:
        """Return the entries of a folder, sorted by name."""
        self.need("files")
        raise NotImplementedError

    def file_info(self, path: str) -> FileInfo:
        """Return what stands at a path, a link as such; raises FileNotFoundError and the like when nothing does."""
        self.need("files")
        raise NotImplementedError

    def remove_file(self, path: str) -> None:
        """Remove a file, link or whole folder."""
        self.need("files")
        raise NotImplementedError

    # -- state ----------------------------------------------------------------------------------------------------

    def baseline(self) -> None:
        """Say that the task begins now: `changes` counts from here."""
        self.need("changes")
        raise NotImplementedError

    def changes(self) -> list[Change]:
        """Return what was created, changed or deleted since `baseline`, sorted by path."""
        self.need("changes")
        raise NotImplementedError

    def before(self, path: str) -> bytes | None:
        """Return a file's content as it was at `baseline`; None when it did not exist."""
        self.need("changes")
        raise NotImplementedError

    def snapshot(self) -> Snapshot:
        """Keep the file state and the list of open applications."""
        self.need("snapshot")
        raise NotImplementedError

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot: its files, a fresh desktop, its applications relaunched."""
        self.need("snapshot")
        raise NotImplementedError

    def fork(self) -> Computer:
        """Return a second, started computer in the same file state with the same applications."""
        self.need("snapshot")
        raise NotImplementedError


__all__ = [
    "App", "Capability", "Change", "CodeResult", "CommandResult", "Computer", "FileInfo", "Pace", "Performed",
    "Snapshot", "Window",
]  # fmt: skip
