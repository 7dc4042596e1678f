"""What imports share: pictures that lie where they should, and why something is left out."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from proctor.errors import RecordError

MAX_PIXELS = 64_000_000


class LeftOut(RecordError):
    """A trajectory cannot be taken; its text says why."""


def find_picture(images: Path, name: str) -> Path:
    """Return where a picture lies; a name that leads out of the folder is refused."""
    if not name or "\0" in name:
        raise LeftOut("a step names no picture")
    root = images.resolve()
    try:
        path = (root / name).resolve()
    except (OSError, RuntimeError) as error:
        raise LeftOut("a picture cannot be found") from error
    if root not in path.parents:
        raise LeftOut("a picture lies outside the folder of pictures")
    if not path.is_file():
        raise LeftOut("a picture is missing")
    return path


def picture_size(path: Path) -> tuple[int, int]:
    """Return the size of a picture; one that is not whole is refused."""
    with open_picture(path) as image:
        try:
            image.load()
        except (OSError, ValueError, SyntaxError) as error:
            raise LeftOut("a picture is incomplete") from error
        return image.size


def open_picture(path: Path) -> Image.Image:
    """Return a picture, not read yet; one that is none, or larger than any screen, is refused."""
    try:
        image = Image.open(path, formats=("PNG", "JPEG", "WEBP"))
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise LeftOut("a picture cannot be read") from error
    if image.width * image.height > MAX_PIXELS:
        image.close()
        raise LeftOut("a picture is larger than any screen")
    return image
