"""What is not shown does not count: hidden rows, letters of no colour, shapes outside the page, charts of no size."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest

from proctor.vocabulary.apps.dia import checks as dia_checks
from proctor.vocabulary.formats.documents import checks as document_checks
from proctor.vocabulary.formats.documents.parse import read_document
from proctor.vocabulary.formats.drawings import checks as drawing_checks
from proctor.vocabulary.formats.drawings.parse import parse_drawing
from proctor.vocabulary.formats.office.blocks import DocumentBlock, Paper, Slide
from proctor.vocabulary.formats.office.write_odf import odp, odt
from proctor.vocabulary.formats.office.write_ooxml import docx
from proctor.vocabulary.formats.slides import checks as slide_checks
from proctor.vocabulary.formats.slides.parse import read_slides
from proctor.vocabulary.formats.spreadsheets import checks, checks_of_looks
from proctor.vocabulary.formats.spreadsheets.parse import read_spreadsheet
from proctor.vocabulary.formats.spreadsheets.spec import SheetSpec
from proctor.vocabulary.formats.spreadsheets.write import ods

ROWS: tuple[tuple[Any, ...], ...] = (("Item", "Price"), ("Lamp", 12.5), ("Desk", 99))
TABLE = [[*row] for row in ROWS]
STYLE = '<style:style style:name="Odd" style:family="text"><style:text-properties {}/></style:style>'


def book(**sheet: Any) -> dict[str, Any]:
    """Return a spreadsheet, changed as is said about its sheet."""
    of = read_spreadsheet(ods([SheetSpec(name="Main", rows=ROWS)]), "a.ods")
    return {**of, "sheets": [{**of["sheets"][0], **sheet}]}


def coloured(cell: str, **look: str) -> dict[str, Any]:
    held = book()["sheets"][0]["cells"]
    return book(cells={**held, cell: {**held[cell], **look}})


def edited(data: bytes, part: str, *changes: tuple[str, str]) -> bytes:
    """Return an office file with something replaced in one of its parts."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(made, "w") as target:
        for name in source.namelist():
            text = source.read(name)
            for old, new in changes if name == part else ():
                assert old.encode() in text
                text = text.replace(old.encode(), new.encode())
            target.writestr(name, text)
    return made.getvalue()


def worked_out(of: dict[str, Any]) -> dict[str, Any]:
    """Return a spreadsheet as `see.recalculated` tells of it."""
    results = {"Main": {"B3": 99}}
    return {**of, "now": results, "stored": results, "inputs": [{}], "results": [results]}


@pytest.mark.parametrize(
    "of",
    [
        book(hidden_rows=["3:3"]),
        book(hidden_columns=["B:C"]),
        book(hidden=True),
        book(widths={"B": 0.1}),
        coloured("B3", colour="#ffffff"),
        coloured("B3", colour="#222222", fill="#222222"),
    ],
)
def test_cells_that_show_nothing_do_not_count(of: dict[str, Any]) -> None:
    assert not checks.cell_is(of, "B3", 99).passed
    assert not checks.cells_are(of, "A3:B3", [["Desk", 99]]).passed
    assert not checks.column_is(of, "Price", [row[1] for row in TABLE[1:]]).passed
    assert not checks.cell_follows(worked_out(of), "B3", [99]).passed
    assert not checks.table_is(of, TABLE).passed
    assert not checks.rows_sorted(of, [checks.SortKey(header="Price")], book()).passed
    assert not checks.sheet_unchanged(of, book()).passed
    assert not checks.sheet_unchanged(of, book(), apart_from=["B3"]).passed
    assert checks.sheet_unchanged(of, of).passed, "it was so before"


@pytest.mark.parametrize(
    "of",
    [
        book(),
        book(hidden_rows=["9:12"], hidden_columns=["F:G"]),
        book(widths={"B": 30.0}),
        coloured("B3", colour="#ffffff", fill="#222222"),
        coloured("B3", colour="#c1121f"),
    ],
)
def test_cells_that_look_different_count(of: dict[str, Any]) -> None:
    assert checks.cell_is(of, "B3", 99).passed
    assert checks.column_is(of, "Price", [row[1] for row in TABLE[1:]]).passed
    assert checks.cell_follows(worked_out(of), "B3", [99]).passed
    assert checks.table_is(of, TABLE).passed
    assert checks.rows_sorted(of, [checks.SortKey(header="Price")], book()).passed
    assert checks.sheet_unchanged(of, book()).passed


@pytest.mark.parametrize(("size", "right"), [([80.0, 60.0], True), ([None, None], True), ([0.1, 60.0], False)])
def test_a_chart_has_a_size(size: list[float | None], right: bool) -> None:
    chart = {"kind": "column", "title": "T", "series": [], "categories": "", "x_title": "", "y_title": ""}
    of = book(charts=[{**chart, "size_mm": size}])
    assert checks_of_looks.chart_exists(of, kind="column", title="t").passed is right


