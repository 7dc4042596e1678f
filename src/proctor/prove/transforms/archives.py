"""Transforms of archives: ZIP and TAR."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from collections.abc import Callable
from random import Random

from proctor.prove.transforms.packages import MOST_PARTS, MOST_UNPACKED, Parts, unpack
from proctor.prove.transforms.shelf import Function, mutant, variant

ZIP, TAR = ("*.zip",), ("*.tar", "*.tar.gz", "*.tgz")
FILES = (*ZIP, *TAR)
USUAL = 0o644


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


def _modes(data: bytes) -> dict[str, int]:
    """Return the rights that an archive notes for its members, by their names without a slash."""
    if data[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            return {info.filename.rstrip("/"): info.external_attr for info in package.infolist()}
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        return {member.name: member.mode for member in archive}


def _pack(members: Parts, like: bytes, *, store: bool = False) -> bytes:
    out, modes = io.BytesIO(), _modes(like)
    if like[:2] == b"PK":
        with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED if store else zipfile.ZIP_DEFLATED) as package:
            for name, content in members.items():
                new = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
                new.external_attr = modes.get(name.rstrip("/"), USUAL << 16)
                package.writestr(new, content)
        return out.getvalue()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name.rstrip("/"))
            usual = 0o755 if name.endswith("/") else USUAL
            info.size, info.mode = len(content), modes.get(name.strip("/").removeprefix("./"), usual)
            if name.endswith("/"):
                info.type = tarfile.DIRTYPE
            archive.addfile(info, io.BytesIO(content))
    return gzip.compress(out.getvalue(), 1 if store else 6, mtime=0) if like[:2] == b"\x1f\x8b" else out.getvalue()


def _files(members: Parts) -> list[str]:
    return [name for name in members if not name.endswith("/")]


def _of_members(change: Callable[[Parts, Random], Parts | None]) -> Function:
    def of_bytes(data: bytes, draw: Random) -> bytes | None:
        members = _members(data)
        changed = change(members, draw) if members else None
        return _pack(changed, data) if changed is not None else None

    return of_bytes


@mutant("a member missing", *FILES)
@_of_members
def _drop_member(members: Parts, draw: Random) -> Parts | None:
    gone = draw.choice(_files(members) or [""])
    return {name: content for name, content in members.items() if name != gone} if gone else None


@mutant("a member emptied", *FILES)
@_of_members
def _empty_member(members: Parts, draw: Random) -> Parts | None:
    files = [name for name in _files(members) if members[name]]
    return {**members, draw.choice(files): b""} if files else None


@mutant("a member garbled", *FILES)
@_of_members
def _garble_member(members: Parts, draw: Random) -> Parts | None:
    files = [name for name in _files(members) if members[name]]
    if not files:
        return None
    name = draw.choice(files)
    return {**members, name: draw.randbytes(len(members[name]))}


@mutant("a member renamed", *FILES)
@_of_members
def _rename_member(members: Parts, draw: Random) -> Parts | None:
    other = draw.choice(_files(members) or [""])
    return {f"{name}.old" if name == other else name: held for name, held in members.items()} if other else None


@mutant("a member added", *FILES)
@_of_members
def _add_member(members: Parts, draw: Random) -> Parts | None:
    folder = (_files(members) or [""])[0].rpartition("/")[0]
    return {**members, f"{folder}/left-over.txt".lstrip("/"): b"left over\n"}


@variant("packed again in another order", *FILES)
def _pack_again(data: bytes, draw: Random) -> bytes | None:
    members = _members(data)
    return _pack(dict(reversed(members.items())), data, store=True) if members else None


@variant("with ./ before its names", *TAR)
@_of_members
def _with_prefix(members: Parts, draw: Random) -> Parts | None:
    if any(name.startswith((".", "/")) for name in members):
        return None
    return {f"./{name}": content for name, content in members.items()}


@variant("with entries for its folders", *FILES)
@_of_members
def _with_folders(members: Parts, draw: Random) -> Parts | None:
    folders = {f"{name.rpartition('/')[0]}/" for name in _files(members) if "/" in name.strip("/")} - members.keys()
    return {**dict.fromkeys(sorted(folders), b""), **members} if folders else None


@variant("without entries for its folders", *FILES)
@_of_members
def _without_folders(members: Parts, draw: Random) -> Parts | None:
    files = _files(members)
    kept = {n: c for n, c in members.items() if not (n.endswith("/") and any(file.startswith(n) for file in files))}
    return kept if len(kept) < len(members) else None
