"""Small copies of pictures for pages; the data itself is not copied."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from proctor.errors import RecordError
from proctor.observations.encode import webp
from proctor.offline.parquet import PictureCell
from proctor.offline.sample import PictureFile, Shot

MOST_WIDE = 1000
"""Pixels across."""


class SmallCopies:
    """Small copies of pictures, each made once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made: dict[str, str] = {}

    def copy(self, name: str) -> str:
        """Return the file of a small copy; nothing where the picture cannot be read."""
        if name not in self._made:
            self._made[name] = self._copy(name)
        return self._made[name]

    def _copy(self, name: str) -> str:
        try:
            image = _shot(name).load()
        except RecordError:
            return ""
        if image.width > MOST_WIDE:
            size = MOST_WIDE, max(1, round(image.height * MOST_WIDE / image.width))
            image = image.resize(size, Image.Resampling.LANCZOS)
        made = f"{len(self._made):05d}.webp"
        (self._folder / made).write_bytes(webp(image))
        return made


def _shot(name: str) -> Shot:
    return Shot(PictureCell.of_name(name) or PictureFile(Path(name)))
