"""What tools answer: pictures, tree and windows, in the coordinates of the client."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from PIL import Image

from proctor.actions.dialects.dialect import Frame
from proctor.actions.dialects.space import Space, open_space
from proctor.interop.elements import elements_text
from proctor.interop.mcp.tool import Asked, Shown
from proctor.observations.encode import png
from proctor.observations.observation import Observation, Want
from proctor.observations.window import SeenWindow

Size = tuple[int, int]
Point = tuple[float, float]

FIT: Size = (1280, 800)
"""Pictures are made to fit this, unless told otherwise: providers shrink larger ones, and places would be off."""
UNMOVED = "The pointer has not been moved yet; look for it on the screen."


@dataclass(frozen=True, kw_only=True)
class ToolAnswer:
    """What a call is answered with."""

    text: str = ""
    pictures: tuple[bytes, ...] = ()
    """PNG."""
    wrong: bool = False
    """Whether the call failed, for the client's model to read."""


def space_of(desktop: Size, fit: Size) -> Space:
    """Return what coordinates mean where pictures of a desktop are made to fit."""
    return open_space("image", Frame(desktop=desktop, image=Want(fit=fit).image_size(desktop)))


def want_for(shown: Shown) -> Want:
    """Return what must be looked at; the picture as large as it is, so that zoom finds more."""
    return Want(tree=shown == "tree", windows=shown in ("windows", "state"))


def answer(asked: Asked, seen: Observation, space: Space, pointer: Point | None) -> ToolAnswer:
    """Return what a call that asks to be shown something is answered with."""
    degraded = "\n".join(seen.degraded)
    match asked.shown:
        case "zoom":
            return ToolAnswer(pictures=_zoom(asked, seen, space))
        case "pointer":
            return ToolAnswer(text=json.dumps(_place(pointer, space)) if pointer else UNMOVED)
        case "size":
            return ToolAnswer(text=json.dumps(_size(space)))
        case "tree":
            listed = elements_text(seen, asked.form, place=_scale(space))
            return ToolAnswer(text="\n".join(filter(None, [listed, degraded])))
        case "windows":
            return ToolAnswer(text="\n".join(filter(None, [json.dumps(_windows(seen, space)), degraded])))
        case "state":
            state = {"screen": _size(space), "cursor": pointer and _place(pointer, space)}
            return ToolAnswer(
                text=json.dumps(state | {"windows": _windows(seen, space)}), pictures=picture(seen, space)
            )
        case _:
            return ToolAnswer(text=degraded, pictures=picture(seen, space))


def picture(seen: Observation, space: Space) -> tuple[bytes, ...]:
    """Return the screen as PNG, as large as it is shown; nothing where it was not seen."""
    if seen.screenshot is None:
        return ()
    return (png(_resize(seen.screenshot, (int(space.size[0]), int(space.size[1])))),)


def _zoom(asked: Asked, seen: Observation, space: Space) -> tuple[bytes, ...]:
    """Return a part of the screen, as large as the whole is shown."""
    if seen.screenshot is None or asked.region is None:
        return ()
    left, top, right, bottom = asked.region
    width, height = seen.screenshot.size
    box = (max(int(left), 0), max(int(top), 0), min(round(right), width), min(round(bottom), height))
    part = seen.screenshot.crop((box[0], box[1], max(box[2], box[0] + 1), max(box[3], box[1] + 1)))
    grow = min(space.size[0] / part.width, space.size[1] / part.height)
    return (png(_resize(part, (max(round(part.width * grow), 1), max(round(part.height * grow), 1)))),)


def _windows(seen: Observation, space: Space) -> list[dict[str, object]]:
    return [_window(window, space) for window in seen.windows or ()]


def _window(window: SeenWindow, space: Space) -> dict[str, object]:
    scaled, box = _scale(space), window.box
    (x, y), (width, height) = scaled(box.x, box.y), scaled(box.width, box.height)
    return {
        "title": window.title, "app": window.app, "x": x, "y": y, "width": width, "height": height,
        "active": window.active, "minimised": window.minimised,
    }  # fmt: skip


def _size(space: Space) -> dict[str, int]:
    return {"width": int(space.size[0]), "height": int(space.size[1])}


def _place(point: Point, space: Space) -> dict[str, int]:
    x, y = _scale(space)(*point)
    return {"x": x, "y": y}


def _scale(space: Space) -> Callable[[float, float], tuple[int, int]]:
    """Return what turns desktop pixels into whole pixels of the picture."""
    across, down = (size / side for size, side in zip(space.size, space.desktop, strict=True))
    return lambda x, y: (round(x * across), round(y * down))


def _resize(image: Image.Image, size: Size) -> Image.Image:
    return image if image.size == size else image.resize(size, Image.Resampling.LANCZOS)
