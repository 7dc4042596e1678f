"""Archives, zip and tar, looked into without ever unpacking them to a disk."""

from __future__ import annotations

import hashlib
import io
import posixpath
import stat
import struct
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.guard import BROKEN, MOST_BYTES, MOST_ENTRIES, decompress_tar, open_zip

Member = dict[str, Any]

SMALL_TEXT = 64 * 2**10
"""Larger members are named with their size only."""
MOST_NAME = 4096
MOST_DIGESTED = 64 * 2**20
"""Bytes of which digests are made: of members beyond, only the size is told."""
MOST_TEXT = 2 * 2**20
"""All texts of an archive together: evidence is kept with each episode."""
HEADER, NAMES_AT = 30, 26
"""The bytes in front of a member's name in a zip archive, and where among them stands how long that is."""
DESCRIPTOR = b"PK\x07\x08"
"""Begins what may follow a member that was written before its size was known."""
FOUR_BYTES = 2**32 - 1


def member_digest(path: str, data: bytes, member: str) -> dict[str, object]:
    """Return the SHA-256 of one file in an archive."""
    digest = hashlib.sha256(member_content(path, data, member)).hexdigest()
    return {"path": f"{member} in {path}", "sha256": digest}


def member_content(path: str, data: bytes, member: str) -> bytes:
    """Return one file in an archive; raises CannotSee where it holds none of this name."""
    content_of = _zip_content if zipfile.is_zipfile(io.BytesIO(data)) else _tar_content
    try:
        content = content_of(path, data, member)
    except BROKEN as error:
        raise CannotSee("unreadable", f"{member!r} in {path} cannot be read: {error}") from error
    if content is None:
        raise CannotSee("absent", f"{path} does not hold the file {member}")
    return content


def look_into(path: str, data: bytes) -> Member:
    """Return what an archive holds; CannotSee for bombs, broken ones and names that lead out."""
    form, members = _zip_members(path, data) if zipfile.is_zipfile(io.BytesIO(data)) else _tar_members(path, data)
    for member in members:
        if posixpath.isabs(member["name"]) or ".." in member["name"].split("/"):
            raise CannotSee("refused", f"{path} holds {member['name']!r}, a name that leads out of the archive")
    beside = _beside(open_zip(data, path), data) if form == "zip" else {}
    in_order = sorted(members, key=lambda member: str(member["name"]))  # nobody sees in which one they were packed
    return {"path": path, "format": form, "members": in_order, **beside}


def _beside(opened: zipfile.ZipFile, data: bytes) -> dict[str, object]:
    """Return what a zip archive holds beside its members: comments, and bytes that none owns."""
    entries = opened.infolist()
    said = [comment for comment in (opened.comment, *(entry.comment for entry in entries)) if comment]
    comment = b"\n".join(said).decode("utf-8", "replace")[:SMALL_TEXT]
    unlisted = _count_unlisted(entries, data, opened.start_dir)
    return {**({"comment": comment} if comment else {}), **({"unlisted": unlisted} if unlisted else {})}


def _count_unlisted(entries: list[zipfile.ZipInfo], data: bytes, end: int) -> int:
    """Return how many bytes lie before, between and after members; what is struck off is there."""
    found = reached = 0
    for entry in sorted(entries, key=lambda each: each.header_offset):
        found += max(0, entry.header_offset - reached)
        names = data[entry.header_offset + NAMES_AT : entry.header_offset + HEADER]
        name, extra = struct.unpack("<HH", names) if len(names) == 4 else (0, 0)
        reached = entry.header_offset + HEADER + name + extra + entry.compress_size
        if entry.flag_bits & 8 and data.startswith(DESCRIPTOR, reached):
            reached += 24 if entry.compress_size > FOUR_BYTES or entry.file_size > FOUR_BYTES else 16
        elif entry.flag_bits & 8:
            reached += 12
    return found + max(0, end - reached)


