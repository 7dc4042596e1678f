"""All there is of a fake computer."""

from __future__ import annotations

import tempfile
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Literal

from proctor.computers.backends.fake.desktop import FakeDesktop
from proctor.computers.backends.fake.files import FakeFiles, StoredFile
from proctor.errors import ComputerError, ComputerLost, SpecError
from proctor.observations.clip import ClipFrame

EPOCH = 1_700_000_000.0
STEP_SEC = 0.05
MAX_FRAMES = 60

OPERATIONS = frozenset({
    "start", "screenshot", "tree", "windows", "element_at", "clip", "perform", "settle", "run", "launch",
    "wait_activity", "pass_time", "read_file", "write_file", "list_files", "file_info", "remove_file", "baseline",
    "changes", "before", "snapshot", "restore", "fork", "pointer_position", "pointer_move", "pointer_button",
    "pointer_scroll", "key", "type", "touch",
})  # fmt: skip


class FakeWorld:
    """What the parts of a fake computer share."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.size = size
        self.time = 0.0
        self.state: Literal["new", "started", "closed"] = "new"
        self.files = FakeFiles(self.now)
        self.desktop = FakeDesktop(size, self.files)
        self.baseline: Mapping[str, StoredFile] = {}
        self.frames: list[ClipFrame] = []
        self._look: Hashable = None
        """Of the last frame."""
        self._faults: dict[str, Exception] = {}
        self._gone: dict[str, Exception] = {}
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._snapshots = 0

    def now(self) -> float:
        """Return the time of day there."""
        return EPOCH + self.time

    def new_desktop(self) -> None:
        """Start the desktop afresh."""
        self.desktop = FakeDesktop(self.size, self.files)

    def keep_frame(self) -> None:
        """Keep a picture of the screen if it has changed."""
        look = self.desktop.look(cursor=True)
        if look != self._look:
            self._look = look
            frame = ClipFrame(at=self.now(), image=self.desktop.draw(cursor=True))
            self.frames = [*self.frames[1 - MAX_FRAMES :], frame]

    def snapshot_path(self) -> Path:
        """Return where the next snapshot may be written on the host."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="proctor-fake-")
        self._snapshots += 1
        return Path(self._folder.name) / f"{self._snapshots}.json"

    def close(self) -> None:
        """Stop, and remove the snapshots."""
        self.state = "closed"
        if self._folder:
            self._folder.cleanup()
            self._folder = None

    # -- faults ---------------------------------------------------------------------------------------------------

    def fail_next(self, operation: str, error: Exception | None) -> None:
        """Make the next such operation fail; without an error the computer is lost from there on."""
        lost = self._loss(operation)
        self._faults[operation] = error or lost

    def lose(self, operation: str) -> None:
        """Make every such operation fail."""
        self._gone[operation] = self._loss(operation)

    def _loss(self, operation: str) -> ComputerLost:
        if operation not in OPERATIONS:
            raise SpecError(
                f"a computer has no operation {operation!r} that could fail",
                remedy=f"choose one of: {', '.join(sorted(OPERATIONS))}",
            )
        return ComputerLost(f"the fake computer stopped answering in {operation!r}")

    def alive(self, operation: str) -> None:
        """Refuse to work before the start, after the end, and where a fault was planted."""
        if self.state == "closed":
            raise ComputerError(f"cannot {operation}: the computer is closed", remedy="open a new one")
        if self.state == "new":
            raise ComputerError(f"cannot {operation}: the computer is not started", remedy="use it in a with statement")
        if operation in self._gone:
            raise self._gone[operation]
        self.fail("*")
        self.fail(operation)

    def fail(self, operation: str) -> None:
        """Raise what was planted for an operation."""
        error = self._faults.get(operation) if operation == "*" else self._faults.pop(operation, None)
        if error is None:
            return
        if isinstance(error, ComputerLost):
            self._faults["*"] = error
        raise error
