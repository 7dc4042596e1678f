"""Files with holes in a tar archive: what was never written takes no room there, as it takes none on a disk.

Written as GNU tar does since 2006 (version 1.0 of its sparse format), which Python's reader knows.
"""

import errno
import io
import os
import tarfile
from typing import Any

BLOCK = 512


def add(tar: tarfile.TarFile, member: tarfile.TarInfo, file: "io.FileIO") -> None:
    """Add an open file, its holes left out.

    One that changes meanwhile is cut or filled up to what it was.
    """
    size = os.fstat(file.fileno()).st_size
    extents = data_extents(file.fileno(), size)
    held = sum(length for _, length in extents)
    if held == size:
        member.size = size
        tar.addfile(member, Exactly(file, [(0, size)]))
        return
    numbers = [len(extents) + 1, *(number for extent in (*extents, (size, 0)) for number in extent)]
    table = "".join(f"{number}\n" for number in numbers).encode()
    table += bytes(-len(table) % BLOCK)
    member.pax_headers = {
        "GNU.sparse.major": "1",
        "GNU.sparse.minor": "0",
        "GNU.sparse.realsize": str(size),
    }
    member.size = len(table) + held
    tar.addfile(member, Exactly(file, extents, table))


def data_extents(fd: int, size: int) -> "list[tuple[int, int]]":
    """Return where a file holds data: offsets and lengths.

    All of it where the file system does not say.
    """
    found: list[tuple[int, int]] = []
    at = 0
    while at < size:
        try:
            start = os.lseek(fd, at, os.SEEK_DATA)
            end = min(os.lseek(fd, start, os.SEEK_HOLE), size)
        except OSError as error:
            if error.errno == errno.ENXIO:
                break  # nothing but a hole is left
            return [(0, size)]
        if start >= size:
            break
        found.append((start, end - start))
        at = end
    return found


class Exactly(io.RawIOBase):
    """Reads some parts of a file, neither more nor less than was announced, whatever happens to the file."""

    def __init__(self, file: "io.FileIO", extents: "list[tuple[int, int]]", before: bytes = b"") -> None:
        self._fd = file.fileno()
        self._extents = list(extents)
        self._ready = before

    def read(self, size: int = -1) -> Any:
        """Return the next `size` bytes, fewer only at the end."""
        while len(self._ready) < size and self._extents:
            start, length = self._extents.pop(0)
            part = os.pread(self._fd, min(length, size), start) or bytes(min(length, size))
            self._ready += part
            if len(part) < length:
                self._extents.insert(0, (start + len(part), length - len(part)))
        data, self._ready = self._ready[:size], self._ready[size:]
        return data
