"""Cases of AgentStudio: text documents; most tasks stand there twice, with the document open and without."""

from __future__ import annotations

from typing import Any

from docx.enum.text import WD_ALIGN_PARAGRAPH, WD_TAB_ALIGNMENT
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Mm, RGBColor

from tests.foreign.case import Case, case
from tests.foreign.documents import become, drop, leave, letter, say
from tests.foreign.workshop import Workshop

DOCS = "/home/user/agent_studio/docs"
NOVEL = [f"Rule {at}: send no more than {at} pages at a time." for at in range(1, 6)]


@case("agentstudio", "0283d41d")
@case("agentstudio", "45d61a06")
def lines_twice_as_far_apart(shop: Workshop) -> Case:
    def space(made: Any, lines: float) -> None:
        for paragraph in made.paragraphs:
            paragraph.paragraph_format.line_spacing = lines

    name = "NOVEL_Submission_Guidelines"
    return become(
        shop, f"{DOCS}/{name}.docx", [f"{name}_Gold.docx"], lambda: letter(*NOVEL),
        lambda made: space(made, 2.0), lambda made: space(made, 1.5),
    )  # fmt: skip


@case("agentstudio", "0889e861")
@case("agentstudio", "0810415c")
def two_paragraphs_twice_as_far_apart(shop: Workshop) -> Case:
    def space(made: Any, last: int) -> None:
        for paragraph in made.paragraphs[:last]:
            paragraph.paragraph_format.line_spacing = 2.0

    name = "Novels_Intro_Packet"
    return become(
        shop, f"{DOCS}/{name}.docx", [f"{name}_Gold.docx"], lambda: letter(*NOVEL),
        lambda made: space(made, 2), lambda made: space(made, 3),
    )  # fmt: skip


@case("agentstudio", "407f880e")
def an_empty_table(shop: Workshop) -> Case:
    def start() -> Any:
        made = letter("Work effort", "Fill in the table.")
        made.add_table(2, 2).cell(0, 0).text = "Hours"
        made.add_paragraph("The end")
        return made

    def table(made: Any, rows: int, columns: int) -> None:
        made.add_table(rows, columns)

    name = "Table_Of_Work_Effort_Instructions"
    return become(
        shop, f"{DOCS}/{name}.docx", [f"{name}_Gold.docx"], start,
        lambda made: table(made, 5, 7), lambda made: table(made, 7, 5),
    )  # fmt: skip


@case("agentstudio", "41127d23")
def results_in_a_table(shop: Workshop) -> Case:
    rows = [("Model", "Score"), ("Large", "36.6"), ("Small", "13.2")]

    def table(made: Any, rows: list[tuple[str, str]]) -> None:
        found = made.add_table(len(rows), 2)
        for at, row in enumerate(rows):
            for place, text in enumerate(row):
                found.cell(at, place).text = text

    made = become(
        shop, f"{DOCS}/awe_desk_env.docx", ["awe_desk_env_gt.docx"], lambda: letter("Report", "Main Results"),
        lambda made: table(made, rows), lambda made: table(made, [*rows[:2], ("Small", "23.2")]),
    )  # fmt: skip
    sheet = shop.office("\n".join(",".join(row) for row in rows).encode(), "a.csv", to="xlsx")
    return Case(made.satisfied, made.near_miss, {**made.files, "results.xlsx": sheet}, one_sitting=True)


@case("agentstudio", "57ed25e0")
def references_in_order(shop: Workshop) -> Case:
    right = [
        "Lovelace, A. (1843). Notes on the analytical engine. Scientific Memoirs, 3, 666-731.",
        "Turing, A. M. (1950). Computing machinery and intelligence. Mind, 59, 433-460.",
    ]
    wrong = [right[0], "Turing, Alan: Computing Machinery and Intelligence, in Mind 59 (1950)"]

    def cite(made: Any, lines: list[str]) -> None:
        for paragraph, text in zip(made.paragraphs[2:], lines, strict=True):
            say(paragraph, text)

    made = become(
        shop, f"{DOCS}/case_study/student_work/case_study.docx", ["case_study_gold.docx"],
        lambda: letter("A study of machines.", "References", *wrong),
        lambda made: cite(made, right),
        # The other one is spoilt as well.
        lambda made: cite(made, [wrong[1], wrong[1]]),
    )  # fmt: skip
    files = {name: content for name, content in made.files.items() if name == "case_study_gold.docx"}
    files["student_work/case_study.docx"] = made.files["case_study.docx"]
    return Case(made.satisfied, made.near_miss, files, one_sitting=True)


