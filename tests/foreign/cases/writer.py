"""Cases of LibreOffice Writer."""

from __future__ import annotations

from typing import Any

from docx.enum.text import WD_ALIGN_PARAGRAPH, WD_BREAK, WD_COLOR_INDEX, WD_TAB_ALIGNMENT
from docx.shared import Mm, Pt

from proctor.tasks.shelves import hand
from tests.foreign.case import Act, Case, case, moves, shell
from tests.foreign.documents import become, drop, letter, put_after, say
from tests.foreign.workshop import Workshop, configure_office

DESK = "/home/user/Desktop"


@case("osworld", "0a0faba3")
def words_left_and_right_by_tabs(shop: Workshop) -> Case:
    texts = ["Ask the library first for any book", "Send one mail with the whole list", "Wait for at least ten days"]

    def split(made: Any, words: int) -> None:
        for paragraph in made.paragraphs:
            every = paragraph.text.split()
            say(paragraph, f"{' '.join(every[:words])}\t{' '.join(every[words:])}")
            paragraph.paragraph_format.tab_stops.add_tab_stop(Mm(150), WD_TAB_ALIGNMENT.RIGHT)

    name = "04 CHIN9505 EBook Purchasing info 2021 Jan"
    return become(
        shop,
        f"{DESK}/{name}.docx",
        [f"{name}_Gold.docx"],
        lambda: letter(*texts),
        lambda made: split(made, 3),
        # Two words are not three.
        lambda made: split(made, 2),
    )


@case("osworld", "3ef2b351")
def heading_in_the_middle(shop: Workshop) -> Case:
    made = letter("Constitution of the Club", "Its members meet on Mondays.", "Its money is kept by the treasurer.")
    return Case(
        satisfied=moves(hand.press("ctrl+Home"), hand.press("ctrl+e")),
        # Without going to the heading.
        near_miss=moves(hand.press("ctrl+End"), hand.press("ctrl+e")),
        files={"Constitution_Template_With_Guidelines.docx": shop.office(made)},
    )


@case("osworld", "4bcb1253")
def text_as_pdf(shop: Workshop) -> Case:
    name = "View_Person_Organizational_Summary"
    made = shop.office(letter("Persons in this organisation", "Ada Lovelace, analyst", "Charles Babbage, engines"))
    export = "soffice --headless -env:UserInstallation=file:///tmp/own --convert-to pdf --outdir"
    return Case(
        satisfied=shell(f"{export} Desktop Desktop/{name}.docx"),
        # Renamed, and still a document.
        near_miss=shell(f"cp Desktop/{name}.docx Desktop/{name}.pdf"),
        files={f"{name}.docx": made, f"{name}.pdf": shop.office(made, f"{name}.docx", to="pdf")},
    )


@case("osworld", "6f81754e")
def each_train_once(shop: Workshop) -> Case:
    lines = [
        f"0{6 + at // 4}:{at * 7 % 60:02}:15, T{train:03}, S{at % 3}, {at % 2 + 1}"
        for at, train in enumerate([1, 2, 3, 1, 4, 2, 5, 1])
    ]

    def keep(made: Any, part: int) -> None:
        seen: set[str] = set()
        for paragraph in list(made.paragraphs):
            what = paragraph.text.split(", ")[part]
            if what in seen:
                drop(paragraph)
            seen.add(what)

    return become(
        shop,
        f"{DESK}/HK_train_record.docx",
        ["HK_train_record_Gold.docx"],
        lambda: letter(*lines),
        lambda made: keep(made, 1),
        # Each station once.
        lambda made: keep(made, 2),
    )


@case("osworld", "88fe4b2d")
@case("osmap", "88fe4b2d")
def sentences_apart(shop: Workshop) -> Case:
    first = ["Come in time.", "Read the text before.", "Bring a question of your own."]

    def apart(made: Any, empty: bool) -> None:
        paragraph = made.paragraphs[0]
        say(paragraph, first[0])
        for text in first[1:]:
            if empty:
                paragraph = put_after(paragraph, "")
            paragraph = put_after(paragraph, text)

    name = "CCCH9003_Tutorial_guidelines"
    return become(
        shop,
        f"{DESK}/{name}.docx",
        [f"{name}_Gold{end}.docx" for end in ("_1", "_2", "_3", "")],
        lambda: letter(" ".join(first), "The second paragraph stays. It has two sentences."),
        lambda made: apart(made, True),
        # New lines, but no empty ones.
        lambda made: apart(made, False),
    )


