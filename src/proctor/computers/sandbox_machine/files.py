"""Files inside a sandbox, as its user sees them; relative paths start at the user's home."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from proctor.computers.entries import FileInfo, kind_of
from proctor.computers.sandbox_machine.machine import SandboxMachine
from proctor.errors import ComputerError, SpecError
from proctor.home import HOME

MOST_ENTRIES = 10_000
MOST_BYTES = 256 << 20


def inside(path: str) -> str:
    """Return the absolute path inside."""
    if "\0" in path:
        raise SpecError(f"path {path!r} has a NUL character", remedy="leave it out")
    return os.path.normpath(PurePosixPath(HOME) / path)


def read(machine: SandboxMachine, path: str, *, most: int | None, follow: bool) -> bytes:
    """Return a file's content; raises OSError with EFBIG when that is more than `most` bytes."""
    most = MOST_BYTES if most is None else most
    flags = os.O_RDONLY if follow else os.O_RDONLY | os.O_NOFOLLOW
    with _errors_naming(path), machine.open(inside(path), flags, uid=0) as file:
        # Its size may say one thing and its end another: a program inside may be writing to it.
        large = os.fstat(file.fileno()).st_size > most
        data = b"" if large else file.read(most + 1)
        if large or len(data) > most:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), path)
        return data


def write(machine: SandboxMachine, path: str, data: bytes, mode: int) -> None:
    """Write a file as the agent's user, making folders as needed."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    with _errors_naming(path), machine.open(inside(path), flags, mode=mode, parents=True) as file:
        file.write(data)


def remove(machine: SandboxMachine, path: str) -> None:
    """Remove a file, link or whole folder."""
    with _errors_naming(path):
        machine.request("remove", path=inside(path))


def entries(machine: SandboxMachine, path: str, *, clock_offset_sec: float) -> list[FileInfo]:
    """Return what a folder holds, sorted by name, times on the sandbox's own clock."""
    folder = inside(path)
    with _errors_naming(path):
        reply, _ = machine.request("list", path=folder, most=MOST_ENTRIES)
    found = [_info(folder, entry, clock_offset_sec) for entry in reply["entries"]]
    return sorted(found, key=lambda entry: entry.path)


def info(machine: SandboxMachine, path: str, *, clock_offset_sec: float) -> FileInfo:
    """Return what stands at a path, a link as such; raises OSError when nothing does."""
    whole = inside(path)
    with _errors_naming(path):
        reply, _ = machine.request("stat", path=whole)
    return _info(str(PurePosixPath(whole).parent), reply["entry"], clock_offset_sec)


def watch_reads(machine: SandboxMachine, paths: Sequence[str]) -> dict[str, str]:
    """Follow who reads these files and folders; return them by what they are called inside."""
    named = {inside(path): path for path in paths}
    machine.request("watch_reads", paths=list(named))
    return named


def reads(machine: SandboxMachine, named: Mapping[str, str]) -> list[str]:
    """Return which of them were read since this was last asked."""
    reply, _ = machine.request("reads")
    return [named[path] for path in reply["paths"] if path in named]


def _info(folder: str, entry: Sequence[Any], clock_offset_sec: float) -> FileInfo:
    name, mode, size, at, links = entry
    return FileInfo(
        path=f"{folder.rstrip('/')}/{name}",
        kind=kind_of(mode),
        size=size,
        mode=stat.S_IMODE(mode),
        modified=at + clock_offset_sec,
        links=links,
    )


@contextlib.contextmanager
def _errors_naming(path: str) -> Iterator[None]:
    """Let errors from inside name the path as the caller wrote it."""
    try:
        yield
    except ComputerError:
        raise
    except OSError as error:
        number = error.errno or errno.EIO
        raise OSError(number, os.strerror(number), path) from error
