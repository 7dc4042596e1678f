"""Longer work on the sandbox's files: list what differs from the image, pack it, unpack it again."""

import errno
import hashlib
import io
import json
import os
import shutil
import stat
import tarfile
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import sparse

HASHED_BYTES = 64 * 1024 * 1024
HASHED_IN_ALL = 256 * 1024 * 1024
"""What is hashed of one file, and in one scan: beyond, a file is told by its size and the time of its last change."""
MOST_PATHS = 100_000
MOST_LINES = 32 * 1024 * 1024
"""How many paths are told of, and in how many characters; what changed beyond is not looked at, and that is told."""
MOST_PATH_BYTES = 4095
"""What a path may have: what lies deeper has no name by which it could be opened or brought back."""
DELETED = "proctor:deleted"
MORE = "proctor:more"
CHUNK = 1024 * 1024
GONE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENXIO, errno.ESTALE)
"""Why something that was listed cannot be opened: it went away, or gave way to a link or pipe."""


class FoundPath(NamedTuple):
    """One path of a layer, relative to the root, with its parents' open folder to reach it safely."""

    path: str
    folder: int
    info: os.stat_result

    @property
    def name(self) -> str:
        """Its name in that folder."""
        return self.path.rpartition("/")[2]


def walk(top: int, prefix: str = "") -> Iterator[FoundPath]:
    """Walk a folder by descriptors, so that no link can lead out of it.

    Sorted, folders before their content. One folder is open at a time, however deep it lies. What is too deep to have
    a path is told of as `NAMELESS`.
    """
    here = os.dup(top)
    levels = [_Level(prefix, here)]
    try:
        while levels:
            name = next(levels[-1].names, None)
            if name is None:
                levels.pop()
                here = _go_back(here, top, levels)
                continue
            try:
                info = os.stat(name, dir_fd=here, follow_symlinks=False)
            except FileNotFoundError:
                continue  # it went away meanwhile
            path = f"{levels[-1].path}/{name}"
            if len(os.fsencode(path)) > MOST_PATH_BYTES:
                yield FoundPath(NAMELESS, here, info)
                levels[-1].names = iter(())
                continue
            yield FoundPath(path, here, info)
            inner = _open_listed(name, os.O_DIRECTORY, here) if stat.S_ISDIR(info.st_mode) else None
            if inner is not None:
                os.close(here)
                here = inner
                levels.append(_Level(path, here))
    finally:
        os.close(here)


NAMELESS = "\0"
"""Stands for the path of something that lies too deep to have one."""


class _Level:
    """One of the folders that a walk is in."""

    def __init__(self, path: str, folder: int) -> None:
        self.path, self.names = path, iter(sorted(os.listdir(folder)))
        info = os.fstat(folder)
        self.itself = (info.st_dev, info.st_ino)


def _go_back(here: int, top: int, levels: "list[_Level]") -> int:
    """Leave a folder for the one above it; levels that are there no more are given up."""
    while levels:
        for step in ("..", None):
            above = _open_listed("..", os.O_DIRECTORY, here) if step else _open_from(top, levels)
            if above is None:
                continue
            info = os.fstat(above)
            if (info.st_dev, info.st_ino) == levels[-1].itself:
                os.close(here)
                return above
            os.close(above)
        levels.pop()  # it was moved or removed meanwhile
    return here


def _open_from(top: int, levels: "list[_Level]") -> "int | None":
    """Open the last folder of a walk again, step by step from where it began."""
    here: int | None = os.dup(top)
    for level in levels[1:]:
        if here is None:
            return None
        inner = _open_listed(level.path.rpartition("/")[2], os.O_DIRECTORY, here)
        os.close(here)
        here = inner
    return here


def _open_listed(name: str, flags: int, folder: int) -> "int | None":
    """Open something that was just listed, never a link; None when it is not there any more."""
    try:
        return os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | flags, dir_fd=folder)
    except OSError as error:
        if error.errno in GONE:
            return None
        raise


def _kind(mode: int) -> str:
    for test, name in ((stat.S_ISREG, "file"), (stat.S_ISDIR, "folder"), (stat.S_ISLNK, "link")):
        if test(mode):
            return name
    return "other"


def _whiteout(info: os.stat_result) -> bool:
    return stat.S_ISCHR(info.st_mode) and info.st_rdev == 0


