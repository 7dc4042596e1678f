"""Pictures measured at full size: how sharp they are, where dark begins, where a shape stands."""

from __future__ import annotations

import base64

import numpy as np
import numpy.typing as npt
from PIL import Image

from proctor.vocabulary.formats.pictures.parse import decode
from proctor.vocabulary.formats.visible import Look

DARK = 128
"""Below it, of 255, something counts as dark."""
BAND_ROWS = 256
MOST_READ = 2_000_000
"""Pixels of a picture on which text is looked for."""


def preload() -> None:
    """Load what Pillow loads when it meets a format for the first time."""
    Image.init()


def plain_pixels(path: str, data: bytes) -> tuple[int, int, str]:
    """Return width, height and pixels (in base64) of a picture, made smaller where it is large."""
    _, image = decode(path, data)
    with image:
        scale = min(1.0, (MOST_READ / (image.width * image.height)) ** 0.5)
        size = max(1, int(image.width * scale)), max(1, int(image.height * scale))
        flat = _on_white(image).resize(size)
    return flat.width, flat.height, base64.b64encode(flat.tobytes()).decode()


def measure(path: str, data: bytes) -> Look:
    """Return figures of a picture as it is shown on white."""
    form, image = decode(path, data)
    with image:
        palette = image.mode == "P"
        flat = _on_white(image)
    colour, centre = _second_colour(flat)
    return {
        "path": path,
        "format": form,
        "width": flat.width,
        "height": flat.height,
        "palette": palette,
        "sharpness": _sharpness(flat),
        "dark_from": _dark_from(flat),
        "shape": {"colour": colour, "centre": centre},
    }


def _on_white(image: Image.Image) -> Image.Image:
    sheet = Image.new("RGBA", image.size, "#ffffff")
    sheet.alpha_composite(image.convert("RGBA"))
    return sheet.convert("RGB")


def _grey(image: Image.Image) -> npt.NDArray[np.float32]:
    return np.asarray(image.convert("L"), np.float32)


def _sharpness(image: Image.Image) -> float:
    """Return how much brightness bends from pixel to pixel (the variance of its Laplacian)."""
    if min(image.size) < 3:
        return 0.0
    total = squares = count = 0.0
    for top in range(0, image.height - 2, BAND_ROWS):
        grey = _grey(image.crop((0, top, image.width, min(top + BAND_ROWS + 2, image.height))))
        inner = grey[1:-1, 1:-1]
        bend = grey[:-2, 1:-1] + grey[2:, 1:-1] + grey[1:-1, :-2] + grey[1:-1, 2:] - 4 * inner
        total += float(bend.sum(dtype=np.float64))
        squares += float(np.square(bend, dtype=np.float64).sum())
        count += bend.size
    return round(squares / count - (total / count) ** 2, 3)


def _dark_from(image: Image.Image) -> float:
    """Return how far from the left something dark begins, as a share of the width; 1 for nothing."""
    columns = (_grey(image) < DARK).any(axis=0)
    return round(float(np.argmax(columns)) / image.width, 4) if columns.any() else 1.0


def _second_colour(image: Image.Image) -> tuple[str, list[float]]:
    """Return the colour that is most frequent but one, and the middle of its pixels as shares."""
    pixels = np.asarray(image, np.uint32)
    codes = (pixels[..., 0] << 16) | (pixels[..., 1] << 8) | pixels[..., 2]
    colours, counts = np.unique(codes, return_counts=True)
    if len(colours) < 2:
        return "", []
    code = int(colours[np.argsort(counts, kind="stable")[-2]])
    rows, columns = np.nonzero(codes == code)
    centre = [(columns.mean() + 0.5) / image.width, (rows.mean() + 0.5) / image.height]
    return f"#{code:06x}", [round(float(each), 4) for each in centre]
