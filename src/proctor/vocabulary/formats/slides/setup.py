"""Setup steps that make presentations."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from proctor.errors import SpecError
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP
from proctor.vocabulary.formats.office.blocks import Slide
from proctor.vocabulary.formats.office.write_odf import odp
from proctor.vocabulary.formats.office.write_ooxml import pptx


@SETUP.register
def slides(
    context: SetupContext, path: str, slides: Annotated[list[Slide], Field(min_length=1)], title: str = ""
) -> None:
    """Write a presentation, .odp or .pptx by its name; each slide has a title and bullet points."""
    if path.endswith(".odp"):
        data = odp(slides, title)
    elif path.endswith(".pptx"):
        data = pptx(slides, title)
    else:
        raise SpecError(f"{path} is not a presentation", remedy="end its name in .odp or .pptx")
    context.computer.write_file(path, data)
