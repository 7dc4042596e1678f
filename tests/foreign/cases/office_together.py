"""Cases of OS-MAP in which a document comes from elsewhere: from the web, a picture, another program."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
from typing import Any

from openpyxl.chart import BarChart, LineChart

from proctor.tasks.call import Call
from tests.foreign.acts import prepared
from tests.foreign.case import Act, Case, case, shell, then, write
from tests.foreign.cases.calc_charts import draw
from tests.foreign.documents import Rows, become, book, leave, letter, picture
from tests.foreign.workshop import Workshop

DESK = "/home/user/Desktop"


@case("osmap", "l3_file_passwd_sum")
def sums_on_a_sheet_of_their_own(shop: Workshop) -> Case:
    rows: Rows = [["Week", "Revenue", "Total Expenses"], *([at, 5400 + at * 211, 3800 + at * 97] for at in range(12))]

    def add(made: Any, formula: bool, last: int = 13) -> None:
        sheet = made.create_sheet("Sheet2")
        sheet.append(["Total Revenue", "Total Expenses"])
        held = [sum(row[at] for row in rows[1:last]) for at in (1, 2)]
        sheet.append([f"=SUM(Sheet1.{of}2:{of}{last})".replace(".", "!") for of in "BC"] if formula else held)

    return become(
        shop,
        f"{DESK}/NetIncome.xlsx",
        ["2_NetIncome_gt1.xlsx"],
        lambda: book(rows),
        lambda made: add(made, True),
        # Without the last week.
        lambda made: add(made, True, 12),
        gold=lambda made: add(made, False),
    )


@case("osmap", "65e62ec6")
def what_a_model_answered(shop: Workshop) -> Case:
    said = {
        "gpt-4": ["A prime has two divisors.", "Water boils at 100 degrees.", "I cannot know that."],
        "claude": ["Primes are rare.", "It depends on the height.", "Nobody knows."],
    }
    path = f"{DESK}/results.docx"
    right, wrong, gold = shop.office_all([letter(*said["gpt-4"]), letter(*said["claude"]), letter(*said["gpt-4"])])
    return Case(
        satisfied=leave(path, right),
        # Another one's.
        near_miss=leave(path, wrong),
        files={"answers.json": json.dumps(said, indent=1).encode(), "results_Gold.docx": gold},
        one_sitting=True,
    )


@case("osmap", "d1acdb87")
def tables_to_book(shop: Workshop) -> Case:
    names = ["Sing Heung Yuen", "Ho Lee Fook", "Tim Ho Wan", "Tosca", "Kau Kee"]
    streets = ["2 Mee Lun St", "1 Elgin St", "9 Fuk Wing St", "1 Austin Road West", "21 Gough St"]
    rows: Rows = [["Restaurant", "Address", "Phone", "Website"], *([name, None, None, None] for name in names)]

    def fill(made: Any, mark: str, road: str, missing: int = 0) -> None:
        for at, street in enumerate(streets[: len(streets) - missing], 2):
            told = (street.replace("St", road), f"{mark}852 2544 83{at}0", f"https://food{at}.example/")
            for of, held in zip("BCD", told, strict=True):
                made.active[f"{of}{at}"] = held

    return become(
        shop,
        f"{DESK}/MUST_VISIT.xlsx",
        ["MUST_VISIT-gt.xlsx"],
        lambda: book(rows),
        lambda made: fill(made, "+", "Street"),
        # The last one is left out.
        lambda made: fill(made, "+", "Street", missing=1),
        gold=lambda made: fill(made, "", "St"),
    ).with_files({"restaurants.txt": "\n".join(names).encode()})


@case("osmap", "da52d699")
def the_slowest_book(shop: Workshop) -> Case:
    books: Rows = [["Title", "Started", "Finished"], ["Emma", "2022-01-01", "2022-03-01"], ["Ulysses", "2022-02-01", 9]]
    made = become(
        shop,
        f"{DESK}/book_list_result.docx",
        ["book_list_result_Gold.docx"],
        letter,
        lambda made: made.add_paragraph("Emma"),
        lambda made: made.add_paragraph("Ulysses"),
    )
    return made.with_files({"2023_validation_Book_Reading_Rate.xlsx": shop.office(book(books))})


@case("osmap", "l3_geogra_probability")
def an_answer_under_its_question(shop: Workshop) -> Case:
    question = "X is normal with mean 4 and variance 9. What is the probability that X lies between 1 and 7?"
    return become(
        shop,
        f"{DESK}/problem.docx",
        ["problem_gt.docx"],
        lambda: letter(question),
        lambda made: made.add_paragraph("0.6827"),
        lambda made: made.add_paragraph("0.9545"),
    )


@case("osmap", "l4_NBA_stats")
def players_in_a_second_table(shop: Workshop) -> Case:
    scorers = [("Doncic", 33.9), ("Antetokounmpo", 30.4), ("Gilgeous", 30.1), ("Brunson", 28.7), ("Booker", 27.1)]
    rebounders = [("Sabonis", 13.7), ("Gobert", 12.9), ("Davis", 12.6), ("Jokic", 12.4), ("Antetokounmpo", 11.5)]

    def table(second: list[tuple[str, float]], kind: type[Any]) -> Any:
        made = book([["Player", "Points"], *map(list, scorers)], "Table1")
        draw(made.active, "Table1", BarChart, "Best of offence", ["B2:B6"], "A2:A6", "D2")
        sheet = made.create_sheet("Table2")
        sheet.append(["Player", "Rebounds"])
        for row in second:
            sheet.append(list(row))
        if second:
            draw(sheet, "Table2", kind, "Best of defence", ["B2:B6"], "A2:A6", "D2")
        return made

    right, wrong, gold = shop.office_all([table(rebounders, kind) for kind in (BarChart, LineChart, BarChart)])
    path = "/home/user/Documents/NBA/NBA23-24.xlsx"
    return Case(
        satisfied=leave(path, right),
        # A line and no bars.
        near_miss=leave(path, wrong),
        files={"NBA23-24.ods": shop.office(table([], BarChart), to="ods"), "NBA23-24_gt.xlsx": gold},
        one_sitting=True,
    )


@case("osmap", "e135df7c")
def a_table_as_a_page(shop: Workshop) -> Case:
    name = "annual-enterprise-survey-2021-financial-year-provisional"
    made = shop.office(book([["Year", "Industry", "Value"], *([2021, f"Industry {at}", at * 97.5] for at in range(9))]))
    # The page is called like the file.
    given = {f"{name}.xlsx": made}
    page = shop.run(f"soffice --headless --convert-to html {name}.xlsx", give=given, take=[f"{name}.html"])[0]
    sites = ["aclanthology.org", "openai.com", "www.linkedin.com/home"]
    copies = {f"{site}/index.html": f"<!doctype html><title>{site}</title>".encode() for site in sites}
    shown = prepared(Call("setup", "open_tabs", {"urls": [f"file://{DESK}/{name}.html"]}))
    convert = shell(
        f"soffice -env:UserInstallation=file:///tmp/own --convert-to html --outdir {DESK} {DESK}/{name}.xlsx"
    )
    return Case(
        satisfied=then(convert, shown),
        # Never looked at.
        near_miss=convert,
        files={**given, f"{name}_gold.html": page, **copies},
    )


@case("osmap", "42d25c08")
def a_novel_as_a_book(shop: Workshop) -> Case:
    chapters = {f"Chapter {at}": f"The train stood still. {'It snowed, and nobody spoke. ' * at}" for at in (1, 2, 3)}
    packed = tar({f"{name}.txt": text.encode() for name, text in chapters.items()})
    path = "/home/user/Documents/Novels/Pass Through/Pass Through.epub"
    fewer = dict(list(chapters.items())[:2])
    return Case(
        satisfied=write(path, epub(chapters, zipfile.ZIP_DEFLATED)),
        # The last chapter is missing.
        near_miss=write(path, epub(fewer, zipfile.ZIP_DEFLATED)),
        files={
            ".pass-through.tar.xz": packed,
            ".old-chapters.tar.xz": packed,
            ".projects.tar.xz": packed,
            "Pass Through Gold.epub": epub(chapters, zipfile.ZIP_STORED),
            "github.com/potatoeggy/noveldown/index.html": b"<title>noveldown</title>",
            "github.com/kevinboone/txt2epub/index.html": b"<title>txt2epub</title>",
        },
        rest={".pdf": shop.office(letter("An invoice"), to="pdf"), ".xlsx": shop.office(book([["Sum"], [3]]))},
        one_sitting=True,
        most=0.8,
    )


def tar(files: dict[str, bytes]) -> bytes:
    """Return files as an archive."""
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w:xz") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return held.getvalue()


_CONTAINER = """<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"""
_OPF = """<package xmlns="http://www.idpf.org/2007/opf" version="2.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Pass Through</dc:title><dc:identifier id="id">pass
</dc:identifier><dc:language>en</dc:language></metadata>
<manifest><item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>{items}</manifest>
<spine toc="ncx">{order}</spine></package>"""
_ITEM = '<item id="c{at}" href="{name}" media-type="application/xhtml+xml"/>'


def epub(chapters: dict[str, str], packing: int) -> bytes:
    """Return chapters as an e-book."""
    pages = {
        f"{at}.xhtml": f"<html><body><h1>{name}</h1><p>{text}</p></body></html>"
        for at, (name, text) in enumerate(chapters.items())
    }
    points = "".join(f"<navPoint><text>{name}</text></navPoint>" for name in chapters)
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", packing) as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr("META-INF/container.xml", _CONTAINER)
        items = "".join(_ITEM.format(at=at, name=name) for at, name in enumerate(pages))
        order = "".join(f'<itemref idref="c{at}"/>' for at in range(len(pages)))
        archive.writestr("content.opf", _OPF.format(items=items, order=order))
        archive.writestr("toc.ncx", f"<ncx><navMap>{points}</navMap></ncx>")
        for name, text in pages.items():
            archive.writestr(name, text)
    return held.getvalue()


@case("osmap", "l4_modify_screenshot_key_binding")
def a_shortcut_and_what_it_took(shop: Workshop) -> Case:
    taken = picture("navy", (640, 360))
    keep = write("/home/user/Pictures/Screenshots/print_preview.png", taken)

    def bind(keys: str) -> Act:
        return shell(f"gsettings set org.gnome.shell.keybindings show-screenshot-ui \"['{keys}']\"")

    return Case(
        satisfied=then(bind("<Primary><Alt>a"), keep),
        near_miss=then(bind("<Primary>a"), keep),
        files={"Dublin_Zoo_Intro.docx": shop.office(letter("Dublin Zoo", "It is old.")), "print_preview_gt.png": taken},
        one_sitting=True,
    )
