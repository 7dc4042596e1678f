"""Probes that look at pictures."""

from __future__ import annotations

import io
from typing import Annotated, Any

from pydantic import Field

from proctor.formats.pictures.reading import describe, shared_detail
from proctor.tasks.finding import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.tasks.wording import Sought, matches

Part = tuple[
    Annotated[int, Field(ge=0)], Annotated[int, Field(ge=0)], Annotated[int, Field(ge=1)], Annotated[int, Field(ge=1)]
]
"""Left, top, width and height in pixels."""


@PROBES.register
def picture(context: ProbeContext, path: str, part: Part | None = None) -> dict[str, Any]:
    """What a picture is: format, size, colours, opacity, a digest of its pixels and a thumbnail; or a part of it."""
    return parsed(path, describe, path, context.read(path), part)


@PROBES.register
def picture_before(context: ProbeContext, path: str, part: Part | None = None) -> dict[str, Any]:
    """What a picture was when the task began, or a part of it."""
    return parsed(path, describe, path, context.before(path), part)


@PROBES.register
def screen_picture(context: ProbeContext, like: str, window: Sought | None = None) -> dict[str, Any]:
    """What the screen shows at the end, or the place of one window on it, cut as large as the picture `like` is.

    To compare a screenshot with: a picture that is larger than the window is taken to have its frame with it. `detail`
    is how much of the letters and edges of either is found in the other.
    """
    taken = parsed(like, describe, like, context.read(like), None)
    screen = context.computer.screenshot(cursor=False).convert("RGB")
    label = "the screen"
    if window is not None:
        box = next((each.box for each in context.computer.windows() if matches(window, each.title)), None)
        if box is None:
            raise CannotSee("absent", f"no window {window!r} is open any more")
        left, top, width, height = box
        side = max(0, taken["width"] - width) // 2
        left, top = left - side, top - max(0, taken["height"] - height - side)
        screen = screen.crop((left, top, left + taken["width"], top + taken["height"]))
        label = f"the window {window!r}"
    held = io.BytesIO()
    screen.save(held, "PNG", compress_level=1)
    detail = parsed(like, shared_detail, like, context.read(like), held.getvalue())
    seen = parsed(label, describe, label, held.getvalue(), None)
    return {key: seen[key] for key in ("path", "width", "height", "thumbnail")} | {"detail": detail}
