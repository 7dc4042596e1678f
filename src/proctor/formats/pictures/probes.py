"""Probes that look at pictures."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from proctor.formats.pictures.reading import describe
from proctor.tasks.reader.client import parsed
from proctor.tasks.scene import Scene
from proctor.tasks.shelves import PROBES

Part = tuple[
    Annotated[int, Field(ge=0)], Annotated[int, Field(ge=0)], Annotated[int, Field(ge=1)], Annotated[int, Field(ge=1)]
]
"""Left, top, width and height in pixels."""


@PROBES.register
def picture(scene: Scene, path: str, part: Part | None = None) -> dict[str, Any]:
    """What a picture is: format, size, colours, opacity, a digest of its pixels and a thumbnail; or a part of it."""
    return parsed(path, describe, path, scene.read(path), part)


@PROBES.register
def picture_before(scene: Scene, path: str, part: Part | None = None) -> dict[str, Any]:
    """What a picture was when the task began, or a part of it."""
    return parsed(path, describe, path, scene.before(path), part)
