"""The `sync` service of a stand-in phone: files looked at, listed, read and written, framed as adb does."""

from __future__ import annotations

import os
import stat
import struct
from collections.abc import Callable

from tests.android.stand_in.phone import Phone

PIECE = 64 << 10
Read = Callable[[int], bytes]
Send = Callable[[bytes], None]


def serve(phone: Phone, read: Read, send: Send) -> None:
    """Answer requests until the other side says that it is over."""
    while True:
        kind = read(4)
        (length,) = struct.unpack("<I", read(4))
        if kind == b"QUIT":
            return
        path = os.fsdecode(read(length))
        if kind in (b"STAT", b"STA2", b"LST2"):
            _look(phone, kind, path, send)
        elif kind == b"LIST":
            _list(phone, path, send)
        elif kind == b"RECV":
            _give(phone, path, send)
        elif kind == b"SEND":
            _take(phone, path, read, send)
        else:
            fail(send, f"unknown command {kind!r}")
            return


def fail(send: Send, reason: str) -> None:
    """Say that something did not work, in the device's words."""
    data = reason.encode()
    send(b"FAIL" + struct.pack("<I", len(data)) + data)


def _look(phone: Phone, kind: bytes, path: str, send: Send) -> None:
    number = 0
    try:
        found = phone.path(path).stat(follow_symlinks=kind == b"STA2")
    except OSError as error:
        number = error.errno or 5
        found = os.stat_result((0,) * 10)
    if kind == b"STAT":
        send(kind + struct.pack("<III", found.st_mode, found.st_size & 0xFFFFFFFF, int(found.st_mtime) & 0xFFFFFFFF))
        return
    times = (int(found.st_atime), int(found.st_mtime), int(found.st_ctime))
    who = (found.st_dev, found.st_ino, found.st_mode, found.st_nlink, 2000, 2000)
    send(kind + struct.pack("<IQQIIIIQqqq", number, *who, found.st_size, *times))


def _list(phone: Phone, path: str, send: Send) -> None:
    place = phone.path(path)
    for name in [".", "..", *(each.name for each in place.iterdir())] if place.is_dir() else []:
        found, data = (place / name).lstat(), os.fsencode(name)
        send(b"DENT" + struct.pack("<IIII", found.st_mode, found.st_size, int(found.st_mtime), len(data)) + data)
    send(b"DONE" + bytes(16))


def _give(phone: Phone, path: str, send: Send) -> None:
    try:
        content = phone.path(path).read_bytes()
    except OSError as error:
        fail(send, f"open failed: {error.strerror}")
        return
    for start in range(0, len(content), PIECE):
        part = content[start : start + PIECE]
        send(b"DATA" + struct.pack("<I", len(part)) + part)
    send(b"DONE" + bytes(4))


def _take(phone: Phone, request: str, read: Read, send: Send) -> None:
    path, _, mode = request.rpartition(",")
    content = bytearray()
    while (kind := read(4)) == b"DATA":
        content += read(struct.unpack("<I", read(4))[0])
    read(4)
    if kind != b"DONE":
        fail(send, "invalid data message")
        return
    place = phone.path(path)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        fail(send, f"secure_mkdirs() failed: {error.strerror}")
        return
    try:
        place.write_bytes(content)
        # As adbd does: a group that may read and write what its owner may.
        place.chmod(stat.S_IMODE(int(mode)) | 0o060)
    except OSError as error:
        fail(send, f"couldn't create file: {error.strerror}")
        return
    send(b"OKAY" + bytes(4))
