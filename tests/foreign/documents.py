"""Documents for cases, and the case of one that must become like another."""

from __future__ import annotations

import copy
import io
import posixpath
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import docx
import openpyxl
import pptx
from PIL import Image
from pptx.dml.color import RGBColor
from pptx.oxml.ns import qn

from proctor.tasks.shelves import hand
from tests.foreign.case import Act, Case, moves, then, write
from tests.foreign.workshop import Workshop, open_again

Rows = list[list[Any]]
Change = Callable[[Any], object]


def become(
    shop: Workshop,
    path: str,
    golds: Sequence[str],
    start: Callable[[], Any],
    right: Change,
    wrong: Change,
    *,
    gold: Change | None = None,
    given: str = "",
) -> Case:
    """Return the case of a document that is to be changed, and is compared with expected ones.

    What is expected was made with the library straight from the material, or by `gold` in a way of its own; what is
    done in the task begins with what LibreOffice has saved, and is saved by it again. `given` is the file's name in
    its address, where that is not the one in the task.
    """
    expected = start()
    (gold or right)(expected)
    saved, wanted = shop.office_all([start(), expected])
    done = [open_again(expected, saved) for _ in range(2)]
    for each, change in zip(done, (right, wrong), strict=True):
        change(each)
    satisfied, near_miss = (leave(path, each) for each in shop.office_all(done))
    files = dict.fromkeys([given or posixpath.basename(path), posixpath.basename(path)], saved)
    return Case(satisfied, near_miss, {**files, **dict.fromkeys(golds, wanted)}, one_sitting=True)


def leave(path: str, content: bytes) -> Act:
    """Return an act that leaves a document where another is open, as a program would that an agent has written.

    LibreOffice may still be asking whether to write over what it has found there.
    """
    return then(moves(hand.press("Escape")), write(path, content))


def book(rows: Rows, title: str = "Sheet1") -> Any:
    """Return a workbook with one sheet."""
    made = openpyxl.Workbook()
    made.active.title = title
    for row in rows:
        made.active.append(row)
    return made


def letter(*paragraphs: str) -> Any:
    """Return a text document."""
    made = docx.Document()
    for text in paragraphs:
        made.add_paragraph(text)
    return made


def say(paragraph: Any, text: str) -> None:
    """Give a paragraph another text, in the looks of its beginning."""
    for run in paragraph.runs[1:]:
        run._element.getparent().remove(run._element)
    if paragraph.runs:
        paragraph.runs[0].text = text
    else:
        paragraph.add_run(text)


def put_after(paragraph: Any, text: str) -> Any:
    """Put a paragraph like another behind it, and return it."""
    element = copy.deepcopy(paragraph._element)
    paragraph._element.addnext(element)
    made = type(paragraph)(element, paragraph._parent)
    say(made, text)
    return made


def drop(paragraph: Any) -> None:
    """Take a paragraph out."""
    paragraph._element.getparent().remove(paragraph._element)


def deck(*slides: Sequence[str]) -> Any:
    """Return a presentation: each slide has a title, and under it a text for each line that is given."""
    made = pptx.Presentation()
    for title, *lines in slides:
        slide = made.slides.add_slide(made.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = "\n".join(lines)
    return made


def type_in(shape: Any, text: str) -> None:
    """Type a text into an empty shape on a slide: it takes on the looks that wait there."""
    paragraph = shape.text_frame.paragraphs[0]
    waiting = paragraph._p.find(qn("a:endParaRPr"))
    run = paragraph.add_run()
    run.text = text
    if waiting is not None:
        run._r.insert(0, looks := copy.deepcopy(waiting))
        looks.tag = qn("a:rPr")


def body_of(slide: Any) -> Any:
    """Return what holds the text under the title of a slide."""
    return next(shape for shape in slide.placeholders if shape != slide.shapes.title and shape.has_text_frame)


def runs_of(*shapes: Any) -> Iterator[Any]:
    """Yield the pieces of text of shapes on slides."""
    for shape in shapes:
        if shape.has_text_frame:
            for paragraph in shape.text_frame.paragraphs:
                yield from paragraph.runs


def paint(slide: Any, colour: str) -> None:
    """Give a slide a ground of its own."""
    fill = slide.background.fill
    fill.solid()
    fill.fore_color.rgb = RGBColor.from_string(colour)


def picture(colour: str = "red", size: tuple[int, int] = (120, 80)) -> bytes:
    """Return a picture with a frame, as PNG."""
    made = Image.new("RGB", size, "white")
    made.paste(colour, (10, 10, size[0] - 20, size[1] - 15))
    held = io.BytesIO()
    made.save(held, "PNG")
    return held.getvalue()
