"""Pictures of a set: taken in by their content, and small copies for lists."""

from __future__ import annotations

import hashlib
import io
import os
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from proctor.errors import RecordError, SpecError
from proctor.offline.sample import MOST_PIXELS
from proctor.store.files import write_whole

MOST_BYTES = 64 << 20
THUMB = (240, 160)
ENDINGS = {"PNG": "png", "JPEG": "jpg", "WEBP": "webp", "GIF": "gif", "BMP": "bmp"}
"""The forms of pictures that are taken, and how the names of their files end."""

_drawing = threading.Semaphore(2)
"""A page of a list asks for dozens of small copies at once; the machine has other things to do."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A picture that was taken in."""

    name: str
    size: tuple[int, int]

    @property
    def digest(self) -> str:
        """The SHA-256 of its content."""
        return self.name.partition(".")[0]


def take(data: bytes, folder: Path) -> Taken:
    """Keep a picture by its content; raises SpecError for what is none, or too large to be a screen."""
    if len(data) > MOST_BYTES:
        raise SpecError(f"a picture has more than {MOST_BYTES >> 20} MB", remedy="scale it down first")
    try:
        with Image.open(io.BytesIO(data)) as image:
            form, size = image.format or "", image.size
            if form not in ENDINGS:
                raise SpecError(f"pictures in the format {form or 'unknown'} are not accepted", remedy="save it as PNG")
            if size[0] * size[1] > MOST_PIXELS:
                raise SpecError(f"a picture has more than {MOST_PIXELS:,} pixels", remedy="scale it down first")
            image.load()
    except (OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError) as error:
        raise SpecError(f"this is not a picture: {error}", remedy="send PNG, JPEG or WebP") from error
    taken = Taken(f"{hashlib.sha256(data).hexdigest()}.{ENDINGS[form]}", size)
    if not (folder / taken.name).exists():
        write_whole(folder, taken.name, data)
    return taken


def thumb(picture: Path, folder: Path) -> Path:
    """Return a small copy of a picture, made once; raises RecordError where the picture is no good."""
    place = folder / f"{picture.stem}.jpg"
    if place.is_file():
        return place
    with _drawing:
        if place.is_file():
            return place
        try:
            with Image.open(picture) as image:
                image.draft("RGB", (THUMB[0] * 2, THUMB[1] * 2))
                small = image.convert("RGB")
                small.thumbnail(THUMB, Image.Resampling.BILINEAR, reducing_gap=2.0)
        except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
            raise RecordError(f"the picture {picture.name} cannot be read: {error}") from error
        folder.mkdir(exist_ok=True)
        # Two may draw the same one; each writes a file of its own, and the last to arrive stays.
        handle, part = tempfile.mkstemp(dir=folder, suffix=".part")
        with os.fdopen(handle, "wb") as file:
            small.save(file, "JPEG", quality=80)
        Path(part).replace(place)
    return place