class Digests:
    """Digests of files, as long as there are bytes left to hash."""

    def __init__(self) -> None:
        self.left = HASHED_IN_ALL

    def of(self, folder: int, name: str, info: os.stat_result) -> str:
        """Return the SHA-256 of a file or the target of a link.

        Empty for all else and what is too much to hash.
        """
        if stat.S_ISLNK(info.st_mode):
            return _target(folder, name)
        if not stat.S_ISREG(info.st_mode) or info.st_size > min(HASHED_BYTES, self.left):
            return ""
        fd = _open_listed(name, 0, folder)
        if fd is None:
            return ""
        digest, seen = hashlib.sha256(), 0
        with os.fdopen(fd, "rb", buffering=0) as file:
            while part := file.read(CHUNK):
                seen += len(part)
                self.left -= len(part)
                if seen > info.st_size or self.left < 0:
                    return ""  # it grows while it is read
                digest.update(part)
        return digest.hexdigest()


def _target(folder: int, name: str) -> str:
    try:
        return os.readlink(name, dir_fd=folder)
    except OSError:
        return ""  # it is a link no more


def _below(layer: int, path: str) -> "os.stat_result | None":
    try:
        return os.stat(path.lstrip("/"), dir_fd=layer, follow_symlinks=False)
    except OSError:
        return None


def _is_skipped(path: str, skip: "list[str]") -> bool:
    return any(path == prefix or path.startswith(prefix + "/") for prefix in skip)


class TimeLeft:
    """The time that looking at all files may take, on the clock and of the processor."""

    def __init__(self, request: "dict[str, Any]") -> None:
        self._ends = time.monotonic() + request["seconds"]
        self._work_ends = time.process_time() + request["work_seconds"]

    def is_over(self) -> bool:
        """Tell whether it is used up."""
        return bool(time.monotonic() > self._ends or time.process_time() > self._work_ends)


def scan(request: "dict[str, Any]", fds: "list[int]", layers: Any) -> None:
    """Write one JSON line for each path that differs from the image."""
    count = written = 0
    time_left = TimeLeft(request)
    with os.fdopen(fds[0], "w", encoding="utf-8", errors="surrogateescape", closefd=False) as out:

        def tell(path: str, kind: str, info: "os.stat_result | None", digest: str, lower: str, same: bool) -> None:
            facts = [info.st_size, stat.S_IMODE(info.st_mode), info.st_ctime_ns, info.st_ino] if info else [0, 0, 0, 0]
            nonlocal written
            written += out.write(json.dumps([path, kind, *facts, digest, lower, same]) + "\n")

        for line in differences(request["skip"], layers):
            count += 1
            if count > MOST_PATHS or written > MOST_LINES or time_left.is_over():
                tell("/", MORE, None, "", "", False)
                return
            tell(*line)


def differences(skip: "list[str]", layers: Any) -> "Iterator[tuple[str, str, Any, str, str, bool]]":
    """Yield each path that differs from the image.

    Kind, state, digest, the image's kind, whether it is equal.
    """
    digests = Digests()
    for entry in walk(layers.upper):
        if entry.path == NAMELESS:
            yield "/", MORE, None, "", "", False
            continue
        if _is_skipped(entry.path, skip):
            continue
        below = _below(layers.lower, entry.path)
        lower = _kind(below.st_mode) if below else ""
        deleted = _whiteout(entry.info)
        if lower == "folder" and (deleted or _hides(layers, entry)):
            for gone, kind in _hidden_paths(layers, entry.path):
                yield gone, "deleted", None, "", kind, False
        if deleted:
            yield entry.path, "deleted", None, "", lower, False
            continue
        kind = _kind(entry.info.st_mode)
        digest = digests.of(entry.folder, entry.name, entry.info)
        same = lower == kind and _is_unchanged(digests, layers.lower, entry, below, digest)
        yield entry.path, kind, entry.info, digest, lower, same


def _is_unchanged(digests: Digests, lower: int, entry: FoundPath, below: "os.stat_result | None", digest: str) -> bool:
    if below is None or stat.S_IMODE(below.st_mode) != stat.S_IMODE(entry.info.st_mode):
        return False
    if stat.S_ISDIR(below.st_mode):
        return True
    if below.st_size != entry.info.st_size:
        return False
    return bool(digest) and digests.of(lower, entry.path.lstrip("/"), below) == digest


def _hides(layers: Any, entry: FoundPath) -> bool:
    """Tell whether what stands in place of a folder of the image hides what that one holds.

    It was made again.

    The overlay marks such folders where only the host's root may look, so one thing that should show through is sought.
    """
    if not stat.S_ISDIR(entry.info.st_mode):
        return True
    for name in _names(layers.lower, entry.path):
        inside = f"{entry.path}/{name}"
        if _below(layers.upper, inside) is None:
            return _below(layers.merged, inside) is None
    return False


def _names(layer: int, path: str) -> "list[str]":
    folder = _open_listed(path.lstrip("/"), os.O_DIRECTORY, layer)
    if folder is None:
        return []
    try:
        return os.listdir(folder)
    finally:
        os.close(folder)


