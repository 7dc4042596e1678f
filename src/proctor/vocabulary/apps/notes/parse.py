"""Many small files of notes read as one piece, put together by a probe and taken apart here."""

from __future__ import annotations

from collections.abc import Iterator

from proctor.tasks.findings import CannotSee

MOST_NOTES = 300
MOST_NOTE_BYTES = 2**20
MOST_NOTES_BYTES = 32 * 2**20


def together(label: str, files: list[bytes]) -> bytes:
    """Return many small files as one piece to read."""
    if sum(map(len, files)) > MOST_NOTES_BYTES:
        raise CannotSee("refused", f"the notes of {label} have more than the {MOST_NOTES_BYTES:,} bytes looked at")
    return b"".join(files)


def apart(data: bytes, sizes: list[int]) -> Iterator[bytes]:
    """Yield the files that were put together."""
    start = 0
    for size in sizes:
        yield data[start : start + size]
        start += size