@case("agentstudio", "6ab04b64")
def answers_to_tests(shop: Workshop) -> Case:
    def fill(made: Any, *lines: str) -> None:
        for paragraph, text in zip(made.paragraphs[2:], lines, strict=True):
            say(paragraph, text)

    made = become(
        shop, f"{DOCS}/grammar_tests/Answer.docx", ["Answer_Gold.docx"],
        lambda: letter("Test 1", "1. A 2. C 3. B", "Test 2:", "Test 3:"),
        lambda made: fill(made, "Test 2: 1. B 2. B", "Test 3: 1. D 2. A"),
        lambda made: fill(made, "Test 2: 1. B 2. B", "Test 3: 1. D 2. C"),
    )  # fmt: skip
    tests = {f"Grammar test {at}.docx": made.files["Answer.docx"] for at in (1, 2, 3)}
    return Case(made.satisfied, made.near_miss, {**made.files, **tests}, one_sitting=True)


@case("agentstudio", "6bda9bed")
@case("agentstudio", "6f81754e")
def each_train_once(shop: Workshop) -> Case:
    lines = [f"0{6 + at}:15:00, T{train}, S{at % 3}, 1" for at, train in enumerate([1, 2, 3, 1, 4, 2, 5])]

    def keep(made: Any, part: int) -> None:
        seen: set[str] = set()
        for paragraph in list(made.paragraphs):
            what = paragraph.text.split(", ")[part]
            if what in seen:
                drop(paragraph)
            seen.add(what)

    return become(
        shop, f"{DOCS}/HK_train_record.docx", ["HK_train_record_Gold.docx"], lambda: letter(*lines),
        lambda made: keep(made, 1), lambda made: keep(made, 2),
    )  # fmt: skip


@case("agentstudio", "84723c8b")
@case("agentstudio", "3ef2b351")
def heading_in_the_middle(shop: Workshop) -> Case:
    def centre(made: Any, number: int) -> None:
        made.paragraphs[number].alignment = WD_ALIGN_PARAGRAPH.CENTER

    return become(
        shop, f"{DOCS}/Constitution_Template_With_Guidelines.docx", [],
        lambda: letter("Constitution of the Club", "Its members meet on Mondays."),
        lambda made: centre(made, 0), lambda made: centre(made, 1),
    )  # fmt: skip


@case("agentstudio", "cda93fda")
@case("agentstudio", "0b17a146")
def a_lowered_figure(shop: Workshop) -> Case:
    def lower(made: Any, what: str) -> None:
        paragraph = made.paragraphs[1]
        before, after = paragraph.text.split(what, 1)
        say(paragraph, before)
        paragraph.add_run(what).font.subscript = True
        paragraph.add_run(after)

    return become(
        shop, f"{DOCS}/H2O_Factsheet_WA.docx", ["H2O_Factsheet_WA_Gold.docx"],
        lambda: letter("Water", "Everybody knows H2O and drinks it."),
        lambda made: lower(made, "2"), lambda made: lower(made, "2O"),
    )  # fmt: skip


@case("agentstudio", "e21c631d")
@case("agentstudio", "0e763496")
def one_font_everywhere(shop: Workshop) -> Case:
    def change(made: Any, last: int) -> None:
        for paragraph in made.paragraphs[:last]:
            for run in paragraph.runs:
                run.font.name = "Times New Roman"

    return become(
        shop, f"{DOCS}/Dublin_Zoo_Intro.docx", [], lambda: letter("The zoo", "It has lions.", "It has seals."),
        lambda made: change(made, 3), lambda made: change(made, 2),
    )  # fmt: skip


