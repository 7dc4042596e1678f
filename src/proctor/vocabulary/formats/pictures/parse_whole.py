"""Pictures as a whole: what each region shows, and what a file says of its picture beside that."""

from __future__ import annotations

import hashlib
import io
import warnings
from typing import Any

import numpy as np
from PIL import ExifTags, Image

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.pictures.parse import FORMATS, MOST_PIXELS, decode

Told = dict[str, Any]

REGIONS = 8
"""Rows and columns that a picture is divided into, so that what changed has a place."""
MOST_SAID, MOST_FACTS, MOST_FRAMES = 2_000, 200, 500
LOSSY = ("JPEG", "WEBP")
"""Formats in which the same picture, saved again, has other pixels."""
OF_THE_FILE = frozenset(
    {"jfif", "jfif_version", "jfif_unit", "jfif_density", "adobe", "adobe_transform", "progressive", "progression",
     "dpi", "exif", "icc_profile", "transparency", "gamma", "srgb", "background", "duration", "loop", "timestamp",
     "version", "extension", "compression", "interlace", "Software", "date:create", "date:modify", "date:timestamp"}
)  # fmt: skip
"""What programs write about the file, not about the picture; what of it can be seen is told elsewhere."""
OF_PROGRAMS = frozenset({"Software", "ProcessingSoftware", "DateTime", "ExifOffset", "GPSInfo", "ExifVersion"})


def preload() -> None:
    """Load what Pillow loads when it meets a format for the first time."""
    Image.init()


def describe_whole(path: str, data: bytes) -> Told:
    """Return the regions of a picture, and what its file says of it."""
    form, image = decode(path, data)
    with image:
        told = {"path": path, "format": form, "width": image.width, "height": image.height, "mode": image.mode}
        return {
            **told,
            "opaque": _is_opaque(image),
            "regions": _regions(image, exact=form not in LOSSY),
            **_facts_of(path, data),
        }


def _is_opaque(image: Image.Image) -> bool:
    if not image.has_transparency_data:
        return True
    return bool(image.convert("RGBA").getchannel("A").getextrema()[0] == 255)


def _regions(image: Image.Image, *, exact: bool) -> list[dict[str, object]]:
    """Return what each region shows: its mean colour with its opacity, and a digest where that lasts."""
    down = np.linspace(0, image.height, min(REGIONS, image.height) + 1).astype(int)
    across = np.linspace(0, image.width, min(REGIONS, image.width) + 1).astype(int)
    found = []
    for row, (top, bottom) in enumerate(zip(down, down[1:], strict=False), start=1):
        for column, (left, right) in enumerate(zip(across, across[1:], strict=False), start=1):
            part = image.crop((int(left), int(top), int(right), int(bottom))).convert("RGBA")
            pixels = np.asarray(part, np.uint8)
            # What cannot be seen through has a colour; the colour of what is clear is nobody's.
            shown = np.where(pixels[..., 3:] == 0, np.zeros(4, np.uint8), pixels)
            region: dict[str, object] = {
                "name": f"row {row}, column {column}",
                "mean": [round(float(value)) for value in shown.mean(axis=(0, 1))],
            }
            if exact:
                region["digest"] = hashlib.sha256(shown.tobytes()).hexdigest()[:16]
            found.append(region)
    return found


def _facts_of(path: str, data: bytes) -> dict[str, object]:
    """Return what a file says of its picture: metadata, size on paper, frames, its colours."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(data), formats=FORMATS) as image:
                if image.width * image.height > MOST_PIXELS:
                    raise CannotSee("refused", f"{path} has too many pixels")
                facts = {
                    str(key): _plain(value)
                    for key, value in list(image.info.items())[:MOST_FACTS]
                    if key not in OF_THE_FILE and isinstance(value, str | bytes | int | float)
                }
                dpi = image.info.get("dpi")
                profile = image.info.get("icc_profile")
                return {
                    "says": facts,
                    "camera": _camera(image),
                    "dots_per_inch": [round(float(each)) for each in dpi] if dpi else [],
                    "profile": hashlib.sha256(profile).hexdigest()[:16] if isinstance(profile, bytes) else "",
                    "frames": min(int(getattr(image, "n_frames", 1)), MOST_FRAMES),
                }
    except (CannotSee, MemoryError):
        raise
    except Exception as error:  # broken files make Pillow raise nearly anything
        raise CannotSee("unreadable", f"{path} is a broken picture: {error}") from error


def _camera(image: Image.Image) -> dict[str, object]:
    """Return what stands in the part of a file that cameras write."""
    held = image.getexif()
    found: dict[str, object] = {}
    for tag in (None, ExifTags.IFD.Exif, ExifTags.IFD.GPSInfo):
        names = ExifTags.GPSTAGS if tag is ExifTags.IFD.GPSInfo else ExifTags.TAGS
        for key, value in list((held if tag is None else held.get_ifd(tag)).items())[:MOST_FACTS]:
            name = str(names.get(key, key))
            if name not in OF_PROGRAMS:
                found[name] = _plain(value)
    return found


def _plain(value: object) -> object:
    if isinstance(value, bytes):
        return hashlib.sha256(value).hexdigest()[:16] if len(value) > 64 else value.decode("latin-1")
    return str(value)[:MOST_SAID]