@pytest.mark.parametrize(
    ("properties", "shown"),
    [
        ('fo:color="#ffffff"', False),
        ('text:display="none"', False),
        ('fo:font-size="1pt"', False),
        ('fo:color="#c1121f"', True),
        ('fo:color="#ffffff" fo:background-color="#000000"', True),
        ('fo:font-size="8pt"', True),
    ],
)
def test_words_of_a_document_are_those_that_can_be_read(properties: str, shown: bool) -> None:
    plain = odt(Paper(blocks=(DocumentBlock(text="Bills go to Lund."),)))
    of = read_document(
        edited(
            plain,
            "content.xml",
            ("Lund", '<text:span text:style-name="Odd">Lund</text:span>'),
            ("</office:automatic-styles>", f"{STYLE.format(properties)}</office:automatic-styles>"),
        ),
        "a.odt",
    )
    assert document_checks.document_text_is(of, ["Bills go to Lund."]).passed is shown
    assert document_checks.document_unchanged_except(of, read_document(plain, "a.odt"), []).passed is shown


@pytest.mark.parametrize(
    ("properties", "shown"),
    [
        ("<w:vanish/>", False),
        ('<w:color w:val="FFFFFF"/>', False),
        ('<w:sz w:val="2"/>', False),
        ('<w:vanish w:val="false"/>', True),
        ('<w:color w:val="C1121F"/>', True),
    ],
)
def test_words_of_a_word_document_too(properties: str, shown: bool) -> None:
    plain = docx(Paper(blocks=(DocumentBlock(text="Bills go to Lund."),)))
    of = read_document(edited(plain, "word/document.xml", ("<w:r>", f"<w:r><w:rPr>{properties}</w:rPr>")), "a.docx")
    assert document_checks.document_text_is(of, ["Bills go to Lund."]).passed is shown


def test_a_hidden_section_is_not_read() -> None:
    plain = odt(Paper(blocks=(DocumentBlock(text="Bills go to Lund."),)))
    section = '<text:section text:name="S" text:display="none">'
    data = edited(plain, "content.xml", ("<office:text>", f"<office:text>{section}"))
    of = read_document(edited(data, "content.xml", ("</office:text>", "</text:section></office:text>")), "a.odt")
    assert not document_checks.document_has_text(of, ["Lund"]).passed


def test_remarks_and_footers_are_changes() -> None:
    before = read_document(odt(Paper(blocks=(DocumentBlock(text="Bills"),))), "a.odt")
    remarked = {**before, "comments": [{"author": "", "text": "see me"}]}
    footed = read_document(odt(Paper(blocks=(DocumentBlock(text="Bills"),), footer="Draft")), "a.odt")
    for now, then in ((remarked, before), (before, remarked), (footed, before), (before, footed)):
        assert not document_checks.document_unchanged_except(now, then, []).passed
        assert document_checks.document_unchanged_except(now, now, []).passed


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        ('svg:x="1.4cm"', 'svg:x="90cm"', False),
        ('svg:x="1.4cm"', 'svg:x="-26cm"', False),
        ('svg:x="1.4cm"', 'svg:x="5cm"', True),
        ("Two", '<text:span text:style-name="Odd">Two</text:span>', False),
    ],
)
def test_slides_say_what_is_seen_on_them(old: str, new: str, shown: bool) -> None:
    white = STYLE.format('fo:color="#ffffff"')
    styles = f"<office:automatic-styles>{white}</office:automatic-styles><office:body>"
    data = odp((Slide(title="One", bullets=("Two", "Three")),))
    of = read_slides(edited(data, "content.xml", ("<office:body>", styles), (old, new)), "a.odp")
    wanted = slide_checks.SlideContent(title="One", bullets=("Two", "Three"))
    assert slide_checks.slides_are(of, [wanted]).passed is shown


