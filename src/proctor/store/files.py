"""Reads and writes the files of a record: whole, with their sums, and never through a link."""

from __future__ import annotations

import ctypes
import errno
import hashlib
import json
import os
import shutil
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from isal import isal_zlib

from proctor.errors import HostError, RecordError, SpecError
from proctor.store.bounds import load_json

MAX_JSON = 256 * 1024 * 1024
MAX_UNPACKED = 256 * 1024 * 1024
"""Larger files are not of our making and are not read."""

_ENCODER = json.JSONEncoder(separators=(",", ":"))
_CHUNK = 1024 * 1024
_NO_SPACE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_GZIP = 31  # the window bits that make zlib speak gzip


class Sum(NamedTuple):
    """The size and the SHA-256 of a file."""

    bytes: int
    sha256: str


def sum_of(data: bytes) -> Sum:
    """Return the sum of what is about to be written."""
    return Sum(len(data), hashlib.sha256(data).hexdigest())


def plain_json(data: Any) -> bytes:
    """Return data as JSON in pure ASCII."""
    # ASCII, because what an agent writes may hold halves of surrogate pairs, which no encoding takes.
    return _ENCODER.encode(data).encode("ascii")


def packed_json(data: object) -> bytes:
    """Return data as gzipped JSON."""
    return isal_zlib.compress(plain_json(data), 1, wbits=_GZIP)


@contextmanager
def disk_trouble(path: str | Path) -> Iterator[None]:
    """Turn failures to write into a HostError that says what to do."""
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        remedy = "see that the folder exists and may be written to"
        if error.errno in _NO_SPACE:
            remedy = "make room there and continue with `proctor runs resume`; what was recorded is kept"
        raise HostError(f"cannot record {path}: {why}", remedy=remedy) from error


def write_fully(fd: int, data: bytes) -> None:
    """Write everything to a descriptor, however many calls it takes."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]


def write_new(folder: str, name: str, data: bytes) -> Sum:
    """Write a file that is not there yet."""
    path = f"{folder}/{name}"
    with disk_trouble(path):
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
        try:
            write_fully(fd, data)
        finally:
            os.close(fd)
    return sum_of(data)


def write_whole(folder: str | Path, name: str, data: bytes, *, durable: bool = False) -> Sum:
    """Write a file so that nobody ever sees a part of it; a durable one survives a loss of power."""
    part, final = Path(folder, f".{name}.part"), Path(folder, name)
    with disk_trouble(final):
        fd = _open_new(part)
        try:
            try:
                write_fully(fd, data)
                if durable:
                    os.fsync(fd)
            finally:
                os.close(fd)
            part.replace(final)
        except OSError:
            with suppress(OSError):
                part.unlink()
            raise
        if durable:
            sync_folder(folder)
    return sum_of(data)


def _open_new(path: Path) -> int:
    """Open a new file for writing, in place of what a crash or somebody else left under its name."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    try:
        return os.open(path, flags, 0o644)
    except FileExistsError:
        path.unlink()
        return os.open(path, flags, 0o644)


def open_to_change(path: str | Path) -> int:
    """Open a plain file to write into it, made where it is missing; OSError for any link.

    A file with a second name is one that stands somewhere else too.
    """
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o644)
    status = os.fstat(fd)
    if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
        os.close(fd)
        raise OSError(errno.EINVAL, "not a plain file of its own", str(path))
    return fd


def sync_folder(folder: str | Path) -> None:
    """Make the names in a folder durable."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def sync_file_system(fd: int) -> None:
    """Make everything durable that any process wrote to the file system of an open file."""
    # One call for the thousands of small files of a second; Python has no name for it.
    if ctypes.CDLL(None, use_errno=True).syncfs(fd):
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def open_plain(path: str | Path) -> int:
    """Open a plain file for reading; raises OSError for links, pipes, devices and folders."""
    fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise OSError(errno.EINVAL, "not a plain file", str(path))
    return fd


def open_lines(path: Path) -> BinaryIO | None:
    """Open a file of lines to read; None where there is none, RecordError for what is no file."""
    try:
        return os.fdopen(open_plain(path), "rb")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror}", remedy="see `proctor runs verify`") from error


def read_whole(path: Path, most: int = MAX_JSON) -> bytes:
    """Return the content of a plain file; raises RecordError for one missing, too large, or no file."""
    try:
        with os.fdopen(open_plain(path), "rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise RecordError(
            f"cannot read {path}: {error.strerror or error}", remedy="see `proctor runs verify`"
        ) from error
    if len(data) > most:
        raise RecordError(f"{path} has more than {most} bytes", remedy="it was not written by Proctor")
    return data


def read_json(path: Path, most: int = MAX_JSON) -> Any:
    """Return what a JSON file holds."""
    return parse_json(read_whole(path, most), path)


def read_packed_json(path: Path) -> Any:
    """Return what a gzipped JSON file holds; a bomb is not unpacked."""
    unpacker = zlib.decompressobj(_GZIP)
    try:
        data = unpacker.decompress(read_whole(path), MAX_UNPACKED)
    except zlib.error as error:
        raise RecordError(f"{path} is damaged: {error}", remedy="see `proctor runs verify`") from error
    if not unpacker.eof:
        raise RecordError(f"{path} is incomplete, or unpacks to more than {MAX_UNPACKED} bytes")
    return parse_json(data, path)


def parse_json(data: bytes, where: Path | str) -> Any:
    """Return what JSON says; raises RecordError with its place."""
    try:
        return load_json(data)
    except ValueError as error:
        raise RecordError(
            f"{where} is not the JSON of a record: {error}", remedy="see `proctor runs verify`"
        ) from error


@contextmanager
def folder_at_once(out: Path) -> Iterator[Path]:
    """Fill a folder that gets its name in the end, with all that belongs into it, or not at all."""
    if os.path.lexists(out):
        raise SpecError(f"{out} exists already", remedy="name a folder that does not exist yet")
    part = out.absolute().with_name(f".{out.name}.part-{os.getpid()}")
    above = [folder for folder in part.parents if not folder.exists()]
    try:
        part.mkdir(parents=True)
        yield part
        part.rename(out)
        above.clear()
    except OSError as error:
        remedy = "check the free space and your permission to write there"
        raise HostError(f"cannot write to {out}: {error.strerror or error}", remedy=remedy) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
        with suppress(OSError):  # others may have come in meanwhile
            for folder in above:
                folder.rmdir()


def sum_file(path: str | Path) -> Sum:
    """Return the sum of a plain file, read in pieces; raises OSError when it is none."""
    digest, size = hashlib.sha256(), 0
    with os.fdopen(open_plain(path), "rb", buffering=0) as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
            size += len(chunk)
    return Sum(size, digest.hexdigest())
