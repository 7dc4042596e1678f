"""Slides beside others: what was moved, how large pictures are, the colour of numbers, pictures and sound taken out."""

from __future__ import annotations

import io
import math
import struct
import wave
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.oxml.ns import qn
from pptx.util import Mm

from proctor.tasks.findings import CannotSee, Finding
from proctor.vocabulary.formats.slides import checks_of_twins as slides
from proctor.vocabulary.formats.slides.checks_of_twins import Compared
from proctor.vocabulary.formats.slides.parse_as_written import slides_as_written
from proctor.vocabulary.formats.slides.parse_media import picture_of_slide, sound_of_slide

Change = Callable[[Any, Any], object]


def saved(made: Any) -> bytes:
    held = io.BytesIO()
    made.save(held)
    return held.getvalue()


def png(colour: str = "red") -> io.BytesIO:
    held = io.BytesIO()
    Image.new("RGB", (40, 40), colour).save(held, "PNG")
    return io.BytesIO(held.getvalue())


def bytes_of(*changes: Change) -> bytes:
    """Return a presentation of two slides: a title and a text, then a picture and a table."""
    made = Presentation()
    made.slides.add_slide(made.slide_layouts[5]).shapes.title.text = "Welcome"
    slide = made.slides.add_slide(made.slide_layouts[5])
    slide.shapes.title.text = "Product"
    slide.shapes.add_picture(png(), Mm(50), Mm(80), Mm(40), Mm(40))
    slide.shapes.add_table(2, 2, Mm(120), Mm(60), Mm(60), Mm(30))
    for change in changes:
        change(made, slide)
    return saved(made)


def deck(*changes: Change) -> Any:
    return slides_as_written(bytes_of(*changes), "deck.pptx")


def move(place: int, **sides: float) -> Change:
    def done(made: Any, slide: Any) -> None:
        shape = slide.shapes[place]
        held = {side: getattr(shape, side) for side in ("left", "top", "width", "height")}
        for side, value in {**held, **{name: Mm(size) for name, size in sides.items()}}.items():
            setattr(shape, side, value)

    return done


def number_in(colour: str, *, on_master: bool) -> Change:
    def done(made: Any, slide: Any) -> None:
        for holder in (made.slide_masters[0],) if on_master else made.slides:
            for shape in holder.placeholders if on_master else ():
                if shape.placeholder_format.type == 13:
                    for run in shape.text_frame.paragraphs[0].runs or [shape.text_frame.paragraphs[0].add_run()]:
                        run.font.color.rgb = RGBColor.from_string(colour)
            if not on_master:
                box = holder.shapes.add_textbox(0, 0, Mm(10), Mm(10))
                run = box.text_frame.paragraphs[0].add_run()
                run.text, run.font.color.rgb = "1", RGBColor.from_string(colour)
                box._element.nvSpPr.nvPr.append(box._element.makeelement(PH, {"type": "sldNum"}))

    return done


def table(rows: int, columns: int) -> Change:
    return lambda made, slide: slide.shapes.add_table(rows, columns, Mm(20), Mm(20), Mm(60), Mm(60))


def point(sign: str) -> Change:
    def done(made: Any, slide: Any) -> None:
        about = slide.shapes.title.text_frame.paragraphs[0]._p.get_or_add_pPr()
        about.append(about.makeelement(qn("a:buChar"), {"char": sign}))

    return done


PH = "{http://schemas.openxmlformats.org/presentationml/2006/main}ph"
TITLE, PICTURE, TABLE = range(3)
LOW = {"edge": "bottom", "line_mm": 100.0}