LETTERED = '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"><text x="20" y="44">Plan</text>{}</svg>'
ROLE = 'xmlns:s="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" s:role="line"'


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('<text x="60" y="440">Draft</text>', True),
        ('<g transform="translate(60,400)"><text y="40" style="font-size:9pt;fill:#aa0000">Draft</text></g>', True),
        (f'<text x="60" y="440"><tspan {ROLE} x="60" y="440">Draft</tspan></text>', True),
        ('<text x="60" y="440"><tspan>Dr</tspan><tspan style="fill:navy">aft</tspan></text>', True),
        ('<text x="60" y="440" fill="none" stroke="black">Draft</text>', True),
        ('<text x="60" y="440">Draft</text><text x="9" y="9"/>', True),
        ('<text x="60" y="440" fill="white">Draft</text>', False),
        ('<text x="60" y="440" style="fill:#fafafa">Draft</text>', False),
        ('<text x="60" y="440"><tspan style="fill:white">Draft</tspan></text>', False),
        ('<text x="60" y="440"><tspan display="none">Draft</tspan></text>', False),
        ('<text x="60" y="440" opacity="0">Draft</text>', False),
        ('<g style="opacity:.1"><text x="60" y="440" opacity=".5">Draft</text></g>', False),
        ('<text x="60" y="440" fill="none">Draft</text>', False),
        ('<text x="60" y="440" style="font-size:1px">Draft</text>', False),
        ('<text x="60" y="440" style="font-size:20px" transform="scale(0.01)">Draft</text>', False),
        ('<text x="60" y="940">Draft</text>', False),
        ('<text x="-60" y="440">Draft</text>', False),
        ('<text x="60" y="440"><tspan x="-900" y="440">Draft</tspan></text>', False),
        ('<text x="60" y="440" clip-path="url(#a)">Draft</text>', False),
        ('<text x="60" y="440">Draft</text><rect width="640" height="480"/>', False),
        ('<text x="60" y="440">Draft</text><text x="60" y="460">Draft</text>', False),
        ('<text x="60" y="440">Draft or not</text>', False),
        ("", False),
    ],
)
def test_texts_of_a_drawing_are_those_that_can_be_read(text: str, shown: bool) -> None:
    of = parse_drawing("a.svg", LETTERED.format(text).encode())
    assert drawing_checks.drawing_texts_are(of, ["Plan", "Draft"]).passed is shown


def test_a_text_of_a_drawing_may_be_a_line_of_another() -> None:
    plan = f'<text x="20" y="44"><tspan {ROLE}>Plan</tspan><tspan {ROLE} y="60">See you there</tspan></text>'
    for inner in (plan, plan.replace(ROLE, ""), plan.replace(ROLE, "").replace('y="60"', 'dy="1.2em"')):
        of = parse_drawing("a.svg", LETTERED.replace('<text x="20" y="44">Plan</text>', inner).format("").encode())
        assert drawing_checks.drawing_texts_are(of, ["Plan", "See you there"]).passed
        assert not drawing_checks.drawing_texts_are(of, ["Plan", "See you"]).passed
    wrapped = '<text x="20" y="60"><tspan x="20" y="60">See you </tspan><tspan x="20" y="80">there</tspan></text>'
    of = parse_drawing("a.svg", LETTERED.format(wrapped).encode())
    assert drawing_checks.drawing_texts_are(of, ["See you there", "Plan"]).passed


SHAPES = (
    '<polygon id="lamp" points="9,1 14,9 4,9"/><text id="title" x="1" y="2" style="font-size:{size}">Hall</text>{more}'
)
KEPT: list[dict[str, Any]] = [
    {"id": "lamp", "corners": [9, 1, 14, 9, 4, 9], "effects": ""},
    {"id": "title", "size": 12, "effects": "", "text": "Hall"},
]


@pytest.mark.parametrize(
    ("inner", "right"),
    [
        (SHAPES.format(size="12px", more=""), True),
        (SHAPES.format(size="9pt", more=""), True),
        (SHAPES.format(size="12px", more="").replace("9,1 14,9 4,9", "9 9 14 1 4 1"), False),
        (SHAPES.format(size="1px", more=""), False),
        (SHAPES.format(size="12px", more="").replace('id="title"', 'id="title" clip-path="url(#a)"'), False),
        (f'<g style="mask:url(#b)">{SHAPES.format(size="12px", more="")}</g>', False),
        (f'<g style="mask:none">{SHAPES.format(size="12px", more="")}</g>', True),
        (SHAPES.format(size="12px", more='<use href="#lamp"/>'), False),
    ],
)
def test_shapes_of_a_drawing_are_kept_whole(inner: str, right: bool) -> None:
    of = parse_drawing("a.svg", f'<svg xmlns="http://www.w3.org/2000/svg">{inner}</svg>'.encode())
    kept = drawing_checks.drawing_keeps(of, KEPT, within=0.1).passed
    assert (kept and drawing_checks.drawing_count(of, 2).passed) is right


@pytest.mark.parametrize(
    ("box", "right"), [([0, 9, 6, 12], True), ([0, 0, 6, 3], False), ([7, 7, 7, 7], False), (None, True)]
)
def test_boxes_of_a_diagram_have_places_of_their_own(box: list[float] | None, right: bool) -> None:
    first = {"id": "O0", "kind": "Flowchart - Box", "text": "Order", "fill": "", "box": [0, 0, 6, 3]}
    of = {"path": "a.dia", "objects": [first, {**first, "id": "O1", "text": "Delivery", "box": box}], "lines": []}
    assert dia_checks.diagram_texts(of, ["Order", "Delivery"], in_shapes=True).passed is right
