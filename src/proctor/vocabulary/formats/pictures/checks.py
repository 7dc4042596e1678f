"""Checks on pictures: by thumbnails another picture never passes, and a re-encoded one does."""

from __future__ import annotations

import base64
import colorsys
import io
from collections.abc import Iterator
from typing import Annotated, Any, Literal

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageColor
from pydantic import Field

from proctor.tasks.findings import Finding, right, unless, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS

Pixels = npt.NDArray[np.float64]
Turn = Literal["left", "right", "half", "mirrored", "upside down"]
"""A quarter to the left or right, half a turn, mirrored left to right, or top to bottom."""
Direction = Literal["more", "less", "same"]
Corner = Literal["upper left", "upper right", "lower left", "lower right"]
Colour = Annotated[str, Field(pattern=r"^#[0-9a-f]{6}$")]

ALIKE = 5.0
"""Mean difference, of 255, up to which two thumbnails show the same; compression stays below."""
STRAY = 30.0
"""No more than three in a hundred places of a thumbnail may differ by more than this: letters scaled coarsely do."""
CLOSE = 40.0
"""How far a place may lie outside of what the other picture has in the same place and beside it."""
MOST_ASTRAY = 0.005
"""Share of such places: coarse scaling and compression stay below, coarse blocks do not."""
PATCH, MOST_OF_PATCH = 9, 0.35
"""The side of a patch, and the share of such places in it: along edges they are few, where something was added many."""
EVEN, MOST_IN_EVEN = 24.0, 4
"""How far colours lie apart around a place that is even, and how many such places may be off: scaling leaves none."""
LEAST_SHARP = 0.35
"""How strong its edges are beside those of the other picture, squared: compression leaves half, blurring does not."""
POINTER = 0.02
SAME_SCREEN = 0.8
"""Share of a screenshot's places that must still look the same on the screen."""
LIKE_SCREEN = 0.4
"""How far its light and dark must agree with the screen's."""
SAME_DETAIL = 0.4
"""Share of the letters and edges of a screenshot or the screen that the other has in the same place."""
SAME_WINDOW = 0.7
"""The same share for one window, of which nothing is covered."""
MOST_OF_EDGE = 0.5
"""Share of each edge of a picture where something else must begin."""
NOTICEABLE = 4.0
"""Mean change of brightness, of 255, that a person notices."""

TURNS: dict[str, Image.Transpose] = {
    "left": Image.Transpose.ROTATE_90,
    "right": Image.Transpose.ROTATE_270,
    "half": Image.Transpose.ROTATE_180,
    "mirrored": Image.Transpose.FLIP_LEFT_RIGHT,
    "upside down": Image.Transpose.FLIP_TOP_BOTTOM,
}


@CHECKS.register
def picture_size(of: Seen, width: int | None = None, height: int | None = None, within: int = 0) -> Finding:
    """A picture has this width and height in pixels, give or take `within`, as far as given."""
    wanted = (("width", width), ("height", height))
    return unless(
        f"The {name} of {of['path']} is {of[name]} pixels, expected {value}."
        for name, value in wanted
        if value is not None and abs(of[name] - value) > within
    )


@CHECKS.register
def picture_of_screen(of: Seen, screen: Seen) -> Finding:
    """A picture mostly shows what the screen or a window shows.

    Clocks, carets and what was opened or closed in between may differ; a plain, coarse or made-up picture of the right
    size does not pass, because it lacks the letters and edges.
    """
    if any(_size_problems(of, screen)):
        return unless(_size_problems(of, screen))
    found, wanted = pixels_seen(of), pixels_seen(screen)
    same = float(np.mean(np.abs(found - wanted).max(axis=2) <= STRAY))
    detailed = screen.get("detail", 1.0) >= (SAME_WINDOW if "window" in screen else SAME_DETAIL)
    detailed = detailed and screen.get("shown", 1.0) >= SAME_WINDOW
    if detailed and same >= SAME_SCREEN and _likeness(found, wanted) >= LIKE_SCREEN:
        return right()
    return wrong(f"{of['path']} does not show {screen['path']}.")


@CHECKS.register
def picture_format(of: Seen, format: Literal["PNG", "JPEG", "WEBP", "BMP", "GIF", "TIFF"]) -> Finding:
    """A picture really is of this format, whatever its name ends with."""
    return right() if of["format"] == format else wrong(f"{of['path']} is a {of['format']} file, expected {format}.")


