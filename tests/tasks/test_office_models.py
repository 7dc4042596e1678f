"""Models of office documents: complete, the same after an unchanged save, and only what is seen counts as said."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor import open_computer
from proctor.vocabulary.apps.dia import checks as dia_checks
from proctor.vocabulary.apps.dia.parse import parse_objects
from proctor.vocabulary.formats.documents import checks as document_checks
from proctor.vocabulary.formats.documents.parse import read_document
from proctor.vocabulary.formats.drawings import checks as drawing_checks
from proctor.vocabulary.formats.drawings.parse_any import read_drawing
from proctor.vocabulary.formats.office.blocks import DocumentBlock, Paper, Run, Slide
from proctor.vocabulary.formats.office.parse_odf import PREFIXES
from proctor.vocabulary.formats.office.write_odf import odp, odt
from proctor.vocabulary.formats.office.write_ooxml import docx
from proctor.vocabulary.formats.slides import checks as slide_checks
from proctor.vocabulary.formats.slides.parse import read_slides
from proctor.vocabulary.formats.spreadsheets import checks
from proctor.vocabulary.formats.spreadsheets.number_formats import shown_as, shown_date
from proctor.vocabulary.formats.spreadsheets.parse import read_spreadsheet
from proctor.vocabulary.formats.spreadsheets.spec import SheetSpec
from proctor.vocabulary.formats.spreadsheets.write import ods, separated_values, xlsx
from proctor.vocabulary.formats.visible import can_be_read, stands_out

SPACES = " ".join(f'xmlns:{name}="{uri}"' for uri, name in PREFIXES.items() if name != "xml")


def flat(kind: str, body: str, automatic: str = "", styles: str = "", masters: str = "") -> bytes:
    """Return an OpenDocument file in one piece."""
    return (
        f'<office:document {SPACES} office:version="1.3"><office:meta><dc:title>Told</dc:title></office:meta>'
        f"<office:styles>{styles}</office:styles><office:automatic-styles>{automatic}</office:automatic-styles>"
        f"<office:master-styles>{masters}</office:master-styles>"
        f"<office:body><office:{kind}>{body}</office:{kind}></office:body></office:document>"
    ).encode()


def style(name: str, family: str, properties: str, more: str = "") -> str:
    return f'<style:style style:name="{name}" style:family="{family}" {more}>{properties}</style:style>'


BOOK_STYLES = (
    '<number:percentage-style style:name="N1"><number:number number:decimal-places="2" number:min-integer-digits="1"/>'
    "<number:text> %</number:text></number:percentage-style>"
    + style(
        "c1",
        "table-cell",
        '<style:table-cell-properties fo:background-color="#ffcc00" fo:border="0.74pt solid #000000"'
        ' fo:wrap-option="wrap" style:vertical-align="middle" style:cell-protect="none"/>'
        '<style:text-properties style:text-line-through-style="solid" fo:font-size="14pt" fo:color="#000000"/>',
        'style:data-style-name="N1"',
    )
    + style("ro", "table-row", '<style:table-row-properties style:row-height="12mm"'
            ' style:use-optimal-row-height="false"/>')
    + style("ta", "table", '<style:table-properties table:tab-color="#ff0000"/>')
)  # fmt: skip
BOOK = (
    '<table:content-validations><table:content-validation table:name="v" table:condition="of:cell-content()&gt;3"/>'
    '</table:content-validations><table:table table:name="Main" table:style-name="ta" table:protected="true"'
    ' table:print-ranges="Main.A1:Main.B2"><table:table-column/><table:table-row table:style-name="ro">'
    '<table:table-cell table:style-name="c1" office:value-type="percentage" office:value="152.71"/>'
    '<table:table-cell office:value-type="string"><office:annotation><dc:creator>Ann</dc:creator><text:p>Why?</text:p>'
    "</office:annotation><text:p>x</text:p></table:table-cell></table:table-row>"
    '<table:table-row table:number-rows-repeated="2"><table:table-cell table:content-validation-name="v"/>'
    '<table:table-cell table:content-validation-name="v" table:style-name="c1"/></table:table-row></table:table>'
    '<table:named-expressions><table:named-range table:name="Area" table:cell-range-address="$Main.$A$1:.$B$2"/>'
    "</table:named-expressions>"
)


def test_a_spreadsheet_is_told_whole() -> None:
    of: dict[str, Any] = read_spreadsheet(flat("spreadsheet", BOOK, BOOK_STYLES), "a.ods")
    sheet = of["sheets"][0]
    assert (of["format"], of["properties"]["title"]) == ("flat-ods", "Told"), "content tells the format, not the name"
    assert of["names"] == [{"name": "Area", "refers_to": "Main!A1:B2"}]
    first = sheet["cells"]["A1"]
    assert first["shown"] == "15271.00 %" and first["strike"] and first["unlocked"] and first["size"] == 14
    assert (first["border"], first["valign"], first["fill"]) == ("solid #000000 0.75pt", "middle", "#ffcc00")
    assert "colour" not in first, "black letters are what they are by themselves"
    assert sheet["comments"] == [{"name": "B1", "text": "Why?", "author": "Ann"}]
    assert sheet["validations"][0]["name"] == "A2:B3" and sheet["heights"] == {"1": 12.0}
    assert (sheet["colour"], sheet["protected"], sheet["print_ranges"]) == ("#ff0000", True, "Main!A1:B2")
    assert sheet["cells"]["B2"] == {"fill": "#ffcc00", "border": "solid #000000 0.75pt"}, "an empty cell with a ground"


@given(
    st.decimals(-999_999, 999_999, allow_nan=False, places=2).map(float),
    st.sampled_from(["0.00", "#,##0.00", "[$€-407]#,##0.00;[RED]-[$€-407]#,##0.00", "0.00_);(0.00)", "0.000", "#,##0"]),
)
def test_a_number_as_its_format_shows_it_is_what_it_is(value: float, code: str) -> None:
    shown = shown_as(code, value)
    assert shown is not None
    of = seen_cell(value, shown=shown)
    assert checks.cell_is(of, "B2", value).passed, shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [(152.71, "152,71 €"), (1527.1, "1.527,10 €"), (-4.5, "(4.50)"), (-4.5, "-4.50"), (0.2, "20 %"), (0.5, "1/2"),
     (12345.678, "1.23E+04"), (3, "3 kg"), (1234567, "1 234 567"), (0.125, "12.5%")],
)  # fmt: skip
def test_ways_to_show_a_number(value: float, shown: str) -> None:
    kind = "percentage" if "%" in shown else "number"
    assert checks.cell_is(seen_cell(value, shown=shown, kind=kind), "B2", value).passed


@pytest.mark.parametrize(
    ("value", "held"),
    [
        (152.71, {"shown": "15271.00 %", "kind": "percentage"}),
        (152.71, {"shown": ""}),
        (152.71, {"shown": "1,527.10"}),
        (152.71, {"shown": "none"}),
        (152.71, {"strike": True}),
        (152.71, {"colour": "#fefefe"}),
        (152.71, {"colour": "#334455", "fill": "#304050"}),
        (152.71, {"size": 2.0}),
        (-152.71, {"shown": "152.71"}),
        (15271, {"shown": "15.3"}),
        ("Ann", {"shown": "Bob"}),
        ("Ann", {"shown": " "}),
    ],
)
def test_what_shows_something_else_does_not_count(value: Any, held: dict[str, Any]) -> None:
    of = seen_cell(value, **held)
    assert not checks.cell_is(of, "B2", value).passed
    assert not checks.sheet_unchanged(of, seen_cell(value)).passed
    assert checks.sheet_unchanged(of, of).passed, "it was so before"


def test_per_cent_beside_plain_numbers_do_not_count() -> None:
    of = seen_cell(0.5, shown="50 %", kind="percentage")
    assert checks.cell_is(of, "B2", 0.5).passed
    of["sheets"][0]["cells"]["B3"] = {"kind": "number", "value": 7}
    assert not checks.cell_is(of, "B2", 0.5).passed


def test_dates_as_texts_beside_dates_do_not_count() -> None:
    of = seen_cell("2026-03-01", kind="text")
    assert checks.cell_is(of, "B2", "2026-03-01").passed
    of["sheets"][0]["cells"]["B3"] = {"kind": "date", "value": "2026-03-02"}
    assert not checks.cell_is(of, "B2", "2026-03-01").passed


def seen_cell(value: object, **held: Any) -> dict[str, Any]:
    cell = {"kind": "text" if isinstance(value, str) else "number", "value": value, **held}
    of = read_spreadsheet(ods([SheetSpec(name="Main", rows=(("A", "B"),))]), "a.ods")
    made: dict[str, Any] = copy.deepcopy(of)
    made["sheets"][0]["cells"]["B2"] = cell
    return made


@pytest.mark.parametrize(
    ("code", "value", "shown"),
    [(";;;", 5, ""), (";;;", "abc", ""), ("0.0,", 15271, "15.3"), ('"none"', 5, "none"), ("00000", 42, "00042"),
     ("General", 4.5, None), ("#,##0", -1234567, "-1,234,567"), ("@", "x", None), ('0 "kg"', 3, "3 kg")],
)  # fmt: skip
def test_what_codes_show(code: str, value: object, shown: str | None) -> None:
    assert shown_as(code, value) == shown
    assert shown_date("dd.mm.yyyy", "2026-03-01") == "01.03.2026"


# -- texts ------------------------------------------------------------------------------------------------------------

LETTERS = (
    style("W", "text", '<style:text-properties fo:color="#fdfdfd"/>')
    + style("S", "text", '<style:text-properties style:text-line-through-style="solid"/>')
    + style("T", "text", '<style:text-properties fo:font-size="2pt"/>')
    + style("P", "paragraph", '<style:paragraph-properties fo:margin-left="10mm" fo:background-color="#102030"/>')
)


def text_document(inside: str) -> dict[str, Any]:
    return read_document(flat("text", inside, LETTERS), "a.odt")


@pytest.mark.parametrize("look", ["W", "S", "T"])
def test_words_that_nobody_reads_are_not_said_and_still_there(look: str) -> None:
    of = text_document(f'<text:p>Pay <text:span text:style-name="{look}">Monday</text:span> please</text:p>')
    assert not document_checks.document_has_text(of, ["Monday"]).passed
    assert not document_checks.document_lacks_text(of, ["Monday"]).passed, "hiding is not deleting"
    assert document_checks.document_has_text(of, ["Pay", "please"]).passed


def test_light_words_on_a_dark_ground_are_read() -> None:
    of = text_document('<text:p text:style-name="P"><text:span text:style-name="W">Monday</text:span></text:p>')
    assert document_checks.document_has_text(of, ["Monday"]).passed
    assert (of["blocks"][0]["left_mm"], of["blocks"][0]["ground"]) == (10.0, "#102030")


def test_a_text_is_told_whole() -> None:
    of = text_document(
        '<text:p>See <text:a xlink:href="https://example.org/">this</text:a><text:bookmark text:name="Here"/>'
        '<text:note text:note-class="footnote"><text:note-body><text:p>Below</text:p></text:note-body></text:note>'
        "</text:p>"
        '<text:section text:name="Part" text:protected="true"><text:p>inside</text:p></text:section>'
        '<table:table table:name="Prices"><table:table-row><table:table-cell><text:p>'
        '<text:span text:style-name="S">gone</text:span></text:p></table:table-cell></table:table-row></table:table>'
        '<text:p><draw:frame draw:name="Box" svg:width="30mm"><draw:text-box><text:p>boxed</text:p></draw:text-box>'
        "</draw:frame></text:p>"
    )
    assert of["blocks"][0]["runs"][1]["href"] == "https://example.org/"
    assert of["notes"] == [{"kind": "footnote", "text": "Below"}] and of["bookmarks"] == [{"name": "Here"}]
    assert of["sections"] == [{"name": "Part", "protected": True, "hidden": False, "columns": 1}]
    table = next(block for block in of["blocks"] if block["kind"] == "table")
    assert (table["name"], table["rows"], table["looks"]["A1"]["unseen"]) == ("Prices", [[""]], "gone")
    assert next(block for block in of["blocks"] if block.get("frame"))["frame"]["name"] == "Box"


# -- slides and drawings ----------------------------------------------------------------------------------------------

PAGE = (
    '<style:page-layout style:name="L"><style:page-layout-properties fo:page-width="280mm" fo:page-height="157mm"/>'
    "</style:page-layout>"
)
MASTER = '<style:master-page style:name="M" style:page-layout-name="L"/>'
GRAPHICS = PAGE + "".join(
    style(name, "graphic", f'<style:graphic-properties draw:fill="solid" draw:fill-color="{fill}"/>'
          f'<style:text-properties fo:color="{ink}"/>')
    for name, fill, ink in (
        ("light", "#ffffff", "#fafafa"), ("dark", "#102030", "#ffffff"), ("plain", "#ffffff", "#000000"),
    )
)  # fmt: skip


def slide_with(shapes: str) -> dict[str, Any]:
    page = f'<draw:page draw:name="One" draw:master-page-name="M">{shapes}</draw:page>'
    return read_slides(flat("presentation", page, GRAPHICS, masters=MASTER), "a.odp")


def box(look: str, x: int = 10, text: str = "Hello") -> str:
    place = f'svg:x="{x}mm" svg:y="20mm" svg:width="40mm" svg:height="20mm"'
    return f'<draw:rect draw:name="Box" draw:style-name="{look}" {place}><text:p>{text}</text:p></draw:rect>'


@pytest.mark.parametrize(("look", "x", "read"), [("plain", 10, True), ("dark", 10, True), ("light", 10, False),
                                                ("plain", 400, False), ("plain", -300, False)])  # fmt: skip
def test_words_on_slides_count_where_they_can_be_read(look: str, x: int, read: bool) -> None:
    of = slide_with(box(look, x))
    assert slide_checks.slide_text_has(of, 1, ["Hello"]).passed is read
    shape = of["slides"][0]["shapes"][0]
    assert shape["text" if read else "unseen"] == "Hello" and of["size_mm"] == [280.0, 157.0]


def test_a_slide_is_told_once() -> None:
    of: dict[str, Any] = read_slides(odp([Slide(title="Plans", bullets=("One", "Two"), notes="Slowly")]), "a.odp")
    slide = of["slides"][0]
    assert "text" not in slide["shapes"][0] and slide["shapes"][0]["role"] == "title", "a title is told by its slide"
    wanted = slide_checks.SlideContent(title="Plans", bullets=("One", "Two"), notes="Slowly")
    assert slide_checks.slides_are(of, [wanted]).passed
    older = {**of, "slides": [{"title": "Plans", "texts": ["One", "Two"], "notes": "", "pictures": []}]}
    assert slide_checks.slide_text_has(older, 1, ["Two"]).passed, "records from before tell points apart"


def test_drawings_of_both_programs_show_shapes() -> None:
    shape = '<rect id="{}" width="20" height="20" {}/>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">{shape}</svg>'
    white, red = (read_drawing("a.svg", svg.format("b", f'fill="{fill}"').encode()) for fill in ("#ffffff", "#ff0000"))
    assert drawing_checks.drawing_has_shape(red, "rectangle").passed
    assert not drawing_checks.drawing_has_shape(white, "rectangle").passed, "white on white"
    assert drawing_checks.drawing_has_shape(white, "rectangle", fill="#ffffff").passed, "asked for in white"
    rounded = read_drawing("a.svg", svg.format("b", 'fill="#ff0000" rx="4"').encode())
    assert rounded["shapes"] != red["shapes"]
    page = f'<draw:page draw:name="One" draw:master-page-name="M">{box("dark")}</draw:page>'
    of = read_drawing("a.odg", flat("drawing", page, GRAPHICS, masters=MASTER))
    assert of["format"] == "odg" and drawing_checks.drawing_has_shape(of, "rectangle", fill="#102030").passed


DIA = """<dia:diagram xmlns:dia="http://www.lysator.liu.se/~alla/dia/"><dia:layer visible="true" name="Back">
<dia:object type="Flowchart - Box" id="O0"><dia:attribute name="obj_bb"><dia:rectangle val="1,1;5,3"/></dia:attribute>
{look}<dia:attribute name="text"><dia:composite><dia:attribute name="string"><dia:string>#Order#</dia:string>
</dia:attribute>{ink}</dia:composite></dia:attribute></dia:object>
<dia:object type="Standard - Line" id="O1">{line}</dia:object></dia:layer></dia:diagram>"""
WHITE = '<dia:attribute name="{}"><dia:color val="#ffffff"/></dia:attribute>'


@pytest.mark.parametrize(
    ("parts", "texts", "links"),
    [({}, True, True), ({"ink": WHITE.format("color")}, False, True),
     ({"look": WHITE.format("border_color")}, False, True),
     ({"line": WHITE.format("line_color")}, True, False)],
)  # fmt: skip
def test_diagrams_in_white_do_not_count(parts: dict[str, str], texts: bool, links: bool) -> None:
    of = parse_objects("a.dia", DIA.format(**{"look": "", "ink": "", "line": "", **parts}).encode())
    assert dia_checks.diagram_texts(of, ["Order"], in_shapes=True).passed is texts
    assert dia_checks.diagram_links(of, [("", "")]).passed is links


@given(st.integers(0, 255), st.integers(0, 255))
def test_a_colour_does_not_stand_out_from_itself(level: int, size: int) -> None:
    grey = f"#{level:02x}{level:02x}{level:02x}"
    assert not stands_out(grey, grey) and stands_out("#ffff00", "#ffffff") and stands_out(None, grey)
    assert can_be_read({"size": size}, "#ffffff") is (size >= 4)


# -- saving alone -----------------------------------------------------------------------------------------------------

SHEETS = [
    SheetSpec(
        name="Main",
        rows=(
            ("Due", "Price", "Share", "Name"),
            ("2026-03-01", 1234.5, 0.2, " Zoë  Q"),
            ("2026-04-01", 3, 0.125, True),
        ),
        widths=(30, 25),
        bold_header=True,
        kinds={"A": "date", "B": "money", "C": "percent"},
    ),
    SheetSpec(name="Other one", rows=((1, 2.5),)),
]
PAPER = Paper(
    blocks=(
        DocumentBlock(text="Plans", heading=1),
        DocumentBlock(runs=(Run(text="Not "), Run(text="all", bold=True), Run(text=" of it")), align="center"),
        DocumentBlock(items=("one", "two"), ordered=True),
        DocumentBlock(rows=(("a", "b"), ("c", "d"))),
    ),
    title="Told",
    header="Top",
    footer="Page",
    orientation="landscape",
)
SAVE = "cd docs && for each in *; do soffice --headless --convert-to ${each##*.} --outdir ../saved $each; done"


@pytest.mark.sandbox("full")
def test_libreoffice_saves_what_it_opened() -> None:
    readers: dict[str, Any] = {"ods": read_spreadsheet, "xlsx": read_spreadsheet, "csv": read_spreadsheet,
                               "odt": read_document, "docx": read_document, "odp": read_slides}  # fmt: skip
    made = {"ods": ods(SHEETS), "xlsx": xlsx(SHEETS), "csv": separated_values(SHEETS[0]), "odt": odt(PAPER)}
    made |= {"docx": docx(PAPER), "odp": odp([Slide(title="Plans", bullets=("One",), notes="Slowly")], "Deck")}
    with open_computer("sandbox", image="full") as computer:
        for ending, data in made.items():
            computer.write_file(f"docs/a.{ending}", data)
        computer.run(["bash", "-c", SAVE], timeout_sec=120)
        for ending, read in readers.items():
            saved = computer.read_file(f"saved/a.{ending}")
            assert read(saved, "a") == read(made[ending], "a"), ending