@pytest.mark.parametrize(
    ("finding", "right"),
    [
        (slides.shape_nearer(deck(move(TITLE, top=150)), deck(), **LOW, says="Product"), True),
        (slides.shape_nearer(deck(move(TITLE, top=60)), deck(), **LOW, says="Product"), False),
        (slides.shape_nearer(deck(), deck(), **LOW, says="Product"), False),
        (slides.shape_nearer(deck(move(TITLE, top=150)), deck(), **LOW, says="Nobody says this"), False),
        (slides.shape_nearer(deck(move(TITLE, top=150), move(PICTURE, left=90)), deck(), **LOW, says="Product"), False),
        (slides.shape_nearer(deck(move(TABLE, top=130)), deck(), **LOW, number=2, kind="table"), True),
        (slides.shape_nearer(deck(move(TABLE, top=130)), deck(), **LOW, number=1, kind="table"), False),
        (
            slides.shape_nearer(deck(move(TABLE, top=130), move(TITLE, top=5)), deck(), **LOW, number=2, kind="table"),
            False,
        ),
        (slides.shape_nearer(deck(move(PICTURE, top=2)), deck(), "top", 55, 2, "picture"), True),
        (slides.shape_nearer(deck(move(PICTURE, top=70)), deck(), "top", 55, 2, "picture"), False),
        (
            slides.shape_nearer(
                deck(move(PICTURE, left=180), move(TABLE, left=190)), deck(), "right", 120, 2, "no text"
            ),
            True,
        ),
        (slides.shape_nearer(deck(move(PICTURE, left=60)), deck(), "right", 120, 2, "no text"), False),
        (slides.same_slides(deck(move(PICTURE, width=10, height=10)), deck(), Compared(places=False)), True),
        (
            slides.same_slides(deck(move(PICTURE, width=10)), deck(), Compared(places=False, picture_size=True)),
            False,
        ),
        (slides.same_slides(deck(move(PICTURE, left=3)), deck(), Compared(places=False, picture_size=True)), True),
        (slides.same_slides(deck(move(PICTURE, left=3)), deck(), Compared(only_height=True)), True),
        (slides.same_slides(deck(move(PICTURE, height=3)), deck(), Compared(only_height=True)), False),
        (slides.same_slides(deck(move(TITLE, left=3)), deck(), Compared(only_height=True)), False),
        (slides.same_slides(deck(move(TITLE, left=3)), deck(), Compared(anywhere=["Product"])), True),
        (slides.same_slides(deck(move(TITLE, left=3)), deck(), Compared(anywhere=["Other"])), False),
        # As large as it should be, and not of as many rows and columns.
        (slides.same_slides(deck(table(5, 2)), deck(table(5, 2))), True),
        (slides.same_slides(deck(table(2, 5)), deck(table(5, 2))), False),
        (slides.same_slides(deck(table(2, 5)), deck(table(5, 2)), Compared(text=False)), True),
        # The round point of LibreOffice is in a font of signs.
        (slides.same_slides(deck(point("\uf0b7")), deck(point("•"))), True),
        (slides.same_slides(deck(point("-")), deck(point("•"))), False),
        # Written out or taken from the design: the place is the same.
        (slides.same_slides(deck(move(TITLE)), deck()), True),
        (slides.slide_numbers_coloured(deck(number_in("FF0000", on_master=True)), "red"), True),
        (slides.slide_numbers_coloured(deck(number_in("C01010", on_master=False)), "red"), True),
        (slides.slide_numbers_coloured(deck(number_in("0000FF", on_master=True)), "red"), False),
        (slides.slide_numbers_coloured(deck(number_in("000000", on_master=True)), "black"), True),
        (slides.slide_numbers_coloured(deck(), "red"), False),
    ],
)
def test_places_and_numbers(finding: Finding, right: bool) -> None:
    assert finding.passed is right, finding.feedback
    assert right or finding.feedback


def behind(made: Any, slide: Any) -> None:
    _, relation = slide.part.get_or_add_image_part(png("blue"))
    ground = (
        '<p:bg xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
        'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
        'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><p:bgPr><a:blipFill>'
        f'<a:blip r:embed="{relation}"/><a:stretch/></a:blipFill><a:effectLst/></p:bgPr></p:bg>'
    )
    from lxml import etree

    slide._element.cSld.insert(0, etree.fromstring(ground))


def tone(hertz: float) -> bytes:
    held = io.BytesIO()
    with wave.open(held, "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", ""))
        samples = (round(9000 * math.sin(2 * math.pi * hertz * at / 8000)) for at in range(8000))
        file.writeframes(b"".join(struct.pack("<h", sample) for sample in samples))
    return held.getvalue()


AUDIO = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/audio"


def heard(made: Any, slide: Any) -> None:
    part = Part(PackURI("/ppt/media/a.wav"), "audio/x-wav", slide.part.package, tone(440))
    slide.part.relate_to(part, AUDIO)


def linked(made: Any, slide: Any) -> None:
    slide.part.relate_to("file:///home/user/Desktop/a%20b.wav", AUDIO, is_external=True)


def test_pictures_and_sound_are_taken_out_of_slides() -> None:
    data = bytes_of(behind, heard)
    on, ground = (picture_of_slide(data, "deck.pptx", 2, each) for each in (False, True))
    assert [colour["colour"] for colour in (*on["colours"], *ground["colours"])] == ["#ff0000", "#0000ff"]
    assert sound_of_slide(data, "deck.pptx", 2)["pitch"][2] == pytest.approx(440, abs=3)
    assert sound_of_slide(bytes_of(linked), "deck.pptx", 2) == {"linked": "/home/user/Desktop/a b.wav"}


@pytest.mark.parametrize(("number", "which"), [(1, False), (1, True), (3, False)])
def test_what_is_not_on_a_slide_is_absent(number: int, which: bool) -> None:
    with pytest.raises(CannotSee) as told:
        picture_of_slide(bytes_of(), "deck.pptx", number, which)
    assert told.value.fault.kind == "absent"
    with pytest.raises(CannotSee):
        sound_of_slide(bytes_of(), "deck.pptx", number)
    with pytest.raises(CannotSee):
        sound_of_slide(b"PK", "deck.pptx", number)
