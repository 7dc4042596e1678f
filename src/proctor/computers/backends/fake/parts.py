"""The parts of a fake computer."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from PIL import Image

from proctor.actions.action import Action, Button
from proctor.computers.backends.fake import shell
from proctor.computers.backends.fake.editor import CELL_HEIGHT
from proctor.computers.backends.fake.world import STEP_SEC, FakeWorld
from proctor.computers.entries import Change, FileInfo
from proctor.computers.parts.pointer import Pointer
from proctor.computers.settle import Settling
from proctor.computers.values import App, CommandResult, Snapshot, Window
from proctor.errors import ComputerError, NotReady, SpecError
from proctor.observations.box import Box
from proctor.observations.clip import Clip, ClipFrame
from proctor.observations.tree import Node, Tree

TOUCH_SLOP = 12
"""Pixels that a finger may slip before its touch counts as a swipe."""


class FakePart:
    """Something that a fake computer has."""

    def __init__(self, world: FakeWorld) -> None:
        self.world = world


class FakeScreen(FakePart):
    """Drawn from the description of the desktop."""

    @property
    def size(self) -> tuple[int, int]:
        return self.world.size

    def screenshot(self, *, cursor: bool) -> Image.Image:
        self.world.alive("screenshot")
        # Whoever gets it may draw on it.
        return self.world.desktop.draw(cursor=cursor).copy()


class FakePointer(FakePart, Pointer):
    """A mouse with a left button that matters, and a wheel."""

    def move(self, x: int, y: int) -> None:
        self.world.alive("pointer_move")
        self.world.desktop.move(x, y)

    def position(self) -> tuple[int, int]:
        self.world.alive("pointer_position")
        return self.world.desktop.pointer

    def button(self, button: Button, down: bool) -> None:
        self.world.alive("pointer_button")
        self.world.desktop.button(button, down, self.world.time)

    def scroll(self, dx: int, dy: int) -> None:
        """Turn the wheel; nothing is wider than its window."""
        self.world.alive("pointer_scroll")
        self.world.desktop.scroll(dy)


class FakeKeys(FakePart):
    """A keyboard."""

    def key(self, key: str, down: bool) -> None:
        self.world.alive("key")
        self.world.desktop.key(key, down)

    def type(self, text: str) -> None:
        self.world.alive("type")
        self.world.desktop.type(text)


class FakeTouch(FakePart):
    """One finger clicks or drags what it touches; two do nothing, for nothing has a zoom."""

    def __init__(self, world: FakeWorld) -> None:
        super().__init__(world)
        self.fingers: dict[int, tuple[int, int]] = {}
        self._began: tuple[int, int] | None = None
        self._scrolled = 0

    def down(self, finger: int, x: int, y: int) -> None:
        self.world.alive("touch")
        self.fingers[finger] = (x, y)
        self._began, self._scrolled = ((x, y), 0) if len(self.fingers) == 1 else (None, 0)
        if self._began:
            self.world.desktop.move(x, y)  # as on a real desktop, the pointer follows the first finger

    def move(self, finger: int, x: int, y: int) -> None:
        """Move a finger; a single one drags the text under it along."""
        self.world.alive("touch")
        if finger not in self.fingers:
            raise ComputerError(f"finger {finger} is not down")
        self.fingers[finger] = (x, y)
        if self._began and (self._scrolled or math.dist(self._began, (x, y)) > TOUCH_SLOP):
            lines = (self._began[1] - y) // CELL_HEIGHT
            self.world.desktop.scroll_lines(lines - self._scrolled)
            self._scrolled = lines

    def up(self, finger: int) -> None:
        """Lift a finger; one that stayed in its place has clicked."""
        self.world.alive("touch")
        place = self.fingers.pop(finger, None)
        if place and self._began and not self._scrolled and math.dist(self._began, place) <= TOUCH_SLOP:
            for down in (True, False):
                self.world.desktop.button("left", down, self.world.time)
        self._began = None


class FakeTree(FakePart):
    """From the same description as the picture."""

    def tree(self) -> Tree:
        self.world.alive("tree")
        return self.world.desktop.tree()

    def element_at(self, x: float, y: float) -> Node | None:
        self.world.alive("element_at")
        return self.world.desktop.element_at(math.floor(x), math.floor(y))

    def focused(self) -> Node | None:
        return self.tree().focused_node()


class FakeWindows(FakePart):
    """Editors, and nothing else."""

    def windows(self) -> list[Window]:
        self.world.alive("windows")
        return self.world.desktop.listing()

    def launch(
        self, argv: Sequence[str], *, window: str | None, wait: bool, timeout_sec: float, env: Mapping[str, str] | None
    ) -> App:
        """Open the editor; no other application is installed."""
        world = self.world
        world.alive("launch")
        if not argv or argv[0] != "mousepad":
            raise ComputerError(f"cannot launch {list(argv)!r}: it is not installed", remedy="a fake has only mousepad")
        named = next((argument for argument in argv[1:] if not argument.startswith("-")), "")
        editor = world.desktop.open(tuple(argv), world.files.absolute(named) if named else "")
        world.keep_frame()
        if wait and window and window.casefold() not in editor.title.casefold():
            world.time += timeout_sec
            raise NotReady(
                f"no window with {window!r} in its title within {timeout_sec:g} s; there is {editor.title!r}"
            )
        opened = next(listed for listed in world.desktop.listing() if listed.id == editor.id)
        return App(argv=tuple(argv), pid=editor.pid, window=opened if wait else None)


class FakeShell(FakePart):
    """The few programs of `shell.py`."""

    def run(
        self,
        argv: Sequence[str],
        *,
        input: bytes,
        timeout_sec: float,
        env: Mapping[str, str] | None,
        cwd: str | None,
        root: bool,
        reader: bool,
    ) -> CommandResult:
        world = self.world
        world.alive("run")
        if not argv:
            raise SpecError("a command needs at least the name of a program")
        folder = world.files.absolute(cwd or ".")
        if folder not in world.files.entries:
            raise ComputerError(f"cannot run {argv[0]!r}: there is no folder {folder!r}")
        call = shell.Invocation(arguments=argv[1:], input=input, cwd=folder, env=env or {}, files=world.files)
        result, seconds = shell.run(argv, call, timeout_sec)
        world.time += seconds
        return result


class FakeFilesPart(FakePart):
    """Files in memory; there are no links."""

    def read_file(self, path: str, *, most: int | None, follow: bool) -> bytes:
        self.world.alive("read_file")
        return self.world.files.read(path, most)

    def write_file(self, path: str, data: bytes, *, mode: int) -> None:
        self.world.alive("write_file")
        self.world.files.write(path, data, mode)

    def list_files(self, path: str) -> list[FileInfo]:
        self.world.alive("list_files")
        return self.world.files.listing(path)

    def file_info(self, path: str) -> FileInfo:
        self.world.alive("file_info")
        return self.world.files.info(path)

    def remove_file(self, path: str) -> None:
        self.world.alive("remove_file")
        self.world.files.remove(path)


class FakeChanges(FakePart):
    """Compares the files with those at the baseline."""

    def baseline(self) -> None:
        self.world.alive("baseline")
        self.world.baseline = dict(self.world.files.entries)

    def changes(self) -> list[Change]:
        self.world.alive("changes")
        return self.world.files.changes_since(self.world.baseline)

    @contextmanager
    def spare_changes(self) -> Iterator[None]:
        earlier = dict(self.world.files.entries)
        try:
            yield
        finally:
            now, then = self.world.files.entries, dict(self.world.baseline)
            for change in self.world.files.changes_since(earlier):
                then.pop(change.path, None)
                if change.path in now:
                    then[change.path] = now[change.path]
            self.world.baseline = then

    def before(self, path: str) -> bytes | None:
        self.world.alive("before")
        entry = self.world.baseline.get(self.world.files.absolute(path))
        return entry.data if entry else None


class FakeClips(FakePart):
    """Frames by the computer's own clock."""

    def clip(self, seconds: float) -> Clip:
        world = self.world
        world.alive("clip")
        since = world.now() - seconds
        first = max((place for place, frame in enumerate(world.frames) if frame.at <= since), default=0)
        frames = tuple(ClipFrame(at=frame.at, image=frame.image.copy()) for frame in world.frames[first:])
        return Clip(frames=frames, end=world.now())


class FakeRest(FakePart):
    """Nothing moves by itself."""

    def about_to(self, action: Action) -> None:
        """Take no notice."""

    def settle(self, policy: Settling, *, timeout_sec: float) -> bool:
        self.world.alive("settle")
        self.world.time += min(STEP_SEC, timeout_sec)
        return True

    def wait_activity(self, timeout_sec: float) -> None:
        self.world.alive("wait_activity")
        self.world.time += max(timeout_sec, 0.001)

    def drawings(self) -> object:
        return self.world.desktop.look(cursor=True)

    def restless(self) -> list[Box]:
        """Nothing changes by itself."""
        return []


class FakeClock(FakePart):
    """A time of its own, which costs none of ours."""

    def now(self) -> float:
        return self.world.time

    def pass_time(self, seconds: float) -> None:
        self.world.alive("pass_time")
        self.world.time += seconds


def save(world: FakeWorld, backend: str) -> Snapshot:
    """Write the files to a temporary file on the host."""
    world.alive("snapshot")
    path = world.snapshot_path()
    path.write_text(json.dumps(world.files.to_json()))
    return Snapshot(backend=backend, path=path, apps=tuple(window.argv for window in world.desktop.windows))