@case("osworld", "936321ce")
def commas_into_a_table(shop: Workshop) -> Case:
    rows = [["Sound", "Letters", "As in"], ["k", "c", "cat"], ["k", "ck", "duck"], ["f", "ph", "phone"]]

    def table(made: Any, columns: int) -> None:
        for paragraph in list(made.paragraphs)[1:]:
            drop(paragraph)
        new = made.add_table(len(rows), columns)
        for at, row in enumerate(rows):
            for place in range(columns):
                new.cell(at, place).text = row[place] if columns == 3 else ",".join(row)

    name = "Graphemes_Sound_Letter_Patterns"
    return become(
        shop,
        f"{DESK}/{name}.docx",
        [f"{name}_Gold.docx", f"{name}_Gold_2.docx"],
        lambda: letter("Sounds and letters", *(",".join(row) for row in rows)),
        lambda made: table(made, 3),
        # A table, but not taken apart at the commas.
        lambda made: table(made, 1),
    )


@case("osworld", "adf5e2c3")
@case("osmap", "adf5e2c3")
def a_reference_more(shop: Workshop) -> Case:
    reference = (
        "Steinberg, F. M., Bearden, M. M., & Keen, C. L. (2003). Cocoa and chocolate flavonoids: Implications for "
        "cardiovascular health. Journal of the American Dietetic Association, 103(2), 215-223. doi: "
        "10.1053/jada.2003.50028"
    )
    texts = ["Chocolate", "It is old [1].", "It is liked [2].", "It may be healthy <add here>.", "References"]

    def refer(made: Any, mark: str) -> None:
        say(made.paragraphs[3], f"It may be healthy {mark}.")
        put_after(made.paragraphs[-1], f"[3] {reference}")

    return become(
        shop,
        f"{DESK}/Essay_Writing_English_for_uni.docx",
        ["Essay_Writing_English_for_uni_Gold.docx"],
        lambda: letter(*texts, "[1] Coe, S. D. (1996). The true history.", "[2] Young, A. M. (2007). The tree."),
        lambda made: refer(made, "[3]"),
        lambda made: refer(made, "<add here>"),
    )


@case("osworld", "b21acd93")
@case("osmap", "b21acd93")
def lines_single_double_and_between(shop: Workshop) -> Case:
    texts = [f"{part}. " + "Some words that make more than a line of text on any page of paper. " * 3 for part in "ABC"]

    def space(made: Any, *factors: float) -> None:
        for paragraph, factor in zip(made.paragraphs, factors, strict=True):
            paragraph.paragraph_format.line_spacing = factor

    return become(
        shop,
        f"{DESK}/CCHU9045_Course_Outline_2019-20.docx",
        ["CCHU9045_Course_Outline_2019-20_Gold.docx"],
        lambda: letter(*texts),
        lambda made: space(made, 1.0, 2.0, 1.5),
        lambda made: space(made, 1.0, 1.5, 2.0),
    )


@case("osworld", "d53ff5ee")
@case("osmap", "d53ff5ee")
def no_capitals(shop: Workshop) -> Case:
    texts = ["PRESENTATION of Your Work", "Speak for TEN minutes.", "Ms Wong will ask ONE question."]

    def lower(made: Any, whole: bool) -> None:
        for paragraph in made.paragraphs:
            words = paragraph.text.split(" ")
            say(paragraph, " ".join(word.lower() if whole or word.isupper() else word for word in words))

    name = "presentation_instruction_2023_Feb"
    return become(
        shop,
        f"{DESK}/{name}.docx",
        [f"{name}_Gold.docx"],
        lambda: letter(*texts),
        lambda made: lower(made, True),
        lambda made: lower(made, False),
    )


def _slanted() -> Any:
    made = letter()
    for words in (["We saw ", "Felis catus", " twice and "], ["there was ", "Canis lupus", " as well"]):
        paragraph = made.add_paragraph()
        for at, text in enumerate(words):
            run = paragraph.add_run(text)
            run.font.size = Pt(12)
            run.font.italic = at == 1
    return made


