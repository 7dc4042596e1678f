"""Pictures: what they are, and small enough to compare."""

from __future__ import annotations

import base64
import hashlib
import io
import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageOps, UnidentifiedImageError

from proctor.tasks.findings import CannotSee

MOST_PIXELS = 16_000_000
FORMATS = ("PNG", "JPEG", "WEBP", "BMP", "GIF", "TIFF", "PPM", "TGA", "ICO")
"""What is opened at all; formats that call other programs or refer to other files are not."""
THUMBNAIL = 64
"""The longer side of what checks compare."""
CLOSEUP = 256
"""The longer side of what they compare place by place: letters can be told on it, and blocks from edges."""
DOMINANT = 6
FEW_COLOURS, SAMPLED_PLAIN, SAMPLED = 256, 1000, 200
"""How many colours a plain picture has at most; the longer side of what is counted of a plain one, and of others."""
BAND_ROWS = 256
"""How much of a picture is looked at in one go, to keep the memory that it takes small."""

STEP = 40
"""From one pixel to the next, of 255: what is fine detail."""
LEAST_SHARED = 0.1
"""Share of the detail of either that the other must have in any case."""
LEAST_STEPS = 200
"""A picture with less of it shows nothing that could be compared."""
MOST_OFF, MOST_OFF_WINDOW = 3, 16
"""Pixels by which the screen, or a window on it, may have been cut out otherwise."""
MOST_STEPS = 20_000
"""Of more of them, as many are compared."""

Steps = npt.NDArray[np.int16]

Part = tuple[int, int, int, int]
"""Left, top, width and height in pixels."""


def preload() -> None:
    """Load what Pillow loads when it meets a format for the first time."""
    Image.init()


def describe(path: str, data: bytes, part: Part | None = None) -> dict[str, Any]:
    """Return what the bytes of a picture show, as a viewer would show it (its orientation followed)."""
    form, image = decode(path, data)
    if part is not None:
        left, top, width, height = part
        if left + width > image.width or top + height > image.height:
            raise CannotSee("absent", f"{path} is {image.width} x {image.height} and has no such part {part}")
        image = image.crop((left, top, left + width, top + height))
    return describe_image(path, form, image)


def pixels_of(path: str, data: bytes) -> str:
    """Return a digest of all the pixels of a picture, whatever its format; nothing where it is none."""
    try:
        return _flatten(decode(path, data)[1])[2]
    except CannotSee:
        return ""


def describe_image(path: str, form: str, image: Image.Image) -> dict[str, object]:
    """Return what a picture of some format shows."""
    size, mode = image.size, image.mode
    flat, clear, digest = _flatten(image)
    image.close()
    return {
        "path": path,
        "format": form,
        "width": size[0],
        "height": size[1],
        "mode": mode,
        "transparent": round(clear / (size[0] * size[1]), 4),
        "mean": _mean(flat),
        "colours": _dominant(flat),
        "digest": digest,
        "thumbnail": _thumbnail(flat, THUMBNAIL),
        "closeup": _thumbnail(flat, min(CLOSEUP, max(size))),
    }


def shared_detail(path: str, data: bytes, screen: bytes, covers: list[Part] | None = None) -> float:
    """Return how much of the fine detail of a picture and a screen is the same, from 0 to 1.

    Detail is where light changes from one pixel to the next: letters and edges, which nobody paints in the same
    place by guessing. What one of them has and the other has not any more (a dialog, a menu) does not count against it,
    as long as some of each is found in the other: a wallpaper is all on the screen, and not what there is to see on it.
    What may have come to cover the screen only later is left out.
    """
    _, picture = decode(path, data)
    _, other = decode("the screen", screen)
    if picture.size != other.size:
        return 0.0
    bare = np.ones((other.height, other.width - 1), bool)
    for cover in covers or ():
        bare[_slices(cover)] = False
    one, two = (np.where(bare, _steps(each), 0) for each in (picture, other))
    less, more = sorted((_found_again(one, two, MOST_OFF), _found_again(two, one, MOST_OFF)))
    return round(more if less >= LEAST_SHARED else less, 3)


def describe_uncovered(label: str, path: str, data: bytes, screen: bytes, covers: list[Part]) -> dict[str, object]:
    """Return what a cut of the screen shows, and what a picture shows where something covers it."""
    _, picture = decode(path, data)
    form, other = decode(label, screen)
    for left, top, width, height in covers if picture.size == other.size else ():
        box = max(0, left), max(0, top), min(picture.width, left + width), min(picture.height, top + height)
        if box[0] < box[2] and box[1] < box[3]:
            other.paste(picture.crop(box).convert(other.mode), box[:2])
    return describe_image(label, form, other)


