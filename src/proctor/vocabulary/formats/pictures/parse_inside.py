"""Pictures inside of pictures: where one shows another, such as a window that shows a photo."""

from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt
from PIL import Image

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.pictures.parse import decode, describe_image

COARSE = 200
"""The longer side of what is searched as a whole."""
SCALES = tuple(0.25 * 1.05**step for step in range(44))
"""How large it may be shown: from a quarter to twice its size, in steps of a twentieth."""
LEAST_SIDE = 8
"""Of what is looked for in the coarse picture; anything smaller would be found anywhere."""
FITS = 20.0
"""Difference, of 255, up to which it fits; the largest one that fits is meant, since an even one fits anywhere."""
FINER = tuple(1 + step / 200 for step in range(6, -21, -1))
"""Sizes that are tried around the one that was found, the largest first."""
AS_WELL = 1.0
"""Difference, of 255, by which a larger one may fit worse than the best."""
SAMPLES = 36
"""Rows and columns of points that are compared in the fine search."""
RIM = 4
"""Pixels to either side of its edge where it and what is around it are compared."""
NOTICEABLE = 6.0
"""Difference, of 255, that makes an edge."""

Pixels = npt.NDArray[np.float64]
Place = tuple[float, float, float]
"""Left, top and scale."""


def part_that_shows(path: str, data: bytes, shown: str, shown_data: bytes) -> dict[str, object]:
    """Return the part of a picture that shows another best, what is around, and if it ends there.

    `around` tells how many more pixels the picture is wide and high. `edges` tells for each side (left, top, right,
    bottom) along how much of it something else begins; it does where the picture itself ends.
    """
    form, outer = decode(path, data)
    _, inner = decode(shown, shown_data)
    outer, inner = outer.convert("RGB"), inner.convert("RGB")
    place = _coarse_place(outer, inner)
    if place is None:
        raise CannotSee("absent", f"{path} is too small to show {shown}")
    left, top, scale = _fine_place(outer, inner, place)
    width, height = round(inner.width * scale), round(inner.height * scale)
    box = round(left), round(top), min(outer.width, round(left) + width), min(outer.height, round(top) + height)
    part = outer.crop(box)
    found = {"around": [outer.width - part.width, outer.height - part.height], "edges": _edges(outer, box)}
    return {**describe_image(path, form, part), **found}


def _coarse_place(outer: Image.Image, inner: Image.Image) -> Place | None:
    """Return about where, and at which scale, a picture is part of another."""
    shrink = min(1.0, COARSE / max(outer.size))
    field = _pixels(outer, (max(1, round(outer.width * shrink)), max(1, round(outer.height * shrink))))
    waves = np.fft.rfft2(field, axes=(0, 1))
    squares = np.pad(np.cumsum(np.cumsum((field**2).sum(axis=2), axis=0), axis=1), ((1, 0), (1, 0)))
    found, least = None, np.inf
    for scale in reversed(SCALES):
        size = round(inner.width * scale * shrink), round(inner.height * scale * shrink)
        if min(size) < LEAST_SIDE or size[0] > field.shape[1] or size[1] > field.shape[0]:
            continue
        gaps = _gaps(field.shape, waves, squares, _pixels(inner, size))
        row, column = np.unravel_index(np.argmin(gaps), gaps.shape)
        if gaps[row, column] < least:
            least, found = gaps[row, column], (float(column) / shrink, float(row) / shrink, scale)
        if least <= FITS:
            break
    return found


def _gaps(
    shape: tuple[int, ...], waves: npt.NDArray[np.complex128], squares: Pixels, wanted: Pixels
) -> npt.NDArray[np.float64]:
    """Return how far a picture differs from a part of the field, for every place where it has room."""
    rows, columns, _ = wanted.shape
    own = np.conj(np.fft.rfft2(wanted, s=shape[:2], axes=(0, 1)))
    both = np.fft.irfft2((waves * own).sum(axis=2), s=shape[:2])[: shape[0] - rows + 1, : shape[1] - columns + 1]
    there = (
        squares[rows:, columns:] - squares[:-rows, columns:] - squares[rows:, :-columns] + squares[:-rows, :-columns]
    )
    # Rounding may leave less than nothing.
    squared = np.maximum(there - 2 * both + (wanted**2).sum(), 0) / wanted.size
    return np.asarray(np.sqrt(squared), np.float64)


def _fine_place(outer: Image.Image, inner: Image.Image, about: Place) -> Place:
    field, reach = np.asarray(outer, np.int16), -(-max(outer.size) // COARSE) + 1
    across, down = (np.linspace(0.5, side - 0.5, SAMPLES) for side in inner.size)
    wanted = np.asarray(inner, np.int16)[np.ix_(down.astype(int), across.astype(int))]
    # From the place that was found outwards, so that of equal ones the nearest is taken.
    shifts = sorted(itertools.product(range(-reach, reach + 1), repeat=2), key=lambda by: by[0] ** 2 + by[1] ** 2)
    fits: list[tuple[float, Place]] = []
    for scale in (about[2] * finer for finer in FINER):
        columns, rows = (across * scale).astype(int), (down * scale).astype(int)
        places = [(round(about[0]) + right, round(about[1]) + lower) for right, lower in shifts]
        gaps = [
            (float(np.mean(np.abs(field[np.ix_(rows + top, columns + left)] - wanted))), (left, top, scale))
            for left, top in places
            if left >= 0 and top >= 0 and left + columns[-1] < outer.width and top + rows[-1] < outer.height
        ]
        fits += [min(gaps, key=lambda fit: fit[0])] if gaps else []
    least = min((gap for gap, _ in fits), default=0.0)
    return next((place for gap, place in fits if gap <= least + AS_WELL), about)


def _edges(outer: Image.Image, box: tuple[int, int, int, int]) -> list[float]:
    """Return along how much of each side of a box a picture looks otherwise outside, from 0 to 1."""
    left, top, right, bottom = box
    field = np.asarray(outer, np.int16)
    across, down = field[top:bottom], field[:, left:right].swapaxes(0, 1)
    sides = ((across, left, 1), (down, top, 1), (across, right - 1, -1), (down, bottom - 1, -1))
    return [_edge(lines, at, inward) for lines, at, inward in sides]


def _edge(lines: npt.NDArray[np.int16], at: int, inward: int) -> float:
    """Return how many lines across an edge look otherwise on either side of it, from 0 to 1."""
    outside, inside = at - inward * RIM, at + inward * RIM
    if not 0 <= outside < lines.shape[1]:
        return 1.0
    gaps = np.abs(lines[:, outside] - lines[:, min(max(inside, 0), lines.shape[1] - 1)]).max(axis=1)
    return round(float(np.mean(gaps > NOTICEABLE)), 3)


def _pixels(image: Image.Image, size: tuple[int, int]) -> Pixels:
    small = image if image.size == size else image.resize(size, Image.Resampling.BOX)
    return np.asarray(small, np.float64)