def _zip_members(path: str, data: bytes) -> tuple[str, list[Member]]:
    opened = open_zip(data, path)
    members: list[Member] = []
    room = _Room()
    for entry in opened.infolist():
        link = stat.S_ISLNK(entry.external_attr >> 16)
        member = _member(entry.filename, "folder" if entry.is_dir() else "link" if link else "file", entry.file_size)
        if mode := entry.external_attr >> 16:
            member["mode"] = f"{mode & 0o7777:o}"
        if entry.flag_bits & 1:
            member["locked"] = True
        elif member["kind"] != "folder" and entry.file_size <= room.digests:
            try:
                with opened.open(entry) as content:
                    _add_content(member, content, room)
            except BROKEN as error:
                raise CannotSee("unreadable", f"{entry.filename!r} in {path} cannot be read: {error}") from error
        members.append(member)
    return "zip", members


def _tar_members(path: str, data: bytes) -> tuple[str, list[Member]]:
    form, plain = decompress_tar(data, path)
    members: list[Member] = []
    room = _Room()
    try:
        with tarfile.open(fileobj=io.BytesIO(plain), mode="r:") as opened:
            for entry in _entries(opened, path):
                kind = "link" if entry.issym() or entry.islnk() else "other"
                kind = "file" if entry.isreg() else "folder" if entry.isdir() else kind
                member = _member(entry.name, kind, entry.size)
                member |= {"mode": f"{entry.mode & 0o7777:o}", "owner": entry.uname or str(entry.uid)}
                if kind == "link":
                    member["target"] = entry.linkname[:MOST_NAME]
                elif kind == "file" and entry.size <= room.digests and (content := opened.extractfile(entry)):
                    _add_content(member, content, room)
                members.append(member)
    except BROKEN as error:
        raise CannotSee("unreadable", f"{path} is not a readable archive: {error}") from error
    return form, members


def _zip_content(path: str, data: bytes, member: str) -> bytes | None:
    opened = open_zip(data, path)
    named = (entry for entry in opened.infolist() if not entry.is_dir() and _plain(entry.filename) == member)
    entry = next(named, None)
    return None if entry is None else opened.read(entry)


def _tar_content(path: str, data: bytes, member: str) -> bytes | None:
    _, plain = decompress_tar(data, path)
    with tarfile.open(fileobj=io.BytesIO(plain), mode="r:") as opened:
        named = (entry for entry in _entries(opened, path) if entry.isreg() and _plain(entry.name) == member)
        entry = next(named, None)
        if entry is not None and entry.size > MOST_BYTES:
            # A file with holes takes no room in the archive and all of it in memory.
            raise CannotSee("refused", f"{member} in {path} has {entry.size:,} bytes, more than are looked at")
        content = None if entry is None else opened.extractfile(entry)
        return None if content is None else content.read()


def _entries(opened: tarfile.TarFile, path: str) -> Iterator[tarfile.TarInfo]:
    for number, entry in enumerate(opened):
        if number >= MOST_ENTRIES:
            raise CannotSee("refused", f"{path} holds more than the {MOST_ENTRIES:,} entries looked at")
        yield entry


def _member(name: str, kind: str, size: int) -> dict[str, object]:
    return {"name": _plain(name), "kind": kind, "size": size}


def _plain(name: str) -> str:
    """Return a member's name; `./a` and `a/` are `a`, and one that leads out is kept to be refused."""
    plain = name.rstrip("/")
    while plain.startswith("./"):
        plain = plain[2:].lstrip("/")
    return plain or "."


@dataclass
class _Room:
    """What may still be read and kept of an archive."""

    digests: int = MOST_DIGESTED
    texts: int = MOST_TEXT


def _add_content(member: Member, content: IO[bytes], room: _Room) -> None:
    """Give a member the digest of what it holds, and its text where that is short; a link its target."""
    room.digests -= member["size"]
    data, digest = content.read(SMALL_TEXT + 1), hashlib.sha256()
    if member["kind"] == "link":
        member["target"] = data[:MOST_NAME].decode(errors="replace")
        return
    piece = data
    while piece:
        digest.update(piece)
        piece = content.read(2**20)
    member["digest"] = digest.hexdigest()
    if len(data) <= min(SMALL_TEXT, room.texts):
        with suppress(UnicodeDecodeError):
            member["text"] = data.decode("utf-8-sig")
            room.texts -= len(data)
