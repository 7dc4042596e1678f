"""Cases of several applications, mainly those of LibreOffice."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import av
from docx.enum.text import WD_COLOR_INDEX
from PIL import Image

from proctor.actions.action import Fail
from proctor.tasks.shelves import hand
from tests.foreign.case import Case, case, moves, shell, then, write
from tests.foreign.documents import Rows, become, book, deck, leave, letter, picture, put_after, say
from tests.foreign.workshop import Workshop, open_again

DESK = "/home/user/Desktop"
CITIES = [
    "Scottsdale", "Atlanta", "Lake Tahoe", "Banff", "Beijing", "Montreal", "San Diego", "Lille", "Montreal", "San Juan",
    "New York", "Barcelona", "Toulon", "Sydney", "Long Beach", "Vancouver", "Stockholm", "Montreal", "New Orleans",
    "Long Beach", "Vancouver",
]  # fmt: skip


@case("osworld", "00fa164e")
def results_into_a_report(shop: Workshop) -> Case:
    results: Rows = [["Model", "Office", "Daily"], ["GPT-3.5", 4.2, 5.1], ["GPT-4", 8.6, 12.3], ["Gemini", 3.3, 4]]

    def insert(made: Any, *rows: list[Any]) -> None:
        table = made.add_table(len(rows), 3)
        for at, row in enumerate(rows):
            for place, held in enumerate(row):
                table.cell(at, place).text = str(held)

    made = become(
        shop,
        "/home/user/Documents/awesome-desktop/awe_desk_env.docx",
        ["awe_desk_env_gt.docx"],
        lambda: letter("Awesome desktops", "Main Results", "GPT-4 is tried on them."),
        lambda made: insert(made, results[0], results[2]),
        # Without its heading.
        lambda made: insert(made, results[2]),
    )
    return Case(
        made.satisfied, made.near_miss, {**made.files, "results.xlsx": shop.office(book(results))}, one_sitting=True
    )


@case("osworld", "1f18aa87")
def answers_in_the_same_form(shop: Workshop) -> Case:
    tests = [letter(f"Grammar test {at}", "1. She (a) go (b) goes", "2. They (a) sing (b) sings") for at in (1, 2, 3)]
    saved = shop.office_all(tests)

    def answer(made: Any, *letters: str) -> None:
        last = made.paragraphs[-1]
        for number, held in enumerate(letters, 2):
            last = put_after(last, f"Grammar test {number}")
            for at, each in enumerate(held, 1):
                last = put_after(last, f"{at}. {each}")

    made = become(
        shop,
        f"{DESK}/Answer.docx",
        ["Answer_Gold.docx"],
        lambda: letter("Answers", "Grammar test 1", "1. b", "2. a"),
        lambda made: answer(made, "ba", "ba"),
        # The third test is not answered.
        lambda made: answer(made, "ba"),
    )
    names = ["Grammer test 1.docx", "Grammar test 2.docx", "Grammer test 3.docx"]
    files = {**made.files, **dict(zip(names, saved, strict=True))}
    return Case(made.satisfied, made.near_miss, files, spare(shop), one_sitting=True)


@case("osworld", "51f5801c")
def notes_of_slides_as_a_text(shop: Workshop) -> Case:
    notes = ["Greet everybody.", "Say where Emily lived.", "Read the poem aloud."]
    made = deck(("Dickinson", "1830"), ("House", "Amherst"), ("Poems", "1,800"))
    for slide, note in zip(made.slides, notes, strict=True):
        slide.notes_slide.notes_text_frame.text = note
    start, gold = shop.office(made), shop.office(letter(*notes))
    seen = [slide.notes_slide.notes_text_frame.text for slide in open_again(made, start).slides]
    texts = [shape.text_frame.text for slide in made.slides for shape in slide.shapes]
    right, wrong = shop.office_all([letter(*seen), letter(*texts)])
    return Case(
        satisfied=leave(f"{DESK}/notes.docx", right),
        # What stands on the slides.
        near_miss=leave(f"{DESK}/notes.docx", wrong),
        files={"Dickinson_Slides.pptx": start, "notes_gold.docx": gold},
        one_sitting=True,
    )


@case("osworld", "5bc63fb9")
def what_one_model_said(shop: Workshop) -> Case:
    said = {
        "gemini": ["The Iliad is a poem of war.", "Homer may have sung the Iliad.", "I do not know."],
        "gpt": ["An epic is long.", "The Iliad has 24 books.", "Troy was found."],
    }

    def text(*lines: str) -> Any:
        made = letter()
        for line in lines:
            paragraph = made.add_paragraph()
            for at, part in enumerate(line.split("Iliad")):
                if at:
                    paragraph.add_run("Iliad").font.highlight_color = WD_COLOR_INDEX.YELLOW
                paragraph.add_run(part)
            made.add_paragraph()
        return made

    path = f"{DESK}/gemini_results.docx"
    right, wrong, gold = shop.office_all([text(*said["gemini"]), text(*said["gemini"][:2]), text(*said["gemini"])])
    return Case(
        satisfied=leave(path, right),
        # Those alone in which the word stands.
        near_miss=leave(path, wrong),
        files={"LLM results.json": json.dumps(said, indent=1).encode(), "gemini_results_Gold.docx": gold},
        one_sitting=True,
    )


@case("osworld", "6f4073b8")
def cities_of_conferences(shop: Workshop) -> Case:
    names = [(name, year) for year in range(2013, 2020) for name in ("ICLR", "ICML", "NeurIPS")]
    rows: Rows = [["Name", "Year", "City"], *([name, year, None] for name, year in names)]

    def fill(made: Any, cities: list[str]) -> None:
        for at, city in enumerate(cities, 2):
            made.active[f"C{at}"] = city

    return become(
        shop,
        f"{DESK}/ConferenceCity.xlsx",
        ["ConferenceCity Gold.xlsx"],
        lambda: book(rows),
        lambda made: fill(made, CITIES),
        # The last one is where it was the year before.
        lambda made: fill(made, [*CITIES[:-1], "Montreal"]),
        given="Conference.xlsx",
    )


@case("osworld", "7e287123")
def a_table_of_success(shop: Workshop) -> Case:
    years = [(2019, 40, 15), (2020, 44, 17), (2021, 39, 18), (2022, 51, 20), (2023, 60, 21)]
    heads = ["Year", "#Applied", "#Supported", "Success Rate"]

    def table(form: str) -> Any:
        made = book([heads, *([year, asked, given, given / asked] for year, asked, given in years)])
        for at in range(2, 7):
            made.active[f"D{at}"].number_format = form
        return made

    told = "\n".join([",".join(heads), *(f"{y},{a},{g},{g / a:.2%}" for y, a, g in years)]) + "\n"
    right, wrong = shop.office_all([table("0.00%"), table("0%")])
    path = f"{DESK}/GRF-p5y.xlsx"
    return Case(
        satisfied=write(path, right),
        # Without decimals.
        near_miss=write(path, wrong),
        files={"GRF-p5y.bak.xlsx": right, "GRF-p5y.bak-Sheet1.csv": told.encode()},
        rest=spare(shop),
        one_sitting=True,
    )


@case("osworld", "8df7e444")
def an_essay_handed_in(shop: Workshop) -> Case:
    name = "Recruitment_and_retention_of_health_professionals_across_Europe"
    essay, told = shop.office_all(
        [letter("Nurses in Europe", "They are too few."), letter("Hand in one zip", "essay_submission.zip, with a PDF")]
    )
    printed = shop.office(essay, f"{name}.docx", "pdf")
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr(f"{name}.pdf", printed)
    pack = 'python3 -c \'import sys, zipfile; zipfile.ZipFile("essay_submission.zip", "w").write(sys.argv[1])\''
    convert = "soffice --headless -env:UserInstallation=file:///tmp/own --convert-to pdf"
    return Case(
        satisfied=then(write(f"/home/user/{name}.pdf", printed), shell(f"{pack} {name}.pdf")),
        # The document itself.
        near_miss=shell(f"{convert} {name}.docx; {pack} {name}.docx"),
        files={f"{name}.docx": essay, "reminder.docx": told, f"{name}.zip": held.getvalue()},
    )


@case("osworld", "bc2b57f3")
def sheets_in_order(shop: Workshop) -> Case:
    names = ["Orders", "Returns", "Prices", "Staff", "Stores", "Stock", "Notes", "Plan"]

    def start() -> Any:
        made = book([["Orders"], [1]], "Orders")
        for name in names[1:]:
            made.create_sheet(name).append([name])
        return made

    def order(made: Any, whole: bool) -> None:
        made.move_sheet("Plan", -7)
        if whole:
            made["Orders"]["A3"] = "sorted"

    made = become(
        shop,
        f"{DESK}/workbook-with-sample-database.xlsx",
        ["workbook-with-sample-database_Gold.xlsx"],
        start,
        lambda made: order(made, True),
        lambda made: order(made, False),
    )
    reminder = shop.office(letter("Put the plan first.", "Write 'sorted' under the orders."))
    return Case(made.satisfied, made.near_miss, {**made.files, "reminder.docx": reminder}, one_sitting=True)


@case("osworld", "c7c1e4c3")
def addresses_of_professors(shop: Workshop) -> Case:
    rows: Rows = [["Name", "Homepage", "Email"], *([f"Prof {at}", f"https://u.example/{at}", None] for at in "ABC")]

    def fill(made: Any, ending: str) -> None:
        for at, who in enumerate("abc", 2):
            made.active[f"C{at}"] = f"{who}{ending}"

    return become(
        shop,
        f"{DESK}/Professor_Contact.xlsx",
        ["Professor_Contact_Gold.xlsx"],
        lambda: book(rows),
        lambda made: fill(made, "@u.example"),
        # As they are hidden from machines.
        lambda made: fill(made, " [at] u.example"),
    )


@case("osworld", "deec51c9")
def new_models_in_a_list(shop: Workshop) -> Case:
    papers = ["Mistral 7B", "Lemur: open models for agents", "LLaMA long", "MatFormer: nested transformers"]
    heads: Rows = [["Name", "Link", "Date"]]

    def fill(made: Any, titles: list[str]) -> None:
        for at, title in enumerate(titles):
            made.active.append([title, f"https://arxiv.example/abs/2310.0{at}", "2023-10-11"])

    return become(
        shop,
        f"{DESK}/New Large Language Models.xlsx",
        ["New Large Language Models Gold.xlsx"],
        lambda: book(heads),
        # Capitals of titles do not matter.
        lambda made: fill(made, [title.upper() for title in papers]),
        lambda made: fill(made, [*papers[:3], "Another paper of that day"]),
        gold=lambda made: fill(made, papers),
    )


@case("osworld", "2c1ebcd7")
def references_as_they_should_be(shop: Workshop) -> Case:
    good = [
        "Adams, R. (2001). Ships of the fleet. Harbour Press.",
        "Chen, L. (2010). Maps and winds. Journal of Seas, 12(3), 44-61.",
        "Zhou, Y. (1998). The seven voyages. River Books.",
    ]
    bad = ["R. Adams, Ships of the Fleet, Harbour Press 2001", "Chen 2010: maps & winds", "voyages, Zhou, 98"]

    def mend(made: Any, lines: list[str]) -> None:
        for paragraph, line in zip(made.paragraphs[-3:], lines, strict=True):
            say(paragraph, line)

    made = become(
        shop,
        f"{DESK}/students work/case study.docx",
        ["case study gold.docx"],
        lambda: letter("Case study", "A fleet sailed seven times.", "References", *bad),
        lambda made: mend(made, good),
        # Nothing but the year in brackets.
        lambda made: mend(made, [bad[0].replace("2001", "(2001)"), *bad[1:]]),
    )
    return Case(made.satisfied, made.near_miss, made.files, spare(shop), one_sitting=True)


def spare(shop: Workshop) -> dict[str, bytes]:
    """Return files that lie about, by their ending."""
    text = shop.office(letter("Something else"))
    return {".docx": text, ".pdf": shop.office(text, "one.docx", "pdf"), ".xlsx": shop.office(book([["other"]]))}


@case("osworld", "47f7c0ce")
def a_landscape_as_ground(shop: Workshop) -> Case:
    frame = picture("green", (320, 240))
    name = "Robotic_Workshop_Infographics"
    start = shop.office(deck(("Robots", "walk"), ("Arms", "lift"), ("Eyes", "see")))

    def ground(number: int) -> bytes:
        shop.computer.write_file("/home/user/ground.png", frame)
        code = f"""page = doc.DrawPages({number - 1})
