"""Guards for what an agent may leave behind: archives too large for memory are not opened."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

from proctor.tasks.findings import CannotSee

MOST_ENTRIES = 10_000
MOST_BYTES = 256 * 2**20
"""Unpacked size of a whole archive."""
MOST_RATIO = 200
"""How much larger than packed an archive may become; ordinary documents stay below 20."""
SURELY_SMALL = 8 * 2**20
"""Archives that unpack to less are not asked for their ratio: a sheet of equal cells packs well."""
BROKEN = (tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, OSError, EOFError, RuntimeError, ValueError)
"""What the readers raise on what is not an archive, cut off or locked with a password."""


def open_zip(data: bytes, label: str) -> zipfile.ZipFile:
    """Return a ZIP archive to read in memory; `label` is its path, for messages.

    Raises:
        CannotSee: It is not an archive (`unreadable`), or a bomb (`refused`): too many entries, too large, packed too
            tightly, or overlapping. What the directory says is enforced while reading: `zipfile` stops at the size
            that an entry declares.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        entries = archive.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError, EOFError) as error:
        raise CannotSee("unreadable", f"{label} is not a readable archive or document: {error}") from error
    total = sum(entry.file_size for entry in entries)
    if len(entries) > MOST_ENTRIES:
        raise CannotSee("refused", f"{label} holds {len(entries):,} entries, more than the {MOST_ENTRIES:,} looked at")
    if total > MOST_BYTES:
        raise CannotSee("refused", f"{label} unpacks to {total:,} bytes, more than the {MOST_BYTES:,} looked at")
    if total > SURELY_SMALL and total > MOST_RATIO * len(data):
        raise CannotSee("refused", f"{label} unpacks to {total // max(len(data), 1)} times its size")
    if sum(entry.compress_size for entry in entries) > len(data):
        raise CannotSee("refused", f"{label} holds entries that overlap")
    return archive


def read_entry(archive: zipfile.ZipFile, name: str, label: str) -> bytes:
    """Return one entry of an archive from `open_zip`; raises CannotSee when it is missing or broken."""
    try:
        return archive.read(name)
    except KeyError as error:
        raise CannotSee("unreadable", f"{label} has no part {name!r}") from error
    except BROKEN as error:
        raise CannotSee("unreadable", f"part {name!r} of {label} cannot be read: {error}") from error


def decompress_tar(data: bytes, label: str) -> tuple[str, bytes]:
    """Return the format of a tar archive, such as `tar.gz`, and its plain bytes, never more than fit."""
    packers: dict[bytes, tuple[str, Callable[..., Any]]] = {
        b"\x1f\x8b": ("tar.gz", gzip.open),
        b"BZ": ("tar.bz2", bz2.open),
        b"\xfd7": ("tar.xz", lzma.open),
    }
    if data[:2] not in packers:
        return "tar", data
    form, reader = packers[data[:2]]
    try:
        with reader(io.BytesIO(data)) as source:
            plain: bytes = source.read(MOST_BYTES + 1)
    except BROKEN as error:
        raise CannotSee("unreadable", f"{label} is not a readable archive: {error}") from error
    if len(plain) > MOST_BYTES:
        raise CannotSee("refused", f"{label} unpacks to more than the {MOST_BYTES:,} bytes looked at")
    return form, plain
