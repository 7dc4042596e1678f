"""The pixels of a display, through shared memory where the server can, and always within the planned size."""

from __future__ import annotations

import fcntl
import mmap
import os
import struct
from typing import NamedTuple

from proctor.computers.channels.x11.protocol import Connection, Extension, Op, XError
from proctor.errors import ComputerError, ComputerLost
from proctor.observations.box import Box

MAX_PIXELS = 64_000_000
MAX_SEGMENTS = 8
"""How many segments are made; any program on the display may take one away from the server."""


class Segment(NamedTuple):
    """Memory shared with the X server; sealed, so that nobody inside can shrink it under our feet."""

    id: int
    memory: mmap.mmap
    size: int


class PixelReader:
    """Reads boxes of the screen.

    A program inside may make the screen any size. Nothing outside the planned size is read, and what lies there of a
    smaller screen does not exist: whoever wants the planned size pads.
    """

    def __init__(self, x: Connection, shm: Extension | None, planned: tuple[int, int]) -> None:
        """Read a screen of `planned` size over a connection, by shared memory if the server has it."""
        if planned[0] * planned[1] > MAX_PIXELS:
            raise ComputerError(f"a desktop of {planned[0]}x{planned[1]} pixels is too large to grab")
        self.planned = planned
        self.lost_segments = 0
        """How often the server no longer knew the memory we share with it."""
        self._x = x
        self._shm = shm
        self._segment: Segment | None = None

    def let_go(self) -> None:
        """Forget the shared memory; whoever still looks at it keeps it."""
        self._segment = None

    def visible(self, size: tuple[int, int]) -> Box:
        """Return the part of a screen of this size that is read."""
        return Box(0, 0, min(size[0], self.planned[0]), min(size[1], self.planned[1]))

    def read(self, root: int, area: Box) -> memoryview:
        """Return the pixels of a box, 4 bytes each; the view is overwritten by the next reading."""
        place = struct.pack("<IhhHHI", root, *area, 0xFFFFFFFF)
        while self._shm and (segment := self._shared_memory(self._shm)):
            try:
                self._x.call(self._shm.major, 4, place + struct.pack("<BxxxII", 2, segment.id, 0), limit=0)
                return memoryview(segment.memory).toreadonly()[: area.area * 4]
            except XError as error:
                if error.kind in ("BadMatch", "BadDrawable"):
                    raise
                # Another program told the server to let go of the segment.
                self._segment = None
                self.lost_segments += 1
        reply = self._x.call(Op.GetImage, 2, place, limit=area.area * 4)
        if len(reply) != 32 + area.area * 4:
            raise ComputerLost(f"the display sent {len(reply) - 32} bytes for {area.area} pixels")
        return memoryview(reply)[32:]

    def _shared_memory(self, shm: Extension) -> Segment | None:
        if self._segment or self.lost_segments >= MAX_SEGMENTS:
            return self._segment
        size = self.planned[0] * self.planned[1] * 4
        descriptor = os.memfd_create("proctor-screen", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        try:
            os.ftruncate(descriptor, size)
            fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL)
            self._segment = Segment(self._x.new_id(), mmap.mmap(descriptor, size, prot=mmap.PROT_READ), size)
            self._x.send_descriptor(shm.major, 6, struct.pack("<IB", self._segment.id, 0), descriptor)
            self._x.sync()
        except XError:
            # A server that speaks of shared memory but cannot map ours still answers plain requests.
            self._shm = self._segment = None
        finally:
            os.close(descriptor)
        return self._segment