@case("agentstudio", "f738a7da")
@case("agentstudio", "0a0faba3")
def words_left_and_right_by_tabs(shop: Workshop) -> Case:
    texts = ["Ask the library first for any book", "Send one mail with the whole list", "Wait for at least ten days"]

    def split(made: Any, words: int) -> None:
        for paragraph in made.paragraphs:
            every = paragraph.text.split()
            say(paragraph, f"{' '.join(every[:words])}\t{' '.join(every[words:])}")
            paragraph.paragraph_format.tab_stops.add_tab_stop(Mm(150), WD_TAB_ALIGNMENT.RIGHT)

    name = "04_CHIN9505_EBook_Purchasing_info_2021_Jan"
    return become(
        shop, f"{DOCS}/{name}.docx", [f"{name}_Gold.docx"], lambda: letter(*texts),
        lambda made: split(made, 3), lambda made: split(made, 2),
    )  # fmt: skip


@case("agentstudio", "fc5bb795")
def the_last_paragraph_struck_out(shop: Workshop) -> Case:
    def strike(made: Any, number: int) -> None:
        for run in made.paragraphs[number].runs:
            run.font.strike = True

    name = "GEOG2169_Course_Outline_2022-23"
    return become(
        shop, f"{DOCS}/{name}.docx", [f"{name}_Gold.docx"],
        lambda: letter("Outline", "Week 1: maps", "Bring a pencil."),
        lambda made: strike(made, -1), lambda made: strike(made, -2),
    )  # fmt: skip


@case("agentstudio", "0e47de2a")
def numbers_of_pages(shop: Workshop) -> Case:
    def number(made: Any, *parts: str) -> None:
        paragraph = made.sections[0].footer.paragraphs[0]
        for part in parts:
            run = paragraph.add_run()
            if part.startswith("PAGE"):
                for kind, text in (("begin", ""), ("", part), ("end", "")):
                    element = OxmlElement("w:fldChar" if kind else "w:instrText")
                    if kind:
                        element.set(qn("w:fldCharType"), kind)
                    else:
                        element.text = text
                    run._r.append(element)
            else:
                run.text = part

    return become(
        shop, f"{DOCS}/LibreOffice_Open_Source_Word_Processing.docx", [], lambda: letter("Office", "It is free."),
        lambda made: number(made, "PAGE"),
        # Written by hand, the same on every page.
        lambda made: number(made, "Page one"),
    )  # fmt: skip


@case("agentstudio", "6a33f9b9")
def no_words_in_yellow(shop: Workshop) -> Case:
    name = "sample-recruitment-phone-script"

    def script(first: str, second: str) -> bytes:
        text = f"<p>Hello, my name is <span{first}>Ada</span>.</p><p>Do you <span{second}>work</span> here?</p>"
        return shop.office(f"<html><body>{text}</body></html>".encode(), "a.html", to="odt:writerweb8_writer")

    yellow = ' style="background: #ffff00"'
    files = {f"{name}.odt": script(yellow, yellow), f"{name}_Gold.odt": script("", "")}
    path = f"{DOCS}/{name}.odt"
    return Case(leave(path, script("", "")), leave(path, script("", yellow)), files, one_sitting=True)


@case("agentstudio", "8472fece")
def red_vowels_and_blue_others(shop: Workshop) -> Case:
    words = ["all", "am", "are", "at", "be", "came", "do", "eat", "into", "on", "under", "yes"]

    def start() -> Any:
        made = letter("Words")
        table = made.add_table(4, 3)
        for at, word in enumerate(words):
            table.cell(at // 3, at % 3).paragraphs[0].add_run(word)
        return made

    def paint(made: Any, vowels: str) -> None:
        for row in made.tables[0].rows:
            for cell in row.cells:
                for run in cell.paragraphs[0].runs:
                    red = run.text[:1].lower() in vowels
                    run.font.color.rgb = RGBColor(255, 0, 0) if red else RGBColor(0, 0, 255)

    name = "Dolch_Sight_Words_Primer"
    return become(
        shop, f"{DOCS}/{name}.docx", [f"{name}_Gold.docx"], start,
        lambda made: paint(made, "aeiou"), lambda made: paint(made, "aeio"),
    )  # fmt: skip
