"""A computer in memory: a small desktop with an editor, files and a few commands."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

from proctor.actions.action import Action
from proctor.computers.backends.fake import parts
from proctor.computers.backends.fake.options import FakeOptions
from proctor.computers.backends.fake.world import EPOCH, FakeWorld
from proctor.computers.capabilities import CAPABILITIES, Parts
from proctor.computers.computer import Computer
from proctor.computers.options import take_options
from proctor.computers.values import Performed, Snapshot
from proctor.errors import ComputerError, SpecError, UnknownName


class FakeComputer(Computer):
    """A computer that needs nothing: for tests, examples and trying out agents.

    Its time is its own: waiting costs none of ours and the same actions always give the same pictures. It runs no
    code, and only the programs of `shell.py` and one application, `mousepad`. Options other than those below are there
    so that any task can be set on it, and have no effect.
    """

    backend = "fake"
    fixed_settings = ("image", "look", "locale", "timezone", "clock", "network")

    Options = FakeOptions

    def __init__(self, options: FakeOptions | None = None, /, **given: object) -> None:
        self._told = told = take_options(FakeOptions, options, given)
        size = told.size
        if len(size) != 2 or min(size) < 320 or max(size) > 16_384:
            raise SpecError(f"a desktop cannot have the size {size}", remedy="give width and height from 320 to 16384")
        self._world = FakeWorld((int(size[0]), int(size[1])))
        super().__init__(_parts_without(self._parts(self._world), told.without))
        self.found: dict[str, Any] = {}
        """What `autopsy` is to return."""

    @staticmethod
    def applications(options: Mapping[str, Any]) -> Collection[str]:
        """Return its one application, whatever the options."""
        return ("mousepad",)

    def _parts(self, world: FakeWorld) -> Parts:
        return Parts(
            screen=parts.FakeScreen(world),
            pointer=parts.FakePointer(world),
            keys=parts.FakeKeys(world),
            touch=parts.FakeTouch(world),
            tree=parts.FakeTree(world),
            windows=parts.FakeWindows(world),
            shell=parts.FakeShell(world),
            files=parts.FakeFilesPart(world),
            changes=parts.FakeChanges(world),
            snapshot=_Snapshots(self),
            clip=parts.FakeClips(world),
            clock=parts.FakeClock(world),
            rest=parts.FakeRest(world),
        )

    # -- life -----------------------------------------------------------------------------------------------------

    @property
    def started(self) -> bool:
        """Whether it is running."""
        return self._world.state == "started"

    def start(self) -> Self:
        """Start; a computer that was closed cannot be started again."""
        world = self._world
        if world.state == "closed":
            world.alive("start")
        if world.state == "new":
            world.fail("start")
            world.state = "started"
            if self.parts.changes:
                self.baseline()
            world.keep_frame()
        return self

    def close(self) -> None:
        self._world.close()

    def facts(self) -> dict[str, Any]:
        facts: dict[str, Any] = {"backend": self.backend, "size": list(self.size), "clock": EPOCH, "locale": "C.UTF-8"}
        return facts | {"settle": self.settling}

    def autopsy(self) -> dict[str, Any]:
        """Return what a test has put into `found`."""
        return dict(self.found)

    def perform(self, action: Action) -> Performed:
        """Carry out an action and keep a frame of what came of it."""
        self._world.alive("perform")
        performed = super().perform(action)
        self._world.keep_frame()
        return performed

    # -- faults ---------------------------------------------------------------------------------------------------

    def fail_next(self, operation: str, error: Exception | None = None) -> None:
        """Make the next call of an operation fail; without an error the computer is lost for good."""
        self._world.fail_next(operation, error)

    def lose(self, *operations: str) -> None:
        """Break the computer in part, as when its display has ended: these raise ComputerLost for good."""
        for operation in operations:
            self._world.lose(operation)


class _Snapshots:
    def __init__(self, computer: FakeComputer) -> None:
        self._computer = computer

    def snapshot(self) -> Snapshot:
        """Write the files to a temporary file on the host."""
        return parts.save(self._computer._world, self._computer.backend)

    def restore(self, snapshot: Snapshot) -> None:
        """Take the files from a snapshot and open its applications on a fresh desktop."""
        computer, world = self._computer, self._computer._world
        world.alive("restore")
        if snapshot.backend != computer.backend:
            raise SpecError(f"a snapshot of {snapshot.backend!r} cannot be restored on {computer.backend!r}")
        if not snapshot.path.exists():
            raise ComputerError(f"the snapshot {snapshot.path} is gone", remedy="keep the computer that made it open")
        world.files.load_json(json.loads(snapshot.path.read_text()))
        world.new_desktop()
        for argv in snapshot.apps:
            computer.launch(argv)

    def fork(self) -> FakeComputer:
        computer = self._computer
        computer._world.alive("fork")
        other = FakeComputer(computer._told).start()
        other.restore(self.snapshot())
        other._world.baseline = computer._world.baseline
        return other


def _parts_without(made: Parts, without: Sequence[str]) -> Parts:
    removable = [name for name in CAPABILITIES if name != "screen"]
    for name in without:
        if name not in removable:
            raise UnknownName("part to do without", name, removable)
    nothing: dict[str, Any] = dict.fromkeys(without)
    return replace(made, **nothing)