@CHECKS.register
def picture_like(of: Seen, to: Seen, same_size: bool = True) -> Finding:
    """A picture shows the same as another.

    Ignores the format, compression and, if told so, the size in pixels. The proportions must agree in any case, so that
    a squeezed picture is not like its original.
    """
    problems = list(_size_problems(of, to)) if same_size else []
    problems += _different(of["path"], pixels_seen(of), pixels_seen(to), to["path"])
    return unless(
        problems or _different_closely(of["path"], image_seen(of, "closeup"), image_seen(to, "closeup"), to["path"])
    )


@CHECKS.register
def picture_framed(of: Seen, to: Seen, least: int) -> Finding:
    """A picture shows all of another, with this many pixels of something else above and below it.

    At whatever size (of `see.picture_inside`, `see.picture`): it is what the screenshot of a viewer's window shows. The
    pointer may stand on it.
    """
    problems = list(_different(of["path"], pixels_seen(of), pixels_seen(to), to["path"]))
    found, wanted = image_seen(of, "closeup"), image_seen(to, "closeup")
    if not problems and _differ(*_at_one_size(found, wanted), POINTER, 1.0):
        problems.append(f"{of['path']} does not show the same as {to['path']} when one looks closely.")
    if not problems and min(of["edges"]) < MOST_OF_EDGE:
        problems.append(f"{of['path']} does not show the whole of {to['path']}.")
    if of["around"][1] < least:
        problems.append(f"{of['path']} has {of['around'][1]} pixels above and below it, expected {least} or more.")
    return unless(problems)


@CHECKS.register
def picture_turned(of: Seen, original: Seen, turn: Turn, same_size: bool = True) -> Finding:
    """A picture is another one rotated or mirrored like this; ignores format and compression."""
    swapped = turn in ("left", "right")
    width, height = (original["height"], original["width"]) if swapped else (original["width"], original["height"])
    problems = list(_size_problems(of, {**original, "width": width, "height": height})) if same_size else []
    wanted, close = (image_seen(original, key).transpose(TURNS[turn]) for key in ("thumbnail", "closeup"))
    turned = f"{original['path']} turned ({turn})"
    problems += _different(of["path"], pixels_seen(of), _array(wanted), turned)
    return unless(problems or _different_closely(of["path"], image_seen(of, "closeup"), close, turned))


@CHECKS.register
def picture_grey(of: Seen, original: Seen) -> Finding:
    """A picture is another one without its colours, however the grey was mixed."""
    pixels, before = pixels_seen(of), pixels_seen(original)
    problems = list(_size_problems(of, original))
    if float(np.max(pixels, axis=2).mean() - np.min(pixels, axis=2).mean()) > 2.0:
        problems.append(f"{of['path']} still has colours.")
    if not problems and max(_correlation(_grey(pixels), mixed) for mixed in _greys(before)) < 0.95:
        problems.append(f"{of['path']} does not show what {original['path']} shows.")
    return unless(problems)


@CHECKS.register
def picture_adjusted(
    of: Seen, original: Seen, brightness: Direction | None = None, saturation: Direction | None = None
) -> Finding:
    """A picture shows the same, but is noticeably brighter, darker, more or less colourful."""
    problems = list(_size_problems(of, original))
    pixels, before = pixels_seen(of), pixels_seen(original)
    if not problems and _likeness(pixels, before) < 0.8:
        problems.append(f"{of['path']} does not show what {original['path']} shows.")
    if brightness:
        problems += _change_faults(of["path"], "brightness", brightness, _grey(pixels).mean() - _grey(before).mean())
    if saturation:
        problems += _change_faults(of["path"], "colourfulness", saturation, _colourful(pixels) - _colourful(before))
    return unless(problems)


@CHECKS.register
def picture_unchanged(of: Seen, original: Seen) -> Finding:
    """A picture is, pixel for pixel, what another one was; ignores format and metadata."""
    same = of["digest"] == original["digest"]
    return right() if same else wrong(f"{of['path']} no longer is what {original['path']} was.")


@CHECKS.register
def picture_changed(of: Seen, original: Seen) -> Finding:
    """A picture differs, in some pixel, from what another one was."""
    same = of["digest"] == original["digest"]
    return wrong(f"{of['path']} is still what {original['path']} was.") if same else right()


@CHECKS.register
def picture_marked(of: Seen, colour: Colour, mark: Colour = "#ffffff", corner: Corner = "upper left") -> Finding:
    """A picture has one colour except for a square in a corner, a quarter of its shorter side wide."""
    aim = f"a picture in {colour} with a square in {mark} in its {corner} corner"
    small, close = (image_seen(of, key) for key in ("thumbnail", "closeup"))
    problems = list(_different(of["path"], _array(small), _array(_paint_marked(small.size, colour, mark, corner)), aim))
    return unless(
        problems or _different_closely(of["path"], close, _paint_marked(close.size, colour, mark, corner), aim)
    )


