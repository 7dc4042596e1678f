"""The small first file system that a Linux kernel starts from, written as the kernel reads it (cpio, `newc`)."""

from __future__ import annotations

import gzip
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

FAST = 1
"""Emulated processors unpack what is packed lightly sooner."""
_HEADER = b"070701"


def write(target: Path, folders: tuple[str, ...], files: Mapping[str, bytes], runnable: frozenset[str]) -> None:
    """Write such a file system.

    Args:
        target: The file to write.
        folders: Paths of empty folders; those that files lie in need not be named.
        files: Content by path, without a slash before it.
        runnable: Which of the files may be started.
    """
    needed = {*folders} | {str(parent) for path in (*files, *folders) for parent in Path(path).parents}
    with (
        target.open("wb") as raw,
        gzip.GzipFile(fileobj=raw, mode="wb", compresslevel=FAST, mtime=0, filename="") as out,
    ):
        inode = 0
        for folder in sorted(needed - {"."}):
            inode += 1
            out.write(b"".join(_entry(inode, folder, stat.S_IFDIR | 0o755, b"")))
        for path, content in sorted(files.items()):
            inode += 1
            mode = stat.S_IFREG | (0o755 if path in runnable else 0o644)
            for piece in _entry(inode, path, mode, content):
                out.write(piece)
        for piece in _entry(0, "TRAILER!!!", 0, b""):
            out.write(piece)


def _entry(inode: int, path: str, mode: int, content: bytes) -> Iterator[bytes]:
    name = path.encode() + b"\0"
    fields = (inode, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name), 0)
    header = _HEADER + b"".join(b"%08x" % field for field in fields) + name
    yield header + bytes(-len(header) % 4)
    yield content
    yield bytes(-len(content) % 4)
