"""Probes that look at pictures."""

from __future__ import annotations

import io
from typing import Annotated, Any

from PIL import Image
from pydantic import Field

from proctor.computers.values import Window
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.tasks.words import Sought, matches
from proctor.vocabulary.formats.pictures.parse import describe, describe_uncovered, shared_detail, shared_window_detail
from proctor.vocabulary.formats.pictures.parse_inside import part_that_shows
from proctor.vocabulary.formats.pictures.parse_measures import measure
from proctor.vocabulary.formats.pictures.parse_whole import describe_whole

Part = tuple[
    Annotated[int, Field(ge=0)], Annotated[int, Field(ge=0)], Annotated[int, Field(ge=1)], Annotated[int, Field(ge=1)]
]
"""Left, top, width and height in pixels."""


MOST_PICTURES = 50
FRAME = 40
"""Pixels that the frame and the shadow of a window take at most."""


@PROBES.register_with(describe, whole="file")
def picture(context: ProbeContext, path: str, part: Part | None = None) -> dict[str, Any]:
    """Details of a picture, or a part: format, size, colours, opacity, digest of pixels, thumbnail."""
    return parsed(path, describe, path, context.read(path), part)


@PROBES.register_with(describe)
def picture_before(context: ProbeContext, path: str, part: Part | None = None) -> dict[str, object]:
    """A picture, or a part of it, as it was when the task began."""
    return parsed(path, describe, path, context.before(path), part)


@PROBES.register_with(describe_whole, whole="file")
def whole_picture(context: ProbeContext, path: str) -> dict[str, object]:
    """All of a picture: its regions, opacity, and its metadata, such as where it was taken.

    Each region has its mean colour (red, green, blue, opacity) and, in formats that keep every pixel, a digest.
    """
    return parsed(path, describe_whole, path, context.read(path))


@PROBES.register_with(measure)
def measured_picture(context: ProbeContext, path: str) -> dict[str, object]:
    """Measurements of a full-size picture: sharpness, palette, where dark begins, where a shape is."""
    return parsed(path, measure, path, context.read(path))


@PROBES.register_with(describe)
def pictures_in(context: ProbeContext, path: str) -> dict[str, object]:
    """The pictures directly in a folder, each as `picture` returns it, with its `name`."""
    found: list[dict[str, object]] = []
    for entry in sorted(context.entries(path), key=lambda each: each.path):
        if entry.kind == "file":
            if len(found) >= MOST_PICTURES:
                raise CannotSee("refused", f"{path} holds more than {MOST_PICTURES} files")
            name = entry.path.rpartition("/")[2]
            found.append({"name": name, **parsed(name, describe, name, context.read(entry.path), None)})
    return {"path": path, "pictures": found}


@PROBES.register_with(part_that_shows)
def picture_inside(context: ProbeContext, path: str, shown: str) -> dict[str, object]:
    """The part of a picture that shows another one, upright, at any size, and what is `around` it.

    Such as the screenshot of a window and the picture that the window shows; where it does not, some other part.
    """
    return parsed(path, part_that_shows, path, context.read(path), shown, context.read(shown))


@PROBES.register_with(describe_uncovered, shared_detail, shared_window_detail, describe)
def screen_picture(
    context: ProbeContext, like: str, window: Sought | None = None, showing: Sought | None = None
) -> dict[str, object]:
    """What the screen, or the part of it with a window, shows at the end, as large as `like`.

    To compare a screenshot with: a picture that is larger than the window is taken to have its frame with it. `detail`
    is how much of the letters and edges of either is found in the other; of a window only what no other one covers.
    With `showing`, `shown` tells that of one window on the whole screen, where it is still open.
    """
    screen = context.computer.screenshot(cursor=False).convert("RGB")
    return _of_screen(context, like, screen, showing) if window is None else _of_window(context, like, screen, window)


def _of_screen(context: ProbeContext, like: str, screen: Image.Image, showing: Sought | None) -> dict[str, object]:
    held, data = _png(screen), context.read(like)
    stack = _stack(context, showing) if showing is not None else []
    # What stands above that window may have been opened since.
    covers = _covers(stack, (0, 0))
    seen = parsed("the screen", describe_uncovered, "the screen", like, data, held, covers)
    found = _comparison(seen, parsed(like, shared_detail, like, data, held, covers))
    if not stack:
        return found
    return {**found, "shown": parsed(like, shared_window_detail, like, data, held, _within(stack[0]), covers, 1.0)}


def _of_window(context: ProbeContext, like: str, screen: Image.Image, window: Sought) -> dict[str, Any]:
    data = context.read(like)
    taken = parsed(like, describe, like, data, None)
    stack = _stack(context, window)
    if not stack:
        raise CannotSee("absent", f"no window {window!r} is open any more")
    left, top, width, height = stack[0].box
    side = max(0, taken["width"] - width) // 2
    start = left - side, top - max(0, taken["height"] - height - side)
    held = _png(screen.crop((*start, start[0] + taken["width"], start[1] + taken["height"])))
    label, covers = f"the window {window!r}", _covers(stack, start)
    seen = parsed(label, describe_uncovered, label, like, data, held, covers)
    detail = parsed(like, shared_window_detail, like, data, held, _within(stack[0], start), covers, 0.0)
    return {**_comparison(seen, detail), "window": stack[0].title}


def _stack(context: ProbeContext, window: Sought) -> list[Window]:
    """Return a window and those above it, which are listed from the lowest to the topmost."""
    # Nothing where it is gone.
    found = [each for each in context.computer.windows() if not each.minimised]
    return next((found[at:] for at, each in enumerate(found) if matches(window, each.title)), [])


def _covers(stack: list[Window], start: tuple[int, int]) -> list[tuple[int, int, int, int]]:
    return [_within(each, start, FRAME) for each in stack[1:]]


def _png(image: Image.Image) -> bytes:
    held = io.BytesIO()
    image.save(held, "PNG", compress_level=1)
    return held.getvalue()


def _comparison(seen: dict[str, object], detail: float) -> dict[str, object]:
    return {key: seen[key] for key in ("path", "width", "height", "thumbnail")} | {"detail": detail}


def _within(window: Window, start: tuple[int, int] = (0, 0), around: int = 0) -> tuple[int, int, int, int]:
    """Return the place of a window, and so much around it, counted from where the screen was cut."""
    left, top, width, height = window.box
    return left - start[0] - around, top - start[1] - around, width + 2 * around, height + 2 * around
