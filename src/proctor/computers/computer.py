"""The computer: everything a machine can be asked, over the parts that its backend hands it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, NoReturn, Self, TypeVar

from PIL import Image

from proctor.actions.action import Action
from proctor.computers.capabilities import Capability, Parts, absent, close_parts
from proctor.computers.entries import Change, FileInfo
from proctor.computers.fit import Meets
from proctor.computers.incidents import Incidents
from proctor.computers.locator import Locator
from proctor.computers.parts.besides import RememberedTree, SparingChanges
from proctor.computers.parts.viewer import Filming, Watching
from proctor.computers.perform import perform
from proctor.computers.query import Wanted
from proctor.computers.settle import Pace, Settling
from proctor.computers.values import (
    App,
    CodeResult,
    CommandResult,
    Frozen,
    MachineCosts,
    Performed,
    RunningProgram,
    Snapshot,
    Window,
)
from proctor.errors import NotReady, SpecError
from proctor.observations.clip import Clip
from proctor.observations.tree import Node, Still, Tree

Result = TypeVar("Result")


class Computer(Meets):
    """A machine one can see, touch and run commands on.

    A backend derives from it, sets `backend`, hands over its parts, and says how the machine is started and closed.
    What it can do follows from the parts. Asking for a part that is not there raises SpecError and says so.
    Everything is synchronous and belongs to one thread; a computer is never shared between threads.
    """

    backend: str
    """What records call this kind of computer."""

    def __init__(self, parts: Parts, *, pace: Pace = "settle") -> None:
        if not getattr(self, "backend", ""):
            raise SpecError(
                f"the computer {type(self).__name__} has no name for records", remedy='set backend = "..." in its class'
            )
        self.parts = parts
        self.pace = pace
        self.settling: Settling = "quick"
        self.history: list[Performed] = []
        """Every action performed so far, in order."""
        self.idle: Callable[[], None] | None = None
        """Called now and then while an action only waits."""
        self.incidents = Incidents()
        """What programs inside did to the connections by which the computer is seen and touched, oldest first."""
        self._patient_until = math.inf
        """When, by its clock, nothing is waited for any more."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the desktop in pixels."""
        return self.parts.screen.size

    @property
    def capabilities(self) -> frozenset[Capability]:
        """The parts that are there."""
        return self.parts.capabilities

    # -- life -----------------------------------------------------------------------------------------------------

    def start(self) -> Self:
        """Start the machine and return when its desktop is complete; starting twice has no effect."""
        return self

    def close(self) -> None:
        """Stop the machine and leave nothing behind; later calls say so, a second close does nothing."""
        self.parts = close_parts(self.parts)

    def facts(self) -> dict[str, Any]:
        """Return what a record needs to reproduce this: image, versions, size, locale, clock, limits."""
        return {"backend": self.backend, "size": list(self.size), "pace": self.pace, "settle": self.settling}

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_ended: object) -> None:
        self.close()

    def autopsy(self) -> dict[str, Any]:
        """Return what is known of how it failed, as plain data; `blame.py` says which keys count."""
        return {}

    def costs(self) -> MachineCosts | None:
        """Return what its programs have taken of this machine so far; None where nobody counts anything."""
        return None

    def crowding_seconds(self) -> float | None:
        """Return the processor time of its programs that may have come at the cost of others; None where unknown."""
        return None

    def need(self, *capabilities: Capability) -> None:
        """Refuse by name what this computer cannot do."""
        if not self.capabilities.issuperset(capabilities):
            self._lacks(*(name for name in capabilities if name not in self.capabilities))

    def _lacks(self, *missing: Capability) -> NoReturn:
        raise absent(missing, self.backend, self.capabilities)

    # -- see ------------------------------------------------------------------------------------------------------

    def screenshot(self, *, cursor: bool = True) -> Image.Image:
        """Return the desktop as an RGB image, with the pointer drawn unless told otherwise."""
        return self.parts.screen.screenshot(cursor=cursor)

    def tree(self, *, still: Still | None = None) -> Tree:
        """Return the accessibility tree of every application.

        What lies where nothing was drawn (`still`) may be told from memory, which is cheaper, and right unless an
        element changed without being drawn.
        """
        part = self.parts.tree or self._lacks("tree")
        return part.reread(still) if still and isinstance(part, RememberedTree) else part.tree()

    def windows(self) -> list[Window]:
        """Return the top-level windows, bottom to top."""
        return (self.parts.windows or self._lacks("windows")).windows()

    def active_window(self) -> Window | None:
        """Return the window that has the input focus."""
        return next((window for window in self.windows() if window.active), None)

    def element_at(self, x: float, y: float) -> Node | None:
        """Return the element a click at this place would hit."""
        return (self.parts.tree or self._lacks("tree")).element_at(x, y)

    def terminal(self) -> str | None:
        """Return the text of the frontmost terminal, or None when there is none."""
        terminals = [node for node in self.tree().nodes if node.role == "terminal" and node.showing]
        front = self.active_window()
        active = [node for node in terminals if front and node.window == front.title]
        return (active or terminals)[-1].text if terminals else None

    def clip(self, seconds: float) -> Clip:
        """Return the last seconds of the screen; only what changed is kept, with its time."""
        return (self.parts.clip or self._lacks("clip")).clip(seconds)

    def watch(self, *, port: int = 0, path: str | Path | None = None) -> Watching:
        """Let viewers in over VNC, on a loopback port (0: any free one) or a Unix socket, until closed."""
        return (self.parts.viewer or self._lacks("viewer")).watch(port=port, path=path)

    def record(self, path: str | Path, *, fps: float = 10.0) -> Filming:
        """Record the screen into a video until that is stopped or the computer closed."""
        return (self.parts.viewer or self._lacks("viewer")).record(path, fps=fps)

    # -- touch ----------------------------------------------------------------------------------------------------

    def perform(self, action: Action) -> Performed:
        """Carry out an input action, look up what it hits first, and wait as `pace` says."""
        performed = perform(self, action)
        self.history.append(performed)
        return performed

    def pointer_position(self) -> tuple[int, int]:
        """Return the pixel that the pointer is at."""
        return (self.parts.pointer or self._lacks("pointer")).position()

    def locate(
        self,
        *,
        role: str | None = None,
        name: Wanted | None = None,
        text: Wanted | None = None,
        app: Wanted | None = None,
        window: Wanted | None = None,
        within: Locator | None = None,
        nth: int | None = None,
    ) -> Locator:
        """Return a locator: a description of an element that is looked up again each time it is used."""
        return Locator(self, role=role, name=name, text=text, app=app, window=window, within=within, nth=nth)

    # -- wait -----------------------------------------------------------------------------------------------------

    def settle(self, *, timeout_sec: float = 10.0) -> bool:
        """Wait until the screen is quiet; return False when it still moves at the end of the patience."""
        return self.parts.rest.settle(self.settling, timeout_sec=min(timeout_sec, self._patience()))

    def wait_activity(self, timeout_sec: float) -> None:
        """Block until something on the computer may have changed, or the time is up."""
        self.parts.rest.wait_activity(self._must_be_patient(timeout_sec))

    def pass_time(self, seconds: float) -> None:
        """Let this much time go by on the computer, whatever happens meanwhile."""
        self.parts.clock.pass_time(seconds)

    def clock(self) -> float:
        """Return the seconds by which patience is counted; only their differences mean something."""
        return self.parts.clock.now()

    @contextmanager
    def patience(self, seconds: float) -> Iterator[None]:
        """Wait for nothing in the block any longer than this, all in all."""
        before = self._patient_until
        self._patient_until = min(before, self.clock() + seconds)
        try:
            yield
        finally:
            self._patient_until = before

    def _patience(self) -> float:
        """Return how long anything may be waited for now."""
        return max(self._patient_until - self.clock(), 0.0) if self._patient_until < math.inf else math.inf

    def _must_be_patient(self, seconds: float) -> float:
        """Return how long something may take; raises NotReady where no time is left."""
        left = min(seconds, self._patience())
        if left <= 0 < seconds:
            raise NotReady("it has already taken so long that there is no more waiting")
        return left

    def wait_for(
        self, condition: Callable[[Self], Result | None], *, what: str = "", timeout_sec: float = 10.0
    ) -> Result:
        """Return the first truthy value of `condition(computer)`, looked at again after each sign of activity."""
        deadline = self.clock() + self._must_be_patient(timeout_sec)
        while True:
            if value := condition(self):
                return value
            left = deadline - self.clock()
            if left <= 0:
                subject = what or getattr(condition, "__name__", "the condition")
                raise NotReady(f"{subject} did not happen within {timeout_sec:g} s")
            # Not everything announces itself (a file appearing, say), so a silent machine is polled too.
            self.wait_activity(min(left, 0.1))

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
        shell = self.parts.shell or self._lacks("shell")
        seconds = self._must_be_patient(timeout_sec)
        return shell.run(argv, input=input, timeout_sec=seconds, env=env, cwd=cwd, root=root, reader=reader)

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
        windows = self.parts.windows or self._lacks("windows")
        seconds = self._must_be_patient(timeout_sec)
        app = windows.launch(argv, window=window, wait=wait, timeout_sec=seconds, env=env)
        if app.window is None:
            return app
        self.settle()
        # It may have been placed or named again meanwhile.
        found = next((each for each in self.windows() if app.window and each.id == app.window.id), app.window)
        return App(argv=app.argv, pid=app.pid, window=found)

    def execute(self, code: str, *, language: str = "python", timeout_sec: float = 30.0) -> CodeResult:
        """Run code in the agent's persistent interpreter or shell."""
        return (self.parts.code or self._lacks("code")).execute(code, language=language, timeout_sec=timeout_sec)

    # -- files (relative paths start at the user's home) ------------------------------------------------------------

    def read_file(self, path: str, *, most: int | None = None, follow: bool = True) -> bytes:
        """Return a file's content; raises FileNotFoundError and the like as `open` would.

        More than `most` bytes (None: the computer's own bound) raise OSError with EFBIG, a link unless `follow` ELOOP.
        What lies behind a link is read with the rights of the agent's user.
        """
        return (self.parts.files or self._lacks("files")).read_file(path, most=most, follow=follow)

    def write_file(self, path: str, data: bytes, *, mode: int = 0o644) -> None:
        """Write a file as the agent's user, making folders as needed."""
        (self.parts.files or self._lacks("files")).write_file(path, data, mode=mode)

    def list_files(self, path: str = ".") -> list[FileInfo]:
        """Return the entries of a folder, sorted by name."""
        return (self.parts.files or self._lacks("files")).list_files(path)

    def file_info(self, path: str) -> FileInfo:
        """Return what stands at a path, a link as such; raises FileNotFoundError when nothing does."""
        return (self.parts.files or self._lacks("files")).file_info(path)

    def remove_file(self, path: str) -> None:
        """Remove a file, link or whole folder."""
        (self.parts.files or self._lacks("files")).remove_file(path)

    # -- state ----------------------------------------------------------------------------------------------------

    def baseline(self) -> None:
        """Say that the task begins now: `changes` counts from here."""
        (self.parts.changes or self._lacks("changes")).baseline()

    def changes(self) -> list[Change]:
        """Return what was created, changed or deleted since `baseline`, sorted by path."""
        return (self.parts.changes or self._lacks("changes")).changes()

    def spare_changes(self) -> AbstractContextManager[None]:
        """Take what changes in the block for how it was at `baseline`, on computers that can tell."""
        part = self.parts.changes
        return part.spare_changes() if isinstance(part, SparingChanges) else nullcontext()

    def before(self, path: str) -> bytes | None:
        """Return a file's content as it was at `baseline`; None when it did not exist."""
        return (self.parts.changes or self._lacks("changes")).before(path)

    def freeze(self) -> Frozen:
        """Hold every program of the agent's user still, and return which had to be ended for it."""
        return (self.parts.programs or self._lacks("programs")).freeze()

    def thaw(self) -> None:
        """Let the programs go on."""
        (self.parts.programs or self._lacks("programs")).thaw()

    def programs(self) -> list[RunningProgram]:
        """Return the programs of the agent's user, and which of them were running at `baseline`."""
        return (self.parts.programs or self._lacks("programs")).programs()

    def snapshot(self) -> Snapshot:
        """Keep the file state and the list of open applications."""
        return (self.parts.snapshot or self._lacks("snapshot")).snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot: its files, a fresh desktop, its applications relaunched."""
        (self.parts.snapshot or self._lacks("snapshot")).restore(snapshot)

    def fork(self) -> Computer:
        """Return a second, started computer in the same file state with the same applications."""
        twin = (self.parts.snapshot or self._lacks("snapshot")).fork()
        assert isinstance(twin, Computer)
        return twin


__all__ = [
    "App", "Capability", "Change", "CodeResult", "CommandResult", "Computer", "FileInfo", "Frozen", "Pace", "Parts",
    "Performed", "RunningProgram", "Snapshot", "Window",
]  # fmt: skip