ground = doc.createInstance("com.sun.star.drawing.Background")
ground.FillStyle = com.sun.star.drawing.FillStyle.BITMAP
ground.FillBitmapURL = "file:///home/user/ground.png"
ground.FillBitmapMode = com.sun.star.drawing.BitmapMode.STRETCH
page.Background = ground"""
        return shop.basic(start, code, f"{name}.pptx")

    return Case(
        satisfied=leave(f"{DESK}/{name}.pptx", ground(2)),
        near_miss=leave(f"{DESK}/{name}.pptx", ground(1)),
        files={f"{name}.pptx": start, "landscape.png": frame, "landscape.mp4": _film(frame)},
        one_sitting=True,
    )


def _film(frame: bytes) -> bytes:
    held = io.BytesIO()
    image = Image.open(io.BytesIO(frame)).convert("RGB")
    with av.open(held, "w", format="mp4") as file:
        stream = file.add_stream("mpeg4", rate=5)
        stream.width, stream.height, stream.pix_fmt = image.width, image.height, "yuv420p"
        for _ in range(50):
            file.mux(stream.encode(av.VideoFrame.from_image(image)))
        file.mux(stream.encode(None))
    return held.getvalue()


@case("osworld", "6d72aad6")
def a_film_that_impress_cannot_make(shop: Workshop) -> Case:
    give_up = Fail(reason="Impress exports no films.")
    return Case(satisfied=lambda context: context.say(give_up), near_miss=moves(hand.press("Escape")))


@case("osworld", "ee9a3c83")
def values_by_the_command_line(shop: Workshop) -> Case:
    name = "file_example_ODS_5000"
    made = shop.office(book([["First", "Age"], *([f"N{at}", at] for at in range(40))]), to="ods")
    told = "First,Age\n" + "".join(f"N{at},{at}\n" for at in range(40))
    path = f"{DESK}/{name}.csv"
    return Case(
        satisfied=moves(hand.type(f"soffice --convert-to csv {name}.ods\n"), hand.await_closed(path)),
        # Not by the command line.
        near_miss=write(path, told.encode()),
        files={f"{name}.ods": made, f"{name}.csv": told.encode()},
    )


@case("osmap", "l1_convert_csv")
def values_by_this_very_command(shop: Workshop) -> Case:
    name = "file_example_ODS_5000"
    made = shop.office(book([["First", "Age"], *([f"N{at}", at] for at in range(40))]), to="ods")
    told = "First,Age\n" + "".join(f"N{at},{at}\n" for at in range(40))
    order = f'libreoffice --headless --convert-to csv:"Text - txt - csv (StarCalc)":44,34,UTF8 {name}.ods'
    written = hand.await_closed(f"{DESK}/{name}.csv")
    return Case(
        satisfied=moves(hand.type(order), hand.press("Return"), written),
        # The same by a command of one's own.
        near_miss=moves(hand.type(f"soffice --convert-to csv {name}.ods"), hand.press("Return"), written),
        files={f"{name}.ods": made, f"{name}_gold.csv": told.encode()},
    )


@case("osmap", "l1_force_quit")
def a_program_that_is_ended(shop: Workshop) -> Case:
    gone = hand.await_window("15-MB-docx-file-download.docx", gone=True)
    order = "pkill -f soffice.bin"
    return Case(
        satisfied=moves(hand.type(order), hand.press("Return"), gone),
        # Typed, and not sent.
        near_miss=moves(hand.type(order)),
        files={"15-MB-docx-file-download.docx": shop.office(letter("A long text"))},
    )


@case("osworld", "337d318b")
def invoices_that_do_not_match(shop: Workshop) -> Case:
    bills = {"invoice TII-20220301-90": 300, "Invoice # GES-20220215-82": 82, "Invoice # 243729": 243}
    printed = shop.office_all([letter(name, f"To pay: {sum} dollars") for name, sum in bills.items()], to="pdf")
    made = {f"{name}.pdf": content for name, content in zip(bills, printed, strict=True)}
    bank = shop.office(book([["Date", "Sum"], ["1 March", 300], ["15 February", 82], ["2 April", 234]]), to="pdf")
    move = "mkdir -p Desktop/problematic; cd Desktop; mv '{}.pdf' problematic/"
    return Case(
        satisfied=shell(move.format("Invoice # 243729")),
        near_miss=shell(move.format("Invoice # GES-20220215-82")),
        files={**made, "Bank-Statement.pdf": bank},
    )