def _size(made: Any, paragraphs: int) -> None:
    for paragraph in made.paragraphs[:paragraphs]:
        for run in paragraph.runs:
            if run.font.italic:
                run.font.size = Pt(14)


@case("osworld", "e246f6d8")
def larger_italics(shop: Workshop) -> Case:
    return become(
        shop,
        f"{DESK}/Y22-2119-assign4.docx",
        ["Y22-2119-assign4_Gold.docx"],
        _slanted,
        lambda made: _size(made, 2),
        # The first one only.
        lambda made: _size(made, 1),
    )


@case("osworld", "e528b65e")
def each_word_with_a_capital(shop: Workshop) -> Case:
    def title(made: Any, whole: bool) -> None:
        for paragraph in made.paragraphs:
            text = paragraph.text
            say(paragraph, text.title() if whole else text[:1].upper() + text[1:])

    name = "Geography_And_Magical_Realism"
    return become(
        shop,
        f"{DESK}/{name}.docx",
        [f"{name}_Gold.docx"],
        lambda: letter("geography and magic", "rivers that run uphill", "towns that nobody finds twice"),
        lambda made: title(made, True),
        lambda made: title(made, False),
    )


@case("osworld", "ecc2413d")
def an_empty_page(shop: Workshop) -> Case:
    made = letter("Declaration", "I say that this is true.")
    for at in range(4):
        made.add_paragraph().add_run().add_break(WD_BREAK.PAGE)
        made.add_paragraph(f"Part {at + 1} of the declaration.")
    return Case(
        satisfied=moves(hand.press("ctrl+Home"), hand.press("ctrl+Next"), hand.press("ctrl+Return")),
        # Empty lines instead of a page.
        near_miss=moves(hand.press("ctrl+Home"), hand.press("End"), hand.press("Return", times=40)),
        files={"Sample_Statutory_Declaration.docx": shop.office(made)},
    )


@case("osmap", "41c621f7")
def remarks_in_yellow(shop: Workshop) -> Case:
    texts = ["Articles are long.", "#say why", "Read the end first.", "#good", "Then the rest."]

    def mark(made: Any, most: int) -> None:
        for paragraph in made.paragraphs:
            if paragraph.text.startswith("#"):
                say(paragraph, paragraph.text[1:])
                for run in paragraph.runs[: max(most, 0)]:
                    run.font.highlight_color = WD_COLOR_INDEX.YELLOW
                most -= 1

    name = "How_to_read_a_scientific_article"
    return become(
        shop,
        f"{DESK}/{name}.docx",
        [f"{name}_Gold.docx"],
        lambda: letter(*texts),
        lambda made: mark(made, 2),
        # The sign is gone from all of them, and only the first is yellow.
        lambda made: mark(made, 1),
    )


@case("osmap", "l3_readonly_file")
def heading_of_a_closed_file(shop: Workshop) -> Case:
    def align(made: Any, place: int) -> None:
        made.paragraphs[place].alignment = WD_ALIGN_PARAGRAPH.CENTER

    path = f"{DESK}/Constitution_Template_With_Guidelines.docx"
    return become(
        shop,
        path,
        [],
        lambda: letter("Constitution of the Club", "Its members meet on Mondays."),
        lambda made: align(made, 0),
        lambda made: align(made, 1),
    )


@case("osworld", "f178a4a9")
@case("osmap", "f178a4a9")
def another_usual_font(shop: Workshop) -> Case:
    def choose(of: str) -> Act:
        code = f"""Dim node(0) As New com.sun.star.beans.PropertyValue
node(0).Name = "nodepath"
node(0).Value = "/org.openoffice.Office.Writer/DefaultFont"
settings = createUnoService("com.sun.star.configuration.ConfigurationProvider")
writer = settings.createInstanceWithArguments("com.sun.star.configuration.ConfigurationUpdateAccess", node())
writer.{of} = "Times New Roman"
writer.commitChanges()"""
        return configure_office(code)

    name = "loa-one-time-submission-sealand.docx"
    # That of headings is another.
    return Case(choose("Standard"), choose("Heading"), {name: shop.office(letter("A letter of authority"))})
