"""Longer work on the sandbox's files: list what differs from the image, pack it, unpack it again."""

import hashlib
import io
import json
import os
import shutil
import stat
import tarfile
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

HASHED_BYTES = 256 * 1024 * 1024
DEEPEST = 128
DELETED = "proctor:deleted"
OPAQUE = ("trusted.overlay.opaque", "user.overlay.opaque")


class Entry(NamedTuple):
    """One path of the upper layer, relative to the root, with its parents' open folder to reach it safely."""

    path: str
    folder: int
    info: os.stat_result
    hides_lower: bool


def walk(top: int, prefix: str = "", depth: int = 0) -> Iterator[Entry]:
    """Walk a folder by descriptors, so that no link can lead out of it, sorted, folders before their content."""
    if depth > DEEPEST:
        return
    for name in sorted(os.listdir(top)):
        try:
            info = os.stat(name, dir_fd=top, follow_symlinks=False)
        except FileNotFoundError:
            continue  # it went away meanwhile
        path = f"{prefix}/{name}"
        if not stat.S_ISDIR(info.st_mode):
            yield Entry(path, top, info, False)
            continue
        inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=top)
        try:
            yield Entry(path, top, info, _opaque(inner))
            yield from walk(inner, path, depth + 1)
        finally:
            os.close(inner)


def _opaque(folder: int) -> bool:
    for name in OPAQUE:
        try:
            return os.getxattr(folder, name) == b"y"
        except OSError:
            continue  # the attribute is absent or of the other kind
    return False


def _kind(mode: int) -> str:
    for test, name in ((stat.S_ISREG, "file"), (stat.S_ISDIR, "folder"), (stat.S_ISLNK, "link")):
        if test(mode):
            return name
    return "other"


def _whiteout(info: os.stat_result) -> bool:
    return stat.S_ISCHR(info.st_mode) and info.st_rdev == 0


def _digest(folder: int, name: str, info: os.stat_result) -> str:
    if stat.S_ISLNK(info.st_mode):
        return os.readlink(name, dir_fd=folder)
    if not stat.S_ISREG(info.st_mode) or info.st_size > HASHED_BYTES:
        return ""
    fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    with os.fdopen(fd, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _below(layer: int, path: str) -> "os.stat_result | None":
    try:
        return os.stat(path.lstrip("/"), dir_fd=layer, follow_symlinks=False)
    except OSError:
        return None


def _skipped(path: str, skip: "list[str]") -> bool:
    return any(path == prefix or path.startswith(prefix + "/") for prefix in skip)


def scan(request: "dict[str, Any]", fds: "list[int]", layers: Any) -> None:
    """Write one JSON line for each path that differs from the image."""
    with os.fdopen(fds[0], "w", encoding="utf-8", errors="surrogateescape", closefd=False) as out:

        def tell(path: str, kind: str, info: "os.stat_result | None", digest: str, lower: str, same: bool) -> None:
            facts = [info.st_size, stat.S_IMODE(info.st_mode), info.st_ctime_ns, info.st_ino] if info else [0, 0, 0, 0]
            out.write(json.dumps([path, kind, *facts, digest, lower, same]) + "\n")

        for entry in walk(layers.upper):
            if _skipped(entry.path, request["skip"]):
                continue
            below = _below(layers.lower, entry.path)
            lower = _kind(below.st_mode) if below else ""
            deleted = _whiteout(entry.info)
            if lower == "folder" and (deleted or entry.hides_lower):
                for gone, kind in _hidden(layers, entry.path):
                    tell(gone, "deleted", None, "", kind, False)
            if deleted:
                tell(entry.path, "deleted", None, "", lower, False)
                continue
            kind = _kind(entry.info.st_mode)
            name = entry.path.rpartition("/")[2]
            digest = _digest(entry.folder, name, entry.info)
            same = lower == kind and _unchanged(layers.lower, entry, below, digest)
            tell(entry.path, kind, entry.info, digest, lower, same)


def _unchanged(lower: int, entry: Entry, below: "os.stat_result | None", digest: str) -> bool:
    if below is None or stat.S_IMODE(below.st_mode) != stat.S_IMODE(entry.info.st_mode):
        return False
    if stat.S_ISDIR(below.st_mode):
        return True
    if below.st_size != entry.info.st_size:
        return False
    path = entry.path.lstrip("/")
    return bool(digest) and _digest(lower, path, below) == digest


def _hidden(layers: Any, path: str) -> "Iterator[tuple[str, str]]":
    """Tell what a folder of the image that was deleted, or made anew, no longer shows: paths and their kinds."""
    inner = os.open(path.lstrip("/"), os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=layers.lower)
    try:
        for entry in walk(inner, path):
            if _below(layers.upper, entry.path) is None:
                yield entry.path, _kind(entry.info.st_mode)
    finally:
        os.close(inner)


def pack(request: "dict[str, Any]", fds: "list[int]", layers: Any) -> None:
    """Write the upper layer as a tar file of ordinary entries; its last member lists what was deleted."""
    deleted: list[str] = []
    out = os.fdopen(fds[0], "wb", closefd=False)
    with out, tarfile.open(fileobj=out, mode="w|", format=tarfile.PAX_FORMAT) as tar:
        for entry in walk(layers.upper):
            if _skipped(entry.path, request["skip"]):
                continue
            if _whiteout(entry.info):
                deleted.append(entry.path)
                continue
            if entry.hides_lower and _below(layers.lower, entry.path):
                deleted += [gone for gone, _ in _hidden(layers, entry.path)]
            _add(tar, entry)
        listing = "\0".join(deleted).encode(errors="surrogateescape")
        member = tarfile.TarInfo("/deleted")
        member.size, member.uname = len(listing), DELETED
        tar.addfile(member, io.BytesIO(listing))


def _add(tar: tarfile.TarFile, entry: Entry) -> None:
    member = tarfile.TarInfo(entry.path.lstrip("/"))
    info = entry.info
    member.mode, member.uid, member.gid = stat.S_IMODE(info.st_mode), info.st_uid, info.st_gid
    member.mtime = info.st_mtime
    name = entry.path.rpartition("/")[2]
    if stat.S_ISDIR(info.st_mode):
        member.type = tarfile.DIRTYPE
        tar.addfile(member)
    elif stat.S_ISLNK(info.st_mode):
        member.type, member.linkname = tarfile.SYMTYPE, os.readlink(name, dir_fd=entry.folder)
        tar.addfile(member)
    elif stat.S_ISREG(info.st_mode):
        fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=entry.folder)
        with os.fdopen(fd, "rb") as file:
            member.size = os.fstat(fd).st_size
            tar.addfile(member, file)
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
                for path in filter(None, names.split("\0")):
                    remove(path)
            else:
                target = "/" + member.name
                if not member.isdir() and os.path.lexists(target):
                    remove(target)
                tar.extract(member, "/", numeric_owner=True)


def remove(path: str) -> None:
    """Remove a file, link or folder."""
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.unlink(path)


JOBS: "dict[str, Callable[[dict[str, Any], list[int], Any], None]]" = {
    "scan": scan,
    "pack": pack,
    "unpack": unpack,
}