def _hidden_paths(layers: Any, path: str) -> "Iterator[tuple[str, str]]":
    """Tell what a folder of the image that was deleted, or made again, no longer shows.

    Paths and their kinds.
    """
    inner = _open_listed(path.lstrip("/"), os.O_DIRECTORY, layers.lower)
    if inner is None:
        return
    try:
        for entry in walk(inner, path):
            if (
                entry.path != NAMELESS
                and _below(layers.upper, entry.path) is None
                and _below(layers.merged, entry.path) is None
            ):
                yield entry.path, _kind(entry.info.st_mode)
    finally:
        os.close(inner)


def pack(request: "dict[str, Any]", fds: "list[int]", layers: Any) -> None:
    """Write the upper layer as a tar file of ordinary entries.

    Its last member lists what was deleted.
    """
    deleted: list[str] = []
    out = os.fdopen(fds[0], "wb", closefd=False)
    with out, tarfile.open(fileobj=out, mode="w|", format=tarfile.PAX_FORMAT) as tar:
        for entry in walk(layers.upper):
            if entry.path == NAMELESS or _is_skipped(entry.path, request["skip"]):
                continue
            if _whiteout(entry.info):
                deleted.append(entry.path)
                continue
            if _below(layers.lower, entry.path) and _hides(layers, entry):
                deleted += [gone for gone, _ in _hidden_paths(layers, entry.path)]
            _add(tar, entry)
        listing = "\0".join(deleted).encode(errors="surrogateescape")
        member = tarfile.TarInfo("/deleted")
        member.size, member.uname = len(listing), DELETED
        tar.addfile(member, io.BytesIO(listing))


def _add(tar: tarfile.TarFile, entry: FoundPath) -> None:
    member = tarfile.TarInfo(entry.path.lstrip("/"))
    info = entry.info
    member.mode, member.uid, member.gid = stat.S_IMODE(info.st_mode), info.st_uid, info.st_gid
    member.mtime = info.st_mtime
    if stat.S_ISDIR(info.st_mode):
        member.type = tarfile.DIRTYPE
        tar.addfile(member)
    elif stat.S_ISLNK(info.st_mode):
        member.type, member.linkname = tarfile.SYMTYPE, _target(entry.folder, entry.name)
        tar.addfile(member)
    elif stat.S_ISREG(info.st_mode):
        fd = _open_listed(entry.name, 0, entry.folder)
        if fd is not None:
            with os.fdopen(fd, "rb", buffering=0) as file:
                sparse.add(tar, member, file)
    # Sockets, pipes and devices are not state one can restore.


def unpack(_request: "dict[str, Any]", fds: "list[int]", _layers: Any) -> None:
    """Apply a packed layer to the running root."""
    with os.fdopen(fds[0], "rb", closefd=False) as source, tarfile.open(fileobj=source, mode="r|") as tar:
        # Owners and modes as packed; an attribute rather than an argument, which Pythons before 3.11.4 do not know.
        tar.extraction_filter = lambda member, _path: member
        for member in tar:
            if member.uname == DELETED:
                listing = tar.extractfile(member)
                names = listing.read().decode(errors="surrogateescape") if listing else ""
                for path in filter(os.path.lexists, filter(None, names.split("\0"))):
                    remove(path)
            else:
                target = "/" + member.name
                if not member.isdir() and os.path.lexists(target):
                    remove(target)
                tar.extract(member, "/", numeric_owner=True)


def remove(path: str, folder: "int | None" = None) -> None:
    """Remove a file, link or folder; a name is taken from an open folder where one is given."""
    info = os.stat(path, dir_fd=folder, follow_symlinks=False)
    if stat.S_ISDIR(info.st_mode):
        shutil.rmtree(path, dir_fd=folder)
    else:
        os.unlink(path, dir_fd=folder)


def stamp(request: "dict[str, Any]", fds: "list[int]", layers: Any) -> None:
    """Write one digest of all files of a user by what changes with them, not by what is in them.

    Nothing where there are too many for that.
    """
    digest, time_left = hashlib.sha256(), TimeLeft(request)
    for entry in walk(layers.upper):
        info = entry.info
        if time_left.is_over():
            return
        if info.st_uid == request["uid"] and not _is_skipped(entry.path, request["skip"]):
            digest.update(
                f"{entry.path}\0{info.st_ctime_ns} {info.st_ino} {info.st_size}\0".encode(errors="surrogateescape")
            )
    os.write(fds[0], digest.hexdigest().encode())


JOBS: "dict[str, Callable[[dict[str, Any], list[int], Any], None]]" = {
    "scan": scan,
    "pack": pack,
    "unpack": unpack,
    "stamp": stamp,
}
