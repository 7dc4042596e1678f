"""Files of a device, carried by adb's `sync` service: looked at, listed, read and written."""

from __future__ import annotations

import errno
import os
import stat
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from proctor.computers.channels.adb.client import Adb
from proctor.computers.channels.adb.wire import AdbWire
from proctor.computers.channels.command_output import said
from proctor.errors import ComputerError

MOST_DATA = 64 << 10
"""Bytes of one piece of a file, either way."""
MOST_PATH = 1024
MOST_MESSAGE = 4096
MOST_ENTRIES = 10_000
_NUMBERS = {
    "No such file": errno.ENOENT, "Not a directory": errno.ENOTDIR, "Is a directory": errno.EISDIR,
    "Permission denied": errno.EACCES, "Operation not permitted": errno.EPERM, "File exists": errno.EEXIST,
    "Too many symbolic links": errno.ELOOP, "Too many levels": errno.ELOOP, "No space left": errno.ENOSPC,
    "Read-only file system": errno.EROFS, "File name too long": errno.ENAMETOOLONG, "Invalid argument": errno.EINVAL,
}  # fmt: skip
"""How devices word what went wrong; the numbers do not travel."""


@dataclass(frozen=True, slots=True)
class SyncEntry:
    """What stands at a path."""

    mode: int
    size: int
    modified: int
    name: str = ""


class Sync:
    """Files by the paths of the device; errors are those of `open`."""

    def __init__(self, adb: Adb) -> None:
        self._adb = adb

    def look(self, path: str, *, follow: bool = False) -> SyncEntry:
        """Return what stands at a path; a link as such unless followed, where the device can do that."""
        new = "stat_v2" in self._adb.features
        kind = (b"STA2" if follow else b"LST2") if new else b"STAT"
        with self._talk(path) as wire:
            self._ask(wire, kind, path)
            self._answer(wire, path, kind)
            if not new:
                mode, size, modified = struct.unpack("<III", wire.read(12))
                if not mode:
                    raise _error(errno.ENOENT, path)
                return SyncEntry(mode, size, modified)
            number, mode, size, modified = _look_2(wire.read(68))
            if number:
                raise _error(number, path)
            return SyncEntry(mode, size, modified)

    def entries(self, path: str) -> list[SyncEntry]:
        """Return what lies in a folder; nothing for what is none."""
        found: list[SyncEntry] = []
        with self._talk(path) as wire:
            self._ask(wire, b"LIST", path)
            while self._answer(wire, path, b"DENT", b"DONE") == b"DENT":
                mode, size, modified, length = struct.unpack("<IIII", wire.read(16))
                if length > MOST_PATH:
                    raise wire.garbage(b"a name of %d bytes" % length)
                name = os.fsdecode(wire.read(length))
                if name not in (".", ".."):
                    found.append(SyncEntry(mode, size, modified, name))
                if len(found) > MOST_ENTRIES:
                    raise _error(errno.EFBIG, path)
        return found

    def read(self, path: str, *, most: int) -> bytes:
        """Return a file's content; OSError with EFBIG when it is longer than `most`."""
        content = bytearray()
        with self._talk(path) as wire:
            self._ask(wire, b"RECV", path)
            while self._answer(wire, path, b"DATA", b"DONE") == b"DATA":
                (length,) = struct.unpack("<I", wire.read(4))
                if length > MOST_DATA:
                    raise wire.garbage(b"a piece of %d bytes" % length)
                content += wire.read(length)
                if len(content) > most:
                    raise _error(errno.EFBIG, path)
                wire.extend(self._adb.timeout_sec)
        return bytes(content)

    def write(self, path: str, data: bytes, *, mode: int, modified: int) -> None:
        """Write a file; the device makes the folders above it."""
        with self._talk(path) as wire:
            place = os.fsencode(path) + b",%d" % (stat.S_IFREG | mode)
            wire.send(b"SEND" + struct.pack("<I", len(place)) + place)
            for start in range(0, len(data), MOST_DATA):
                part = data[start : start + MOST_DATA]
                wire.send(b"DATA" + struct.pack("<I", len(part)) + part)
                wire.extend(self._adb.timeout_sec)
            wire.send(b"DONE" + struct.pack("<I", modified & 0xFFFFFFFF))
            self._answer(wire, path, b"OKAY")
            wire.read(4)

    @contextmanager
    def _talk(self, path: str) -> Iterator[AdbWire]:
        if len(os.fsencode(path)) > MOST_PATH:
            raise _error(errno.ENAMETOOLONG, path)
        with self._adb.open("sync:") as wire:
            yield wire
            wire.send(b"QUIT" + bytes(4))

    def _ask(self, wire: AdbWire, kind: bytes, path: str) -> None:
        place = os.fsencode(path)
        wire.send(kind + struct.pack("<I", len(place)) + place)

    def _answer(self, wire: AdbWire, path: str, *expected: bytes) -> bytes:
        kind = wire.read(4)
        if kind in expected:
            return kind
        if kind != b"FAIL":
            raise wire.garbage(kind)
        (length,) = struct.unpack("<I", wire.read(4))
        if length > MOST_MESSAGE:
            raise wire.garbage(kind)
        raise _error_of(said(wire.read(length)), path)


def _look_2(data: bytes) -> tuple[int, int, int, int]:
    number, _dev, _ino, mode, _links, _uid, _gid, size, _accessed, modified, _made = struct.unpack("<IQQIIIIQqqq", data)
    return number, mode, size, modified


def _error(number: int, path: str) -> OSError:
    return OSError(number, os.strerror(number), path)


def _error_of(message: str, path: str) -> Exception:
    for words, number in _NUMBERS.items():
        if words in message:
            return _error(number, path)
    return ComputerError(f"{path!r} could not be carried by adb: {message}")
