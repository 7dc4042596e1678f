"""Probes that look at pictures."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from proctor.formats.pictures.reading import describe
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES

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
