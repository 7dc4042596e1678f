"""Setup steps that make office documents: texts and presentations."""

from __future__ import annotations

from proctor.errors import SpecError
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP
from proctor.vocabulary.formats.office.blocks import DocumentBlock, Orientation, Paper
from proctor.vocabulary.formats.office.write_odf import odt
from proctor.vocabulary.formats.office.write_ooxml import docx


@SETUP.register
def document(
    context: SetupContext,
    path: str,
    blocks: list[str | DocumentBlock],
    title: str = "",
    header: str = "",
    footer: str = "",
    orientation: Orientation = "portrait",
) -> None:
    """Write a text document, .odt or .docx by its name; a string in `blocks` is a paragraph."""
    paper = Paper(
        blocks=tuple(DocumentBlock(text=block) if isinstance(block, str) else block for block in blocks),
        title=title,
        header=header,
        footer=footer,
        orientation=orientation,
    )
    if path.endswith(".odt"):
        data = odt(paper)
    elif path.endswith(".docx"):
        data = docx(paper)
    else:
        raise SpecError(f"{path} is not a text document", remedy="end its name in .odt or .docx")
    context.computer.write_file(path, data)
