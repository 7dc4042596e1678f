"""Checks of one document beside another: real files, one right, one nearly."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import docx
import openpyxl
import pytest
from docx.enum.text import WD_ALIGN_PARAGRAPH, WD_BREAK, WD_COLOR_INDEX
from docx.shared import Pt
from openpyxl.chart import BarChart, LineChart, Reference
from PIL import Image
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.text import PP_ALIGN
from pptx.util import Inches

from proctor.tasks.findings import Finding
from proctor.vocabulary.formats.documents import checks_of_twins as documents
from proctor.vocabulary.formats.documents.checks_of_pdf import like_pdf, pdf_length
from proctor.vocabulary.formats.documents.parse import read_document
from proctor.vocabulary.formats.rules import ValueRule
from proctor.vocabulary.formats.slides import checks_of_twins as slides
from proctor.vocabulary.formats.slides.checks import slide_comes_in
from proctor.vocabulary.formats.slides.checks_of_twins import Compared
from proctor.vocabulary.formats.slides.parse_as_written import slides_as_written
from proctor.vocabulary.formats.spreadsheets import checks_of_twins as sheets
from proctor.vocabulary.formats.spreadsheets.checks_of_twins import FuzzyRule
from proctor.vocabulary.formats.spreadsheets.parse import read_spreadsheet


def saved(thing: Any) -> bytes:
    held = io.BytesIO()
    thing.save(held)
    return held.getvalue()


def book(change: Callable[[Any], object] = lambda sheet: None) -> Any:
    made = openpyxl.Workbook()
    sheet = made.active
    sheet.title = "Sales"
    for row in (["Month", "Sum"], ["Jan", 10], ["Feb", 20.5], ["Mar", None]):
        sheet.append(row)
    change(sheet)
    return read_spreadsheet(saved(made), "book.xlsx")


def chart(kind: type, title: str, last: int = 3) -> Callable[[Any], object]:
    def put(sheet: Any) -> None:
        made = kind()
        made.title = title
        made.add_data(Reference(sheet, min_col=2, min_row=2, max_row=last))
        sheet.add_chart(made, "D2")

    return put


def put(cell: str, value: object) -> Callable[[Any], object]:
    return lambda sheet: sheet.__setitem__(cell, value)


def renamed(sheet: Any) -> None:
    sheet.title = "Other"


def frozen(sheet: Any) -> None:
    sheet.freeze_panes = "A2"


def filtered(sheet: Any) -> None:
    sheet.auto_filter.ref = "A1:B4"


FUZZY = [FuzzyRule(range=["A1:A2"], type="fuzzy_match", threshold=60, ignore_case=True)]
EXACT = [FuzzyRule(range=["A2:A3"], type="exact_match", normalization=[("January", "Jan")])]


@pytest.mark.parametrize(
    ("finding", "right"),
    [
        (sheets.same_cells(book(), book()), True),
        (sheets.same_cells(book(put("B3", 20.50000001)), book()), True),
        (sheets.same_cells(book(put("B3", 20.51)), book()), False),
        (sheets.same_cells(book(put("B3", 20.51)), book(), precision=1), True),
        (sheets.same_cells(book(put("B3", "20.5")), book()), False),
        (sheets.same_cells(book(put("D9", 1)), book()), False),
        (sheets.same_cells(book(), book(), sheet="Sales", beside=0), True),
        (sheets.same_cells(book(), book(), sheet="None"), False),
        (sheets.same_cells(book(), book(), sheet=3), False),
        (sheets.same_sheet_names(book(), book()), True),
        (sheets.same_sheet_names(book(renamed), book()), False),
        (sheets.like_cells(book(put("A2", "JANU")), book(), FUZZY), True),
        (sheets.like_cells(book(put("A2", "June")), book(), FUZZY), False),
        (sheets.like_cells(book(put("A2", "January")), book(), EXACT), True),
        (sheets.like_cells(book(put("A3", "feb")), book(), EXACT), False),
        (sheets.same_charts(book(chart(BarChart, "Total")), book(chart(BarChart, "Total")), ["type", "title"]), True),
        (sheets.same_charts(book(chart(LineChart, "Total")), book(chart(BarChart, "Total")), ["type"]), False),
        (sheets.same_charts(book(chart(BarChart, "Sum")), book(chart(BarChart, "Total")), ["title"]), False),
        (sheets.same_charts(book(chart(BarChart, "Sum")), book(chart(BarChart, "Total")), ["type"]), True),
        (sheets.same_charts(book(chart(BarChart, "Total", 4)), book(chart(BarChart, "Total"))), False),
        (sheets.same_charts(book(), book(chart(BarChart, "Total"))), False),
        (sheets.same_charts(book(), book()), False),
        (sheets.same_panes(book(frozen), book(frozen)), True),
        (sheets.same_panes(book(), book(frozen)), False),
        (sheets.same_filters(book(filtered), book(filtered)), True),
        (sheets.same_filters(book(), book(filtered)), False),
        (sheets.cell_agrees(book(), "B3", ValueRule(method="approx:0.01", ref=20.5)), True),
        (sheets.cell_agrees(book(), "B4", ValueRule(method="approx:0.01", ref=20.5)), False),
        (sheets.cell_agrees(book(), "B4", ValueRule(method="eq", ref=1), sheet=7), False),
    ],
)
def test_workbooks(finding: Finding, right: bool) -> None:
    assert finding.passed is right
    assert right or finding.feedback


def test_a_number_kept_as_text_is_named_as_such() -> None:
    [said] = sheets.same_cells(book(put("B3", "20.5")), book()).feedback
    assert said.endswith("is the text '20.5', expected the number '20.5'.")


def letter(*texts: str, change: Callable[[Any], object] = lambda made: None) -> Any:
    made = docx.Document()
    for text in texts:
        made.add_paragraph(text)
    change(made)
    return read_document(saved(made), "letter.docx")


def with_table(*rows: list[str]) -> Any:
    def add(made: Any) -> None:
        table = made.add_table(len(rows), len(rows[0]))
        for row, texts in enumerate(rows):
            for column, text in enumerate(texts):
                table.cell(row, column).text = text

    return letter("x", change=add)


def runs(**looks: Any) -> Callable[[Any], object]:
    def look(made: Any) -> None:
        run = made.add_paragraph().add_run("word")
        for name, value in looks.items():
            setattr(run.font, name, value)

    return look


def spaced(value: float) -> Callable[[Any], object]:
    return lambda made: setattr(made.paragraphs[0].paragraph_format, "line_spacing", value)


def centred(made: Any) -> None:
    made.paragraphs[0].alignment = WD_ALIGN_PARAGRAPH.CENTER


def struck(made: Any) -> None:
    for run in made.paragraphs[-1].runs:
        run.font.strike = True


def broken(made: Any) -> None:
    made.paragraphs[0].add_run().add_break(WD_BREAK.PAGE)
    made.add_paragraph("next page")


def picture(colour: str) -> Callable[[Any], object]:
    held = io.BytesIO()
    Image.new("RGB", (8, 8), colour).save(held, "PNG")
    return lambda made: made.add_picture(io.BytesIO(held.getvalue()))


def footer(text: str) -> Callable[[Any], object]:
    return lambda made: setattr(made.sections[0].footer.paragraphs[0], "text", text)


YELLOW = runs(highlight_color=WD_COLOR_INDEX.YELLOW)


@pytest.mark.parametrize(
    ("finding", "right"),
    [
        (documents.same_paragraphs(letter("a", "b"), letter("a", "b")), True),
        (documents.same_paragraphs(letter("a", "b", "c"), letter("a", "b")), False),
        (documents.same_paragraphs(letter("a  b"), letter("a b")), False),
        (documents.same_paragraphs(letter("a  b"), letter("a b"), blanks=False), True),
        (documents.same_paragraphs(letter("a", "", "b"), letter("a", "b")), False),
        (documents.same_paragraphs(letter("a", "", "b"), letter("a", "b"), empty=False), True),
        (documents.same_paragraphs(letter("A"), letter("a"), case=False), True),
        (documents.same_paragraphs(letter("b", "a"), letter("a", "b"), ordered=False), True),
        (documents.same_tables(with_table(["a", "1"]), with_table(["a", "1"])), True),
        (documents.same_tables(with_table(["a", "2"]), with_table(["a", "1"])), False),
        (documents.same_tables(letter("x"), with_table(["a", "1"])), False),
        (documents.same_line_spacing(letter("a", change=spaced(2.0)), letter("a", change=spaced(2.0))), True),
        (documents.same_line_spacing(letter("a", change=spaced(1.5)), letter("a", change=spaced(2.0))), False),
        (documents.same_pictures(letter("a", change=picture("red")), letter("a", change=picture("red"))), True),
        (documents.same_pictures(letter("a", change=picture("blue")), letter("a", change=picture("red"))), False),
        (documents.same_pictures(letter("a"), letter("a", change=picture("red"))), False),
        (documents.same_highlights(letter("a", change=YELLOW), letter("a", change=YELLOW)), True),
        (documents.same_highlights(letter("a"), letter("a", change=YELLOW)), False),
        (documents.nothing_highlighted(letter("a")), True),
        (documents.nothing_highlighted(letter("a", change=YELLOW)), False),
        (documents.font_throughout(letter(change=runs(name="Arial")), "Arial"), True),
        (documents.font_throughout(letter(change=runs(name="Arial")), "Times New Roman"), False),
        (documents.first_line_centred(letter("a", change=centred)), True),
        (documents.first_line_centred(letter("a")), False),
        (documents.page_breaks(letter("a", change=broken)), True),
        (documents.page_breaks(letter("a", change=broken), 2), False),
        (documents.page_breaks(letter("a")), False),
        (documents.pages_numbered(letter("a", change=footer("Page 1"))), True),
        (documents.pages_numbered(letter("a", change=footer("Page"))), False),
        (documents.italics_sized(letter(change=runs(italic=True, size=Pt(14))), 14), True),
        (documents.italics_sized(letter(change=runs(italic=True, size=Pt(12))), 14), False),
        (documents.italics_sized(letter("a"), 14), False),
        (documents.last_paragraph_struck(letter("a", "b", change=struck), letter("a", "b")), True),
        (documents.last_paragraph_struck(letter("a", "b"), letter("a", "b")), False),
        (documents.last_paragraph_struck(letter("a", "c", change=struck), letter("a", "b")), False),
        (pdf_length({"path": "a.pdf", "pages": ["x", "y"]}, least=2, most=2), True),
        (pdf_length({"path": "a.pdf", "pages": ["x"]}, least=2), False),
        (slide_comes_in({"path": "a", "slides": [{"transition": "dissolve"}]}, 1, "dissolve"), True),
        (slide_comes_in({"path": "a", "slides": [{"transition": ""}]}, 1, "dissolve"), False),
    ],
)
def test_documents(finding: Finding, right: bool) -> None:
    assert finding.passed is right
    assert right or finding.feedback


def test_shares_of_documents() -> None:
    assert documents.like_document(letter("abcd"), letter("abcd")).score == 1.0
    assert documents.like_document(letter("abcd"), letter("abxx")).score == pytest.approx(0.5)
    assert documents.like_document(letter("abcd"), letter("abxx"), base=0.5).score == 0.0
    assert documents.like_document(letter("abcd"), letter("abxx"), least=0.5).score == 1.0
    assert documents.like_document(letter("abcd"), letter("abxx"), least=0.6).score == 0.0
    listed = letter("Text", "References", "One", "Two")
    assert documents.like_document(listed, letter("Other", "References", "One", "Two"), after="References").score == 1.0
    assert not documents.like_document(letter("Text"), listed, after="References").passed
    told = {"path": "a.pdf", "pages": ["one two three four"]}
    assert like_pdf(told, told).score == 1.0
    assert like_pdf(told, {"path": "b.pdf", "pages": ["one two three five"]}).score == pytest.approx(0.75)


def deck(change: Callable[[Any, Any], object] = lambda made, box: None, text: str = "Hello") -> Any:
    made = Presentation()
    slide = made.slides.add_slide(made.slide_layouts[6])
    box = slide.shapes.add_textbox(Inches(1), Inches(1), Inches(3), Inches(1))
    box.text_frame.text = text
    change(slide, box)
    return slides_as_written(saved(made), "deck.pptx")


def first_run(**looks: Any) -> Callable[[Any, Any], object]:
    def look(slide: Any, box: Any) -> None:
        font = box.text_frame.paragraphs[0].runs[0].font
        for name, value in looks.items():
            setattr(font, name, value)

    return look


def red(slide: Any, box: Any) -> None:
    box.text_frame.paragraphs[0].runs[0].font.color.rgb = RGBColor(255, 0, 0)


def green_behind(slide: Any, box: Any) -> None:
    slide.background.fill.solid()
    slide.background.fill.fore_color.rgb = RGBColor(0, 255, 0)


def to_the_right(slide: Any, box: Any) -> None:
    box.text_frame.paragraphs[0].alignment = PP_ALIGN.RIGHT


def moved(slide: Any, box: Any) -> None:
    box.left = Inches(2)


def higher(slide: Any, box: Any) -> None:
    box.height = Inches(2)


def noted(slide: Any, box: Any) -> None:
    slide.notes_slide.notes_text_frame.text = "Slowly"


def another(slide: Any, box: Any) -> None:
    slide.shapes.add_textbox(0, 0, Inches(1), Inches(1))


def split_run(slide: Any, box: Any) -> None:
    paragraph = box.text_frame.paragraphs[0]
    paragraph.runs[0].text = "Hel"
    paragraph.add_run().text = "lo"


def whole_picture(slide: Any, box: Any) -> None:
    held = io.BytesIO()
    Image.new("RGB", (8, 6), "red").save(held, "PNG")
    slide.shapes.add_picture(io.BytesIO(held.getvalue()), 0, 0, Inches(10), Inches(7.5))


@pytest.mark.parametrize(
    ("finding", "right"),
    [
        (slides.same_slides(deck(), deck()), True),
        (slides.same_slides(deck(split_run), deck()), True),
        (slides.same_slides(deck(text="Hallo"), deck()), False),
        (slides.same_slides(deck(red), deck()), False),
        (slides.same_slides(deck(red), deck(), Compared(colour=False)), True),
        (slides.same_slides(deck(green_behind), deck()), False),
        (slides.same_slides(deck(green_behind), deck(), Compared(background=False)), True),
        (slides.same_slides(deck(to_the_right), deck()), False),
        (slides.same_slides(deck(to_the_right), deck(), Compared(align=False)), True),
        (slides.same_slides(deck(first_run(bold=True)), deck()), False),
        (slides.same_slides(deck(first_run(bold=False)), deck()), True),
        (slides.same_slides(deck(first_run(italic=True)), deck(), Compared(italic=False)), True),
        (slides.same_slides(deck(moved), deck()), False),
        (slides.same_slides(deck(moved), deck(), Compared(places=False)), True),
        (slides.same_slides(deck(higher), deck(), Compared(lenient_height=True)), True),
        (slides.same_slides(deck(noted), deck()), False),
        (slides.same_slides(deck(another), deck()), False),
        (slides.slides_upright(deck()), False),
        (slides.slides_upright({"path": "a", "size_mm": [100.0, 200.0]}), True),
        (slides.picture_fills_slide(deck(whole_picture)), True),
        (slides.picture_fills_slide(deck()), False),
        (slides.picture_fills_slide(deck(), 2), False),
    ],
)
def test_presentations(finding: Finding, right: bool) -> None:
    assert finding.passed is right
    assert right or finding.feedback