def shared_window_detail(
    path: str, data: bytes, screen: bytes, window: Part, covers: list[Part], unseen: float = 0.0
) -> float:
    """Return how much of the fine detail inside a window is in a picture of it, from 0 to 1.

    The window lies within what was cut out of the screen. Its frame, which looks otherwise once it is not active, is
    left out, and so is what other windows cover; of the rest, each must show what the other shows. It is `unseen` where
    the screen shows next to nothing of it.
    """
    _, picture = decode(path, data)
    _, other = decode("the screen", screen)
    if picture.size != other.size:
        return 0.0
    one, two = _steps(picture), _steps(other)
    bare = np.zeros(one.shape, bool)
    bare[_slices(window)] = True
    for cover in covers:
        bare[_slices(cover)] = False
    one, two = np.where(bare, one, 0), np.where(bare, two, 0)
    if np.count_nonzero(np.abs(two) >= STEP) < LEAST_STEPS:
        return unseen
    return round(min(_found_again(one, two, MOST_OFF_WINDOW), _found_again(two, one, MOST_OFF_WINDOW)), 3)


def _slices(part: Part) -> tuple[slice, slice]:
    left, top, width, height = part
    return slice(max(0, top), max(0, top + height)), slice(max(0, left), max(0, left + width))


def _steps(image: Image.Image) -> Steps:
    grey = np.asarray(image.convert("L"), np.int16)
    return grey[:, 1:] - grey[:, :-1]


def _found_again(steps: Steps, others: Steps, margin: int) -> float:
    """Return the share of steps from light to dark, and back, that others have too, nearly there."""
    rows, columns = np.nonzero(np.abs(steps[margin:-margin, margin:-margin]) >= STEP)
    if len(rows) < LEAST_STEPS:
        return 0.0
    every = -(-len(rows) // MOST_STEPS)
    rows, columns = rows[::every], columns[::every]
    wanted = steps[rows + margin, columns + margin]
    shares = [
        np.mean(np.abs(others[rows + down, columns + right] - wanted) < np.abs(wanted) // 2)
        for down in range(2 * margin + 1)
        for right in range(2 * margin + 1)
    ]
    return float(max(shares))


def _flatten(image: Image.Image) -> tuple[Image.Image, int, str]:
    flat = Image.new("RGB", image.size)
    digest = hashlib.sha256(f"{image.size}".encode())
    clear = 0
    for top in range(0, image.height, BAND_ROWS):
        band = image.crop((0, top, image.width, min(top + BAND_ROWS, image.height))).convert("RGBA")
        clear += sum(band.getchannel("A").histogram()[:128])
        digest.update(band.tobytes())
        flat.paste(_on_white(band), (0, top))
    return flat, clear, digest.hexdigest()


def decode(path: str, data: bytes) -> tuple[str, Image.Image]:
    """Return the format and pixels, upright; CannotSee where it is none, broken or too large."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(data), formats=FORMATS) as image:
                # The size stands at the beginning of the file; nothing is unpacked before it is looked at.
                if image.width * image.height > MOST_PIXELS:
                    raise CannotSee("refused", f"{path} says it has {image.width} x {image.height} pixels, too many")
                form = str(image.format)
                image.load()
                ImageOps.exif_transpose(image, in_place=True)
                return form, image
    except UnidentifiedImageError as error:
        raise CannotSee("unreadable", f"{path} is not a picture of a known kind") from error
    except (CannotSee, MemoryError):
        raise
    # Broken files make Pillow raise nearly anything.
    except Exception as error:
        raise CannotSee("unreadable", f"{path} is a broken picture: {error}") from error


def _on_white(pixels: Image.Image) -> Image.Image:
    sheet = Image.new("RGBA", pixels.size, "#ffffff")
    sheet.alpha_composite(pixels)
    return sheet.convert("RGB")


def _mean(image: Image.Image) -> list[float]:
    count = image.width * image.height
    table = image.histogram()
    bands = [table[start : start + 256] for start in (0, 256, 512)]
    return [round(sum(value * times for value, times in enumerate(band)) / count, 2) for band in bands]


def _dominant(image: Image.Image) -> list[dict[str, object]]:
    """Return the colours that take the most room, with their shares; near ones count as one."""
    # Sorting the colours of a large photo takes minutes; pixels evenly spread over it tell the same.
    longer = SAMPLED if image.getcolors(FEW_COLOURS) is None else SAMPLED_PLAIN
    scale = min(1.0, longer / max(image.size))
    sample = image.resize(
        (max(1, round(image.width * scale)), max(1, round(image.height * scale))), Image.Resampling.NEAREST
    )
    few = sample.quantize(16, kmeans=2, dither=Image.Dither.NONE)
    palette = few.getpalette() or []
    counted = sorted(few.getcolors() or [], key=lambda entry: (-entry[0], str(entry[1])))[:DOMINANT]
    total = sample.width * sample.height
    found = []
    for count, index in counted:
        assert isinstance(index, int), "a quantized picture has numbered colours"
        red, green, blue = palette[3 * index : 3 * index + 3]
        found.append({"colour": f"#{red:02x}{green:02x}{blue:02x}", "share": round(count / total, 4)})
    return found


def _thumbnail(image: Image.Image, longer: int) -> str:
    scale = longer / max(image.size)
    size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
    small = image.resize(size, Image.Resampling.BOX if scale < 1 else Image.Resampling.NEAREST)
    buffer = io.BytesIO()
    small.save(buffer, "PNG")
    return base64.b64encode(buffer.getvalue()).decode()
