"""A computer in memory: a small desktop with an editor, files and a few commands, always the same."""

from __future__ import annotations

import json
import math
import tempfile
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

from PIL import Image

from proctor.actions.action import Action
from proctor.computers.backends.fake import shell
from proctor.computers.backends.fake.desktop import FakeDesktop
from proctor.computers.backends.fake.files import Entry, FakeFiles
from proctor.computers.computer import (
    App,
    Capability,
    Change,
    CommandResult,
    Computer,
    FileInfo,
    Performed,
    Snapshot,
    Window,
)
from proctor.errors import ComputerError, ComputerLost, NotReady, SpecError
from proctor.observations.clip import Clip, Frame
from proctor.observations.tree import Node, Tree

EPOCH = 1_700_000_000.0
"""The computer's clock when it starts."""
STEP_SEC = 0.05
"""How long settling takes on that clock."""
MAX_FRAMES = 60


class FakeComputer(Computer):
    """A computer that needs nothing: for tests, examples and trying out agents.

    Its time is its own: waiting costs none of ours and the same actions always give the same pictures. It runs no
    code, and only the programs of `shell.py` and one application, `mousepad`. Every option but the size is there so
    that any task can be set on it, and has no effect.
    """

    backend: ClassVar[str] = "fake"
    capabilities: ClassVar[frozenset[Capability]] = frozenset(
        {"screen", "pointer", "keys", "tree", "windows", "shell", "files", "changes", "snapshot", "clip"}
    )

    def __init__(
        self,
        *,
        size: tuple[int, int] = (1280, 720),
        image: str = "",
        look: str = "",
        locale: str = "",
        timezone: str = "",
        clock: str | None = None,
        network: str = "off",
    ) -> None:
        if len(size) != 2 or min(size) < 320 or max(size) > 16_384:
            raise SpecError(f"a desktop cannot have the size {size}", remedy="give width and height from 320 to 16384")
        self.size = (int(size[0]), int(size[1]))
        self._time = 0.0
        self._state = "new"
        self._faults: dict[str, Exception] = {}
        self._gone: dict[str, Exception] = {}
        self.found: dict[str, Any] = {}
        self._files = FakeFiles(self._now)
        self._desktop = FakeDesktop(self.size, self._files)
        self._baseline: Mapping[str, Entry] = {}
        self._frames: list[Frame] = []
        self._look: Hashable = None
        """Of the last frame."""
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._snapshots = 0

    # -- life -----------------------------------------------------------------------------------------------------

    def start(self) -> Self:
        """Start; a computer that was closed cannot be started again."""
        if self._state == "closed":
            self._alive("start")
        if self._state == "new":
            self._fail("start")
            self._state = "started"
            self.baseline()
            self._keep_frame()
        return self

    def close(self) -> None:
        """Stop, and remove the snapshots."""
        self._state = "closed"
        if self._folder:
            self._folder.cleanup()
            self._folder = None

    def facts(self) -> dict[str, Any]:
        """Return the little there is to know."""
        facts: dict[str, Any] = {"backend": self.backend, "size": list(self.size), "clock": EPOCH, "locale": "C.UTF-8"}
        return facts | {"settle": self.settling}

    def fail_next(self, operation: str, error: Exception | None = None) -> None:
        """Make the next call of a method fail, for tests of those who must cope with it.

        Without an error of your own the computer is lost: this call and every later one raise ComputerLost.
        """
        if not callable(getattr(self, operation, None)):
            raise SpecError(f"a computer has no method {operation!r} that could fail")
        self._faults[operation] = error or ComputerLost(f"the fake computer stopped answering in {operation!r}")

    def lose(self, *operations: str) -> None:
        """Break the computer in part, as when its display has ended: these methods raise ComputerLost for good."""
        for operation in operations:
            self.fail_next(operation)
            self._gone[operation] = self._faults.pop(operation)

    def autopsy(self) -> dict[str, Any]:
        """Return what a test has put into `found`."""
        return dict(self.found)

    def _alive(self, operation: str) -> None:
        """Refuse to work before the start, after the end, and where a fault was planted."""
        if self._state == "closed":
            raise ComputerError(f"cannot {operation}: the computer is closed", remedy="open a new one")
        if self._state == "new":
            raise ComputerError(f"cannot {operation}: the computer is not started", remedy="use it in a with statement")
        if operation in self._gone:
            raise self._gone[operation]
        self._fail("*")
        self._fail(operation)

    def _fail(self, operation: str) -> None:
        error = self._faults.get(operation) if operation == "*" else self._faults.pop(operation, None)
        if error is None:
            return
        if isinstance(error, ComputerLost):
            self._faults["*"] = error
        raise error

    def _now(self) -> float:
        return EPOCH + self._time

    # -- see ------------------------------------------------------------------------------------------------------

    def screenshot(self, *, cursor: bool = True) -> Image.Image:
        """Draw the desktop."""
        self._alive("screenshot")
        # Whoever gets it may draw on it.
        return self._desktop.draw(cursor=cursor).copy()

    def tree(self) -> Tree:
        """Describe the desktop."""
        self._alive("tree")
        return self._desktop.tree()

    def windows(self) -> list[Window]:
        """List the windows."""
        self._alive("windows")
        return self._desktop.listing()

    def element_at(self, x: float, y: float) -> Node | None:
        """Find what is drawn at a place."""
        self._alive("element_at")
        return self._desktop.element_at(math.floor(x), math.floor(y))

    def clip(self, seconds: float) -> Clip:
        """Return the frames of the last seconds of the computer's own clock."""
        self._alive("clip")
        since = self._now() - seconds
        first = max((place for place, frame in enumerate(self._frames) if frame.at <= since), default=0)
        frames = tuple(Frame(at=frame.at, image=frame.image.copy()) for frame in self._frames[first:])
        return Clip(frames=frames, end=self._now())

    def _keep_frame(self) -> None:
        look = self._desktop.look(cursor=True)
        if look != self._look:
            self._look = look
            frame = Frame(at=self._now(), image=self._desktop.draw(cursor=True))
            self._frames = [*self._frames[1 - MAX_FRAMES :], frame]

    # -- touch ----------------------------------------------------------------------------------------------------

    def perform(self, action: Action) -> Performed:
        """Carry out an action and keep a frame of what came of it."""
        self._alive("perform")
        performed = super().perform(action)
        self._keep_frame()
        return performed

    def _pointer_move(self, x: int, y: int) -> None:
        self._alive("_pointer_move")
        self._desktop.move(x, y)

    def _pointer_position(self) -> tuple[int, int]:
        self._alive("_pointer_position")
        return self._desktop.pointer

    def _pointer_button(self, button: int, down: bool) -> None:
        self._alive("_pointer_button")
        self._desktop.button(button, down, self._time)

    def _key(self, keysym: int, down: bool) -> None:
        self._alive("_key")
        self._desktop.key(keysym, down)

    def _type(self, text: str) -> None:
        self._alive("_type")
        self._desktop.type(text)

    def _focused(self) -> Node | None:
        return self.tree().focused()

    # -- wait -----------------------------------------------------------------------------------------------------

    def settle(self, *, timeout_sec: float = 10.0) -> bool:
        """Return at once: nothing moves by itself."""
        self._alive("settle")
        self._time += min(STEP_SEC, timeout_sec)
        return True

    def _drawings(self) -> object:
        return self._desktop.look(cursor=True)

    def _wait_activity(self, timeout_sec: float) -> None:
        self._alive("_wait_activity")
        self._time += max(timeout_sec, 0.001)

    def _pass_time(self, seconds: float) -> None:
        self._alive("_pass_time")
        self._time += seconds

    def _clock(self) -> float:
        return self._time

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
        """Run one of the few programs there are."""
        self._alive("run")
        if not argv:
            raise SpecError("a command needs at least the name of a program")
        folder = self._files.absolute(cwd or ".")
        if folder not in self._files.entries:
            raise ComputerError(f"cannot run {argv[0]!r}: there is no folder {folder!r}")
        call = shell.Call(arguments=argv[1:], input=input, cwd=folder, env=env or {}, files=self._files)
        result, seconds = shell.run(argv, call, timeout_sec)
        self._time += seconds
        return result

    def launch(
        self,
        argv: Sequence[str],
        *,
        window: str | None = None,
        wait: bool = True,
        timeout_sec: float = 30.0,
        env: Mapping[str, str] | None = None,
    ) -> App:
        """Open the editor; no other application is installed."""
        self._alive("launch")
        if not argv or argv[0] != "mousepad":
            raise ComputerError(f"cannot launch {list(argv)!r}: it is not installed", remedy="a fake has only mousepad")
        named = next((argument for argument in argv[1:] if not argument.startswith("-")), "")
        editor = self._desktop.open(tuple(argv), self._files.absolute(named) if named else "")
        self._keep_frame()
        if wait and window and window.casefold() not in editor.title.casefold():
            self._time += timeout_sec
            raise NotReady(
                f"no window with {window!r} in its title within {timeout_sec:g} s; there is {editor.title!r}"
            )
        opened = next(listed for listed in self._desktop.listing() if listed.id == editor.id)
        return App(argv=tuple(argv), pid=editor.pid, window=opened if wait else None)

    # -- files ----------------------------------------------------------------------------------------------------

    def read_file(self, path: str, *, most: int | None = None, follow: bool = True) -> bytes:
        """Return a file's content; there are no links."""
        self._alive("read_file")
        return self._files.read(path, most)

    def write_file(self, path: str, data: bytes, *, mode: int = 0o644) -> None:
        """Write a file."""
        self._alive("write_file")
        self._files.write(path, data, mode)

    def list_files(self, path: str = ".") -> list[FileInfo]:
        """Return the entries of a folder."""
        self._alive("list_files")
        return self._files.listing(path)

    def file_info(self, path: str) -> FileInfo:
        """Return what stands at a path."""
        self._alive("file_info")
        return self._files.info(path)

    def remove_file(self, path: str) -> None:
        """Remove a file or folder."""
        self._alive("remove_file")
        self._files.remove(path)

    # -- state ----------------------------------------------------------------------------------------------------

    def baseline(self) -> None:
        """Count changes from here."""
        self._alive("baseline")
        self._baseline = dict(self._files.entries)

    def changes(self) -> list[Change]:
        """Compare the files with those at the baseline."""
        self._alive("changes")
        return self._files.changes_since(self._baseline)

    def before(self, path: str) -> bytes | None:
        """Return a file as it was at the baseline."""
        self._alive("before")
        entry = self._baseline.get(self._files.absolute(path))
        return entry.data if entry else None

    def snapshot(self) -> Snapshot:
        """Write the files to a temporary file on the host."""
        self._alive("snapshot")
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="proctor-fake-")
        self._snapshots += 1
        path = Path(self._folder.name) / f"{self._snapshots}.json"
        path.write_text(json.dumps(self._files.to_json()))
        return Snapshot(backend=self.backend, path=path, apps=tuple(window.argv for window in self._desktop.windows))

    def restore(self, snapshot: Snapshot) -> None:
        """Take the files from a snapshot and open its applications on a fresh desktop."""
        self._alive("restore")
        if snapshot.backend != self.backend:
            raise SpecError(f"a snapshot of {snapshot.backend!r} cannot be restored on {self.backend!r}")
        if not snapshot.path.exists():
            raise ComputerError(f"the snapshot {snapshot.path} is gone", remedy="keep the computer that made it open")
        self._files.load_json(json.loads(snapshot.path.read_text()))
        self._desktop = FakeDesktop(self.size, self._files)
        for argv in snapshot.apps:
            self.launch(argv)

    def fork(self) -> FakeComputer:
        """Return a second computer in the same state."""
        self._alive("fork")
        other = FakeComputer(size=self.size).start()
        other.restore(self.snapshot())
        other._baseline = self._baseline
        return other