@CHECKS.register
def picture_transparent(of: Seen, least: float = 0.01, most: float = 1.0) -> Finding:
    """This much of a picture, as a share of its area, is transparent."""
    share = of["transparent"]
    if least <= share <= most:
        return right()
    return wrong(f"{share:.0%} of {of['path']} is transparent, expected {least:.0%} to {most:.0%}.")


@CHECKS.register
def mean_colour(of: Seen, colour: Colour, within: float = 12.0) -> Finding:
    """The colours of a picture (or of the examined part) are, on average, close to this one."""
    wanted = ImageColor.getrgb(colour)
    furthest = max(abs(found - aim) for found, aim in zip(of["mean"], wanted, strict=True))
    found = "#{:02x}{:02x}{:02x}".format(*(round(value) for value in of["mean"]))
    return right() if furthest <= within else wrong(f"{of['path']} is {found} there on average, expected {colour}.")


@CHECKS.register
def has_colour(of: Seen, colour: Colour, least: float, most: float = 1.0, within: float = 24.0) -> Finding:
    """A colour, including similar ones, takes this share of the area; only main colours count."""
    wanted = ImageColor.getrgb(colour)
    share = sum(
        entry["share"]
        for entry in of["colours"]
        if max(abs(a - b) for a, b in zip(ImageColor.getrgb(entry["colour"]), wanted, strict=True)) <= within
    )
    if least <= share <= most:
        return right()
    return wrong(f"{share:.1%} of {of['path']} has the colour {colour}, expected {least:.1%} to {most:.1%}.")


def _paint_marked(size: tuple[int, int], colour: Colour, mark: Colour, corner: Corner) -> Image.Image:
    columns, rows = size
    side = round(min(rows, columns) / 4)
    left = 0 if corner.endswith("left") else columns - side
    top = 0 if corner.startswith("upper") else rows - side
    made = Image.new("RGB", size, colour)
    made.paste(ImageColor.getrgb(mark), (left, top, left + side, top + side))
    return made


def image_seen(seen: dict[str, Any], key: str = "thumbnail") -> Image.Image:
    """Return the picture that a probe keeps of another: its `thumbnail` or its `closeup`."""
    # What was recorded before there were close-ups has thumbnails alone.
    data = base64.b64decode(seen.get(key) or seen["thumbnail"])
    return Image.open(io.BytesIO(data), formats=("PNG",)).convert("RGB")


def _array(image: Image.Image) -> Pixels:
    return np.asarray(image, np.float64)


def pixels_seen(seen: dict[str, object]) -> Pixels:
    """Return the pixels of a thumbnail."""
    return _array(image_seen(seen))


def _size_problems(of: dict[str, object], to: dict[str, object]) -> Iterator[str]:
    if (of["width"], of["height"]) != (to["width"], to["height"]):
        yield (
            f"{of['path']} is {of['width']} x {of['height']} pixels, expected {to['width']} x {to['height']} "
            f"as of {to['path']}."
        )


def _different(label: str, found: Pixels, wanted: Pixels, other: str) -> Iterator[str]:
    rows, columns, _ = wanted.shape
    if abs(found.shape[0] - rows) > 1 or abs(found.shape[1] - columns) > 1:
        yield f"{label} has other proportions than {other}."
        return
    if found.shape != wanted.shape:
        scaled = Image.fromarray(found.astype(np.uint8)).resize((columns, rows), Image.Resampling.BILINEAR)
        found = _array(scaled)
    gap = np.abs(found - wanted).max(axis=2)
    if gap.mean() > ALIKE or float(np.mean(gap > STRAY)) > 0.03:
        yield f"{label} does not show the same as {other}."


def _different_closely(label: str, found: Image.Image, wanted: Image.Image, other: str) -> Iterator[str]:
    """Yield that a picture differs from the other in places, or is much less sharp."""
    # Without edges none is blurred.
    one, two = _at_one_size(found, wanted)
    if _differ(one, two, MOST_ASTRAY, MOST_OF_PATCH) or _is_painted_on(one, two):
        yield f"{label} does not show the same as {other} when one looks closely."
    elif any(_sharpness(part) < LEAST_SHARP * _sharpness(of) for part, of in _parts(one, two)):
        yield f"{label} is blurred compared with {other}."


