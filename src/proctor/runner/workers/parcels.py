"""The files of an episode on their way from the machine that held it to the one that keeps the record."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from proctor.errors import RecordError
from proctor.store.files import disk_trouble, write_fully
from proctor.store.folder import make_room

LARGEST = 1024 * 1024
"""Bytes in a parcel; a long video travels in many, so that nobody ever holds it whole."""
LAST = "sums.json"
"""Vouches for all the others, so a record that has it is whole."""


@dataclass(frozen=True)
class Piece:
    """A part of a file; those of one file come in order."""

    name: str
    data: bytes


@dataclass(frozen=True)
class Parcel:
    """Pieces that travel together."""

    pieces: tuple[Piece, ...]


def pack(folder: Path) -> Iterator[Parcel]:
    """Yield the files of an episode in parcels of bounded size, the sums last."""
    together: list[Piece] = []
    size = 0
    for piece in _pieces(folder):
        if size + len(piece.data) > LARGEST:
            yield Parcel(tuple(together))
            together, size = [], 0
        together.append(piece)
        size += len(piece.data)
    if together:
        yield Parcel(tuple(together))


def _pieces(folder: Path) -> Iterator[Piece]:
    for path in sorted(folder.iterdir(), key=lambda path: (path.name == LAST, path.name)):
        with path.open("rb") as file:
            # The first may be empty, as the file is then.
            yield Piece(path.name, file.read(LARGEST))
            while data := file.read(LARGEST):
                yield Piece(path.name, data)


class Arrival:
    """Unpacks parcels into the folder of a new record; what lies there unfinished is moved aside.

    Until the last parcel is in, the folder is that of an unfinished episode, as it is where one goes on.
    """

    def __init__(self, folder: Path) -> None:
        make_room(folder)
        self._folder = folder
        self._begun: set[str] = set()

    def take(self, parcel: Parcel) -> None:
        """Write what has come; raises RecordError for what is not a file of an episode."""
        for piece in parcel.pieces:
            if "/" in piece.name or "\0" in piece.name or piece.name in ("", ".", ".."):
                raise RecordError(
                    f"a file named {piece.name[:80]!r} came for {self._folder}",
                    remedy="Proctor's workers do not send that; check who else can reach the cluster",
                )
            # Nothing is written through a name that was there before.
            new = os.O_APPEND if piece.name in self._begun else os.O_CREAT | os.O_EXCL
            with disk_trouble(self._folder / piece.name):
                file = os.open(self._folder / piece.name, os.O_WRONLY | os.O_CLOEXEC | os.O_NOFOLLOW | new, 0o644)
                try:
                    write_fully(file, piece.data)
                finally:
                    os.close(file)
            self._begun.add(piece.name)
