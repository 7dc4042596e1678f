"""Writes Office Open XML texts (.docx) and presentations (.pptx): same content, same bytes."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from proctor.errors import MissingExtra
from proctor.vocabulary.formats.office.blocks import DocumentBlock, Paper, Run, Slide
from proctor.vocabulary.formats.pack import MOMENT, repack

CHANGED_AT = "2026-03-09T14:20:00Z"
"""When every recorded change was made."""


def docx(paper: Paper) -> bytes:
    """Return a text document."""
    try:
        import docx as library
        from docx.enum.section import WD_ORIENT
        from docx.shared import Mm
    except ImportError as error:
        raise MissingExtra("writing .docx files", "office") from error
    document = library.Document()
    for block in paper.blocks:
        _block(document, block)
    section = document.sections[0]
    wide, high = (297, 210) if paper.orientation == "landscape" else (210, 297)
    section.page_width, section.page_height = Mm(wide), Mm(high)
    section.orientation = WD_ORIENT.LANDSCAPE if wide > high else WD_ORIENT.PORTRAIT
    if paper.header:
        section.header.paragraphs[0].text = paper.header
    if paper.footer:
        section.footer.paragraphs[0].text = paper.footer
    return _save(document, paper.title)


def pptx(slides: Sequence[Slide], title: str = "") -> bytes:
    """Return a presentation."""
    try:
        import pptx as library
    except ImportError as error:
        raise MissingExtra("writing .pptx files", "office") from error
    presentation = library.Presentation()
    for slide in slides:
        page = presentation.slides.add_slide(presentation.slide_layouts[1])
        page.shapes.title.text = slide.title
        frame = page.placeholders[1].text_frame
        for place, bullet in enumerate(slide.bullets):
            paragraph = frame.paragraphs[0] if place == 0 else frame.add_paragraph()
            paragraph.text = bullet
        if slide.notes:
            page.notes_slide.notes_text_frame.text = slide.notes
    return _save(presentation, title)


def _save(document: Any, title: str) -> bytes:
    properties = document.core_properties
    properties.title, properties.author, properties.comments = title, "", ""
    properties.created = properties.modified = datetime(*MOMENT)
    buffer = io.BytesIO()
    document.save(buffer)
    return repack(buffer.getvalue())


def _block(document: Any, block: DocumentBlock) -> None:
    if block.page_break:
        document.add_page_break()
    elif block.items:
        for item in block.items:
            document.add_paragraph(item, style="List Number" if block.ordered else "List Bullet")
    elif block.rows:
        table = document.add_table(len(block.rows), len(block.rows[0]), style="Table Grid")
        for row, texts in zip(table.rows, block.rows, strict=True):
            for cell, text in zip(row.cells, texts, strict=True):
                cell.text = text
    else:
        paragraph = document.add_heading(level=block.heading) if block.heading else document.add_paragraph()
        if block.align != "left":
            paragraph.alignment = _alignment(block.align)
        for run in block.pieces:
            _run(paragraph, run)


def _alignment(name: str) -> object:
    from docx.enum.text import WD_ALIGN_PARAGRAPH

    return {
        "right": WD_ALIGN_PARAGRAPH.RIGHT,
        "center": WD_ALIGN_PARAGRAPH.CENTER,
        "justify": WD_ALIGN_PARAGRAPH.JUSTIFY,
    }[name]


def _run(paragraph: Any, run: Run) -> None:
    made = paragraph.add_run(run.text)
    # Saying that a run is not bold would overrule its style; saying nothing does not.
    made.bold, made.italic, made.underline = run.bold or None, run.italic or None, run.underline or None
    if run.inserted_by or run.deleted_by:
        _mark_change(made._r, run)


def _mark_change(element: Any, run: Run) -> None:
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    change = OxmlElement("w:del" if run.deleted_by else "w:ins")
    change.set(qn("w:id"), str(900 + len(element.getparent())))
    change.set(qn("w:author"), run.deleted_by or run.inserted_by)
    change.set(qn("w:date"), CHANGED_AT)
    element.addprevious(change)
    change.append(element)
    if run.deleted_by:
        for text in element.findall(qn("w:t")):
            text.tag = qn("w:delText")