def _is_painted_on(one: Pixels, two: Pixels) -> bool:
    """Tell whether a picture has something where the other is even all around."""
    off, _ = _outside(one, two)
    return int(np.count_nonzero(off & _even(two))) > MOST_IN_EVEN


def _even(pixels: Pixels) -> npt.NDArray[np.bool_]:
    """Return which places have hardly any other colour around."""
    half = PATCH // 2
    padded = np.pad(pixels, ((half, half), (half, half), (0, 0)), mode="edge")
    least = greatest = padded
    for axis in (0, 1):
        least = np.lib.stride_tricks.sliding_window_view(least, PATCH, axis=axis).min(axis=-1)
        greatest = np.lib.stride_tricks.sliding_window_view(greatest, PATCH, axis=axis).max(axis=-1)
    return np.asarray((greatest - least).max(axis=2) <= EVEN)


def _parts(one: Pixels, two: Pixels) -> Iterator[tuple[Pixels, Pixels]]:
    """Yield both pictures, and each quarter of them."""
    yield one, two
    row, column = two.shape[0] // 2, two.shape[1] // 2
    for rows in (slice(row), slice(row, None)):
        for columns in (slice(column), slice(column, None)):
            yield one[rows, columns], two[rows, columns]


def _sharpness(pixels: Pixels) -> float:
    return float(sum(np.mean(np.square(np.diff(pixels, axis=axis))) for axis in (0, 1)))


def _at_one_size(found: Image.Image, wanted: Image.Image) -> tuple[Pixels, Pixels]:
    size = min(found.width, wanted.width), min(found.height, wanted.height)
    one, two = (_array(each.resize(size, Image.Resampling.BOX)) for each in (found, wanted))
    return one, two


def _differ(one: Pixels, two: Pixels, most: float, patch: float) -> bool:
    """Tell whether too many places of either picture are not among what the other has around there."""
    return any(float(np.mean(off)) > most or _densest(off) > patch for off in _outside(one, two))


def _outside(one: Pixels, two: Pixels) -> Iterator[npt.NDArray[np.bool_]]:
    """Yield where each of two pictures has a colour that the other has not in or beside that place."""
    for pixels, others in ((one, two), (two, one)):
        rows, columns, _ = others.shape
        around = np.pad(others, ((1, 1), (1, 1), (0, 0)), mode="edge")
        beside = np.stack([around[down : down + rows, left : left + columns] for down in range(3) for left in range(3)])
        yield np.maximum(beside.min(axis=0) - pixels, pixels - beside.max(axis=0)).max(axis=2) > CLOSE


def _densest(places: npt.NDArray[np.bool_]) -> float:
    if min(places.shape) < PATCH:
        return float(np.mean(places))
    counts = np.pad(np.cumsum(np.cumsum(places.astype(np.int64), axis=0), axis=1), ((1, 0), (1, 0)))
    inside = counts[PATCH:, PATCH:] - counts[:-PATCH, PATCH:] - counts[PATCH:, :-PATCH] + counts[:-PATCH, :-PATCH]
    return float(inside.max()) / PATCH**2


def _grey(pixels: Pixels) -> Pixels:
    return np.asarray(pixels @ np.array([0.299, 0.587, 0.114]), np.float64)


def _greys(pixels: Pixels) -> tuple[Pixels, ...]:
    """Return the greys that applications make of colours: by the eye, evenly, or half between."""
    return _grey(pixels), pixels.mean(axis=2), (pixels.max(axis=2) + pixels.min(axis=2)) / 2


def _likeness(one: Pixels, other: Pixels) -> float:
    return _correlation(_grey(one), _grey(other))


def _correlation(one: Pixels, other: Pixels) -> float:
    """Return how far two greys agree, from -1 to 1; 0 where there is nothing to compare."""
    if one.shape != other.shape or one.std() < 1 or other.std() < 1:
        return 0.0
    return float(np.corrcoef(one.ravel(), other.ravel())[0, 1])


def _colourful(pixels: Pixels) -> float:
    flat = pixels.reshape(-1, 3) / 255
    return 255 * float(np.mean([colorsys.rgb_to_hsv(*colour)[1] for colour in flat]))


def _change_faults(label: str, name: str, wanted: Direction, change: float) -> list[str]:
    found = "same" if abs(change) < NOTICEABLE else "more" if change > 0 else "less"
    said = {"more": "did not rise", "less": "did not fall", "same": "did not stay as it was"}
    return [] if found == wanted else [f"The {name} of {label} {said[wanted]} (it changed by {change:+.0f} of 255)."]
