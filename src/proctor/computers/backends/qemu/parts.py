"""What a virtual machine has beyond screen and keys."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from PIL import Image

from proctor.computers.backends.qemu.options import Reach
from proctor.computers.backends.qemu.shelf import DiskShelf
from proctor.computers.channels.osworld.server import OsworldServer
from proctor.computers.channels.rfb.address import Address
from proctor.computers.channels.rfb.encodings import wanted_encodings
from proctor.computers.channels.rfb.film import RfbSource
from proctor.computers.channels.rfb.link import LinkPlan
from proctor.computers.channels.rfb.security import Trust
from proctor.computers.frames import PointerPicture
from proctor.computers.parts.network import NetworkKind
from proctor.computers.values import Snapshot
from proctor.errors import ComputerLost, SpecError
from proctor.observations.box import Box
from proctor.pause import pause

CALL_AGAIN_SEC = 2.0
AGAIN_SEC = 15.0
"""How long a film waits for a machine that is being restored."""


@dataclass(frozen=True, kw_only=True)
class MachineSnapshot(Snapshot):
    """Memory, devices and disk of a virtual machine at one instant; `path` is the memory."""

    layer: str
    """The disk as it was; empty for a machine without one."""
    made: str
    """What the machine is made from: only such a one can go on from it."""
    accel: str
    shelf: DiskShelf


class Keepable(Protocol):
    """A virtual machine, as far as keeping it goes."""

    def keep(self) -> MachineSnapshot:
        """Return a snapshot of memory and disk."""

    def go_on_from(self, snapshot: Snapshot) -> None:
        """Replace the machine by one that goes on from a snapshot."""

    def twin(self) -> Any:
        """Return a second, started machine that goes on from here."""


class MachineSnapshots:
    """Goes back to the very instant: windows are open, and a text half typed is half typed."""

    def __init__(self, computer: Keepable) -> None:
        self._computer = computer

    def snapshot(self) -> MachineSnapshot:
        """Keep memory and disk as they are now."""
        return self._computer.keep()

    def restore(self, snapshot: Snapshot) -> None:
        """Go on from a snapshot of this machine, or of one that it was forked from or to."""
        self._computer.go_on_from(snapshot)

    def fork(self) -> Any:
        """Return a second machine that goes on from here, with a memory and a disk of its own."""
        return self._computer.twin()


class GuestNetwork:
    """A guest has its own loopback always; more only where that was asked for."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach

    def kind(self) -> NetworkKind:
        return "open" if self._reach == "open" else "loopback"

    def targets(self) -> tuple[str, ...]:
        """Return nothing: there is no list, only all or nothing."""
        return ()


class ServerScreen:
    """The screen as OSWorld's server sees it, for guests whose own screen QEMU does not show."""

    def __init__(self, server: OsworldServer) -> None:
        self._server = server
        self.size = (0, 0)

    def screenshot(self, *, cursor: bool) -> Image.Image:
        """Return the desktop; the server always draws the pointer."""
        image = self._server.screenshot()
        self.size = image.size
        return image


class LastingSource:
    """The screen of a machine for a film that goes on when the machine is restored."""

    def __init__(self, dial: Callable[[], RfbSource]) -> None:
        self._dial = dial
        self._source = dial()

    @property
    def size(self) -> tuple[int, int]:
        return self._source.size

    def fileno(self) -> int:
        return self._source.fileno()

    def damage(self) -> list[Box]:
        """Return what was painted since this was last asked; all of it after a restore."""
        try:
            return self._source.damage()
        except ComputerLost:
            self._again()
            return [Box(0, 0, *self.size)]

    def grab(self, box: Box) -> bytes:
        return self._source.grab(box)

    def pointer(self) -> PointerPicture | None:
        return self._source.pointer()

    def close(self) -> None:
        self._source.close()

    def _again(self) -> None:
        self._source.close()
        ends = time.monotonic() + AGAIN_SEC
        while True:
            try:
                self._source = self._dial()
                return
            except (OSError, ComputerLost):
                if time.monotonic() > ends:
                    raise ComputerLost("the machine has ended") from None
                pause(0.05)


def fitting_snapshot(snapshot: Snapshot, made: str) -> MachineSnapshot:
    """Return a snapshot that a machine can go on from; raises SpecError that says why it cannot."""
    if not isinstance(snapshot, MachineSnapshot):
        raise SpecError(
            f"a snapshot of another kind of computer ({snapshot.backend!r})", remedy="restore it where it was taken"
        )
    if snapshot.made != made:
        raise SpecError("a snapshot of a machine that is made differently", remedy="open one with the same options")
    if not snapshot.shelf.there or not Path(snapshot.path).exists():
        raise SpecError("this snapshot is gone: its computer was closed", remedy="restore before closing")
    return snapshot


def server_plan(path: str) -> LinkPlan:
    """Return how QEMU's own server is called, on a socket."""
    return LinkPlan(
        address=Address(path=path),
        trust=Trust(),
        encodings=wanted_encodings("auto", nearby=True, quality=None),
        again_sec=CALL_AGAIN_SEC,
    )
