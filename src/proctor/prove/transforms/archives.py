"""Transforms of archives: ZIP and TAR."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from random import Random

from proctor.prove.transforms.packages import MOST_PARTS, MOST_UNPACKED, Parts, unpack
from proctor.prove.transforms.shelf import mutant, variant

ZIP, TAR = ("*.zip",), ("*.tar", "*.tar.gz", "*.tgz")
FILES = (*ZIP, *TAR)


def _members(data: bytes) -> Parts | None:
    """Return the files of an archive; folders have a slash at their end and no content."""
    if data[:2] == b"PK":
        return unpack(data)
    try:
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            members: Parts = {}
            for member in archive:
                if len(members) > MOST_PARTS or member.size > MOST_UNPACKED or not (member.isfile() or member.isdir()):
                    return None
                held = archive.extractfile(member) if member.isfile() else None
                members[member.name if held else f"{member.name}/"] = held.read() if held else b""
            return members
    # What tarfile raises for broken archives is not bounded by its own error.
    except Exception:
        return None


def _pack(members: Parts, like: bytes, *, store: bool = False) -> bytes:
    out = io.BytesIO()
    if like[:2] == b"PK":
        with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED if store else zipfile.ZIP_DEFLATED) as package:
            for name, content in members.items():
                package.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), content)
        return out.getvalue()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name.rstrip("/"))
            info.size, info.mode = len(content), 0o644
            if name.endswith("/"):
                info.type, info.mode = tarfile.DIRTYPE, 0o755
            archive.addfile(info, io.BytesIO(content))
    return gzip.compress(out.getvalue(), 1 if store else 6, mtime=0) if like[:2] == b"\x1f\x8b" else out.getvalue()


def _files(members: Parts) -> list[str]:
    return [name for name in members if not name.endswith("/")]


@mutant("a member missing", *FILES)
def member_missing(data: bytes, draw: Random) -> bytes | None:
    """Leave out one file."""
    members = _members(data)
    if not members or not (files := _files(members)):
        return None
    gone = draw.choice(files)
    return _pack({name: content for name, content in members.items() if name != gone}, data)


@mutant("a member emptied", *FILES)
def member_emptied(data: bytes, draw: Random) -> bytes | None:
    """Leave one file without content."""
    members = _members(data)
    files = [name for name in _files(members or {}) if members and members[name]]
    return _pack({**members, draw.choice(files): b""}, data) if members and files else None


@mutant("a member garbled", *FILES)
def member_garbled(data: bytes, draw: Random) -> bytes | None:
    """Put bytes that mean nothing in place of one file's content."""
    members = _members(data)
    files = [name for name in _files(members or {}) if members and members[name]]
    if not members or not files:
        return None
    name = draw.choice(files)
    return _pack({**members, name: draw.randbytes(len(members[name]))}, data)


@mutant("a member renamed", *FILES)
def member_renamed(data: bytes, draw: Random) -> bytes | None:
    """Give one file another name."""
    members = _members(data)
    if not members or not (files := _files(members)):
        return None
    other = draw.choice(files)
    return _pack({f"{name}.old" if name == other else name: held for name, held in members.items()}, data)


@variant("packed again in another order", *FILES)
def packed_again(data: bytes, draw: Random) -> bytes | None:
    """Pack it with less compression, the files in another order."""
    members = _members(data)
    return _pack(dict(reversed(members.items())), data, store=True) if members else None


@variant("with ./ before its names", *TAR)
def with_prefix(data: bytes, draw: Random) -> bytes | None:
    """Begin the names with the folder that they are in."""
    members = _members(data)
    if not members or any(name.startswith((".", "/")) for name in members):
        return None
    return _pack({f"./{name}": content for name, content in members.items()}, data)


@variant("with entries for its folders", *FILES)
def with_folders(data: bytes, draw: Random) -> bytes | None:
    """List the folders that files are in."""
    members = _members(data)
    if not members:
        return None
    folders = {f"{name.rpartition('/')[0]}/" for name in _files(members) if "/" in name.strip("/")} - members.keys()
    return _pack({**dict.fromkeys(sorted(folders), b""), **members}, data) if folders else None


@variant("without entries for its folders", *FILES)
def without_folders(data: bytes, draw: Random) -> bytes | None:
    """List no folder that a file is in."""
    members = _members(data)
    if not members:
        return None
    files = _files(members)
    kept = {n: c for n, c in members.items() if not (n.endswith("/") and any(file.startswith(n) for file in files))}
    return _pack(kept, data) if len(kept) < len(members) else None
