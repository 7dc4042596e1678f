"""Text documents beside others: tab stops, lowered letters, equations, pictures, coloured words, records."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import docx
import pytest
from docx.enum.text import WD_TAB_ALIGNMENT
from docx.shared import Mm, RGBColor
from lxml import etree
from PIL import Image

from proctor.tasks.findings import CannotSee, Finding
from proctor.vocabulary.formats.documents import checks_of_places as places
from proctor.vocabulary.formats.documents.parse import read_document
from proctor.vocabulary.formats.documents.parse_docx_places import docx_as_written

Change = Callable[[Any], object]


def bytes_of(*texts: str, change: Change = lambda made: None) -> bytes:
    made = docx.Document()
    for text in texts:
        made.add_paragraph(text)
    change(made)
    held = io.BytesIO()
    made.save(held)
    return held.getvalue()


def written(*texts: str, change: Change = lambda made: None) -> Any:
    return docx_as_written(bytes_of(*texts, change=change), "letter.docx")


def read(*texts: str, change: Change = lambda made: None) -> Any:
    return read_document(bytes_of(*texts, change=change), "letter.docx")


def stop(at: float, align: Any = WD_TAB_ALIGNMENT.RIGHT) -> Change:
    def put(made: Any) -> None:
        for paragraph in made.paragraphs:
            paragraph.paragraph_format.tab_stops.add_tab_stop(Mm(at), align)

    return put


LINE = "one two three\tfour five"


def water(low: str) -> Any:
    """Return a document that says H2O, some of it lowered."""

    def put(made: Any) -> None:
        paragraph = made.add_paragraph()
        for letter in "H2O":
            paragraph.add_run(letter).font.subscript = letter in low

    return written(change=put)


def equation(text: str) -> Change:
    def put(made: Any) -> None:
        space = "http://schemas.openxmlformats.org/officeDocument/2006/math"
        formula = etree.fromstring(f'<m:oMath xmlns:m="{space}"><m:r><m:t>{text}</m:t></m:r></m:oMath>')
        made.add_paragraph()._p.append(formula)

    return put


def formula_object(made: Any) -> None:
    run = made.add_paragraph().add_run()._r
    run.append(run.makeelement(f"{{{run.nsmap['w']}}}object"))


def png() -> io.BytesIO:
    held = io.BytesIO()
    Image.new("RGB", (8, 8), "red").save(held, "PNG")
    return io.BytesIO(held.getvalue())


def picture_after(place: int, size: float = 10) -> Change:
    return lambda made: made.paragraphs[place].add_run().add_picture(png(), Mm(size))


def words(**colours: str) -> Any:
    def put(made: Any) -> None:
        paragraph = made.add_table(1, 1).cell(0, 0).paragraphs[0]
        for word, colour in colours.items():
            paragraph.add_run(word).font.color.rgb = RGBColor.from_string(colour)
            paragraph.add_run(" ")

    return written(change=put)


def indented(made: Any) -> None:
    made.paragraphs[0].paragraph_format.left_indent = Mm(20)


def spaced(*values: float) -> Change:
    def put(made: Any) -> None:
        for paragraph, value in zip(made.paragraphs, values, strict=False):
            paragraph.paragraph_format.line_spacing = value

    return put


RED, BLUE = "FF0000", "0000FF"
VOWELS = {"aeiou": "#ff0000"}
TRAINS = ("06:00,T1,a", "06:05,T2,a", "06:10,T1,b")


@pytest.mark.parametrize(
    ("finding", "right"),
    [
        (places.same_tabstops(written(LINE, change=stop(150)), written(LINE, change=stop(150)), 3), True),
        (places.same_tabstops(written(LINE, change=stop(150)), written(LINE, change=stop(150)), 2), False),
        (places.same_tabstops(written(LINE, change=stop(150)), written(LINE, change=stop(150)), 2, 1), True),
        (places.same_tabstops(written("one two three"), written(LINE, change=stop(150)), 3), False),
        (
            places.same_tabstops(
                written(LINE, change=stop(150, WD_TAB_ALIGNMENT.LEFT)), written(LINE, change=stop(150))
            ),
            False,
        ),
        (places.same_tabstops(written(LINE, LINE, change=stop(150)), written(LINE, change=stop(150))), False),
        (places.same_subscripts(water("2"), water("2")), True),
        (places.same_subscripts(water(""), water("2")), False),
        (places.same_subscripts(water("2O"), water("2")), False),
        (places.same_subscripts(water(""), water("")), False),
        (places.same_equations(written(change=equation("a+b")), written(change=equation(" a + b "))), True),
        (places.same_equations(written(change=equation("a-b")), written(change=equation("a+b"))), False),
        (places.same_equations(written(change=equation("a+b")), written(change=formula_object)), True),
        (places.same_equations(written("a+b"), written(change=equation("a+b"))), False),
        (
            places.pictures_placed(
                written("a", "b", change=picture_after(0)), written("a", "b", change=picture_after(0))
            ),
            True,
        ),
        (
            places.pictures_placed(
                written("a", "b", change=picture_after(1)), written("a", "b", change=picture_after(0))
            ),
            False,
        ),
        (places.pictures_placed(written("a", "b"), written("a", "b", change=picture_after(0))), False),
        (places.words_coloured(words(apple=RED, bear=BLUE), VOWELS, "#0000ff"), True),
        (places.words_coloured(words(apple=RED, bear=RED), VOWELS, "#0000ff"), False),
        (places.words_coloured(words(apple=BLUE), VOWELS, "#0000ff"), False),
        (places.words_coloured(written("apple"), VOWELS, "#0000ff"), False),
        (places.same_layout(read("a", change=indented), read("a", change=indented)), True),
        (places.same_layout(read("a"), read("a", change=indented)), False),
        (places.same_layout(read("b"), read("a")), False),
        (places.same_layout(read("a", change=picture_after(0, 10)), read("a", change=picture_after(0, 10))), True),
        (places.same_layout(read("a", change=picture_after(0, 20)), read("a", change=picture_after(0, 10))), False),
        (places.begins_like(read("a", "b", "c"), read("a", "b")), True),
        (places.begins_like(read("a"), read("a", "b")), False),
        (places.records_once(read(*TRAINS[:2]), read(*TRAINS)), True),
        (places.records_once(read(*TRAINS[1:]), read(*TRAINS), read(*TRAINS[:2])), True),
        (places.records_once(read(*TRAINS), read(*TRAINS)), False),
        (places.records_once(read(TRAINS[0]), read(*TRAINS)), False),
        (places.records_once(read("06:00,T1,c", TRAINS[1]), read(*TRAINS)), False),
        (places.no_capitals(read("all small")), True),
        (places.no_capitals(read("all", "LARGE")), False),
        (places.line_distances(read("a", "b", "c", change=spaced(1.0, 2.0, 1.5)), [100, 200, 150]), True),
        (places.line_distances(read("a", "b", "c", change=spaced(1.0, 1.0, 1.5)), [100, 200, 150]), False),
        (places.words_near(read("sum of it"), ["sum", "of", "it"]), True),
        (places.words_near(read("sum"), ["sum"]), False),
    ],
)
def test_places(finding: Finding, right: bool) -> None:
    assert finding.passed is right, finding.feedback
    assert right or finding.feedback


def test_shares() -> None:
    off = places.same_tabstops(written(LINE, change=stop(140)), written(LINE, change=stop(150)))
    assert 0.9 < off.score < 1
    assert 0 < places.words_near(read("sun of it"), ["sum", "of", "it"]).score < 1


def test_what_is_no_document_is_refused() -> None:
    for data in (b"", b"PK\x03\x04"):
        with pytest.raises(CannotSee):
            docx_as_written(data, "letter.docx")
