"""Setup steps that make presentations."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from proctor.errors import SpecError
from proctor.formats.office.blocks import Slide
from proctor.formats.office.writing_odf import odp
from proctor.formats.office.writing_ooxml import pptx
from proctor.tasks.shelves import SETUP
from proctor.tasks.stage import Stage


@SETUP.register
def slides(stage: Stage, path: str, slides: Annotated[list[Slide], Field(min_length=1)], title: str = "") -> None:
    """Write a presentation, .odp or .pptx by its name; every slide has a title and points below it."""
    if path.endswith(".odp"):
        data = odp(slides, title)
    elif path.endswith(".pptx"):
        data = pptx(slides, title)
    else:
        raise SpecError(f"{path} is no presentation", remedy="end its name in .odp or .pptx")
    stage.computer.write_file(path, data)
