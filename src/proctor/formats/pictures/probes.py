"""Probes that look at pictures."""

from __future__ import annotations

import io
from typing import Annotated, Any

from PIL import Image
from pydantic import Field

from proctor.computers.values import Window
from proctor.formats.pictures.reading import describe, describe_uncovered, shared_detail, shared_window_detail
from proctor.tasks.finding import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.tasks.wording import Sought, matches

Part = tuple[
    Annotated[int, Field(ge=0)], Annotated[int, Field(ge=0)], Annotated[int, Field(ge=1)], Annotated[int, Field(ge=1)]
]
"""Left, top, width and height in pixels."""


FRAME = 40
"""Pixels that the frame and the shadow of a window take at most."""


@PROBES.register
def picture(context: ProbeContext, path: str, part: Part | None = None) -> dict[str, Any]:
    """What a picture is: format, size, colours, opacity, a digest of its pixels and a thumbnail; or a part of it."""
    return parsed(path, describe, path, context.read(path), part)


@PROBES.register
def picture_before(context: ProbeContext, path: str, part: Part | None = None) -> dict[str, Any]:
    """What a picture was when the task began, or a part of it."""
    return parsed(path, describe, path, context.before(path), part)


@PROBES.register
def screen_picture(
    context: ProbeContext, like: str, window: Sought | None = None, showing: Sought | None = None
) -> dict[str, Any]:
    """What the screen shows at the end, or the place of one window on it, cut as large as the picture `like` is.

    To compare a screenshot with: a picture that is larger than the window is taken to have its frame with it. `detail`
    is how much of the letters and edges of either is found in the other; of a window only what no other one covers.
    With `showing`, `shown` tells that of one window on the whole screen, where it is still open.
    """
    taken = parsed(like, describe, like, context.read(like), None)
    screen = context.computer.screenshot(cursor=False).convert("RGB")
    if window is None:
        held = _png(screen)
        detail = parsed(like, shared_detail, like, context.read(like), held)
        seen = _compared(parsed("the screen", describe, "the screen", held, None), detail)
        stack = _stack(context, showing) if showing is not None else []
        return {**seen, "shown": _shared(context, like, held, stack, (0, 0))} if stack else seen
    stack = _stack(context, window)
    if not stack:
        raise CannotSee("absent", f"no window {window!r} is open any more")
    left, top, width, height = stack[0].box
    side = max(0, taken["width"] - width) // 2
    start = left - side, top - max(0, taken["height"] - height - side)
    held = _png(screen.crop((*start, start[0] + taken["width"], start[1] + taken["height"])))
    label = f"the window {window!r}"
    seen = parsed(label, describe_uncovered, label, like, context.read(like), held, _covers(stack, start))
    return {**_compared(seen, _shared(context, like, held, stack, start)), "window": stack[0].title}


def _stack(context: ProbeContext, window: Sought) -> list[Window]:
    """Return a window and those above it, which are listed from the lowest to the topmost; nothing where it is gone."""
    found = context.computer.windows()
    return next((found[at:] for at, each in enumerate(found) if matches(window, each.title)), [])


def _shared(context: ProbeContext, like: str, held: bytes, stack: list[Window], start: tuple[int, int]) -> float:
    """Return how much of a window, where nothing covers it, a picture and what was cut out of the screen share."""
    inside, covers = _within(stack[0], start), _covers(stack, start)
    return parsed(like, shared_window_detail, like, context.read(like), held, inside, covers)


def _covers(stack: list[Window], start: tuple[int, int]) -> list[tuple[int, int, int, int]]:
    return [_within(each, start, FRAME) for each in stack[1:] if not each.minimised]


def _png(image: Image.Image) -> bytes:
    held = io.BytesIO()
    image.save(held, "PNG", compress_level=1)
    return held.getvalue()


def _compared(seen: dict[str, Any], detail: float) -> dict[str, Any]:
    return {key: seen[key] for key in ("path", "width", "height", "thumbnail")} | {"detail": detail}


def _within(window: Window, start: tuple[int, int], around: int = 0) -> tuple[int, int, int, int]:
    """Return the place of a window, and so much around it, counted from where the screen was cut."""
    left, top, width, height = window.box
    return left - start[0] - around, top - start[1] - around, width + 2 * around, height + 2 * around
