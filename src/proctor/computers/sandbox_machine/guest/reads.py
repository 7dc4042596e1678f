"""Which of some files and folders are read, told by the kernel."""

import contextlib
import os
import struct
from collections.abc import Iterable

import open_file
import syscalls

HEADER = struct.Struct("iIII")
MOST_BYTES = 1 << 20
"""How much is read of what waits at one time; the kernel keeps no more than some thousand events anyway."""


class Reads:
    """Follows files and folders that are there when it begins."""

    def __init__(self, paths: "Iterable[str]") -> None:
        self.fd = syscalls.inotify()
        self.paths: dict[int, str] = {}
        for path in paths:
            with contextlib.suppress(FileNotFoundError):
                # By its descriptor: nobody puts another file in its place on the way.
                fd = open_file.open_file(path, os.O_PATH | os.O_NOFOLLOW)
                try:
                    self.paths[syscalls.watch_reads(self.fd, f"/proc/self/fd/{fd}")] = path
                finally:
                    os.close(fd)

    def take(self) -> "list[str]":
        """Return which were read since this was last asked."""
        found: dict[str, None] = {}
        try:
            data = os.read(self.fd, MOST_BYTES)
        except BlockingIOError:
            return []
        at = 0
        while at < len(data):
            number, _, _, length = HEADER.unpack_from(data, at)
            at += HEADER.size + length
            if number in self.paths:
                found[self.paths[number]] = None
        return list(found)
