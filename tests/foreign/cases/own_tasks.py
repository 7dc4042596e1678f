"""Cases of the tasks that lie in `own`, which are here on every machine."""

from __future__ import annotations

from typing import Any

from docx.enum.text import WD_COLOR_INDEX

from proctor.suites.parts.calc import enter
from tests.foreign.case import Case, case, moves, shell, then
from tests.foreign.documents import Rows, become, book, deck, letter, runs_of
from tests.foreign.workshop import Workshop

PRICES: Rows = [["what", "price"], ["bread", 4.2], ["cheese", 7.35], ["apples", 3], ["juice", 5.1], ["cups", 2.25]]


@case("own", "own-sum-of-prices")
def sum_of_prices(shop: Workshop) -> Case:
    def add(made: Any, *row: Any) -> None:
        made.active["A7"], made.active["B7"] = row

    made = become(
        shop,
        "picnic.xlsx",
        ["picnic_gold.xlsx"],
        lambda: book(PRICES),
        lambda made: add(made, "All", "=SUM(B2:B6)"),
        lambda made: add(made, "All", "=SUM(B2:B5)"),
        gold=lambda made: add(made, "All", 21.9),
    )
    # Typed and not saved, which is done in the end.
    return Case(moves(*enter("A7", "All"), *enter("B7", "=SUM(B2:B6)")), made.near_miss, made.files)


@case("own", "own-no-more-yellow")
def no_more_yellow(shop: Workshop) -> Case:
    def start() -> Any:
        made = letter()
        for words in (["It was ", "a dark", " night."], ["Nobody ", "was", " out."]):
            paragraph = made.add_paragraph()
            for at, text in enumerate(words):
                paragraph.add_run(text).font.highlight_color = WD_COLOR_INDEX.YELLOW if at == 1 else None
        return made

    def clear(made: Any, last: int) -> None:
        for paragraph in made.paragraphs[:last]:
            for run in paragraph.runs:
                run.font.highlight_color = None

    return become(
        shop,
        "/home/user/Desktop/story.docx",
        ["story_gold.docx"],
        start,
        lambda made: clear(made, 2),
        # One is left.
        lambda made: clear(made, 1),
    )


@case("own", "own-title-in-italics")
def title_in_italics(shop: Workshop) -> Case:
    def slant(made: Any, number: int) -> None:
        for run in runs_of(made.slides[number - 1].shapes.title):
            run.font.italic = True

    return become(
        shop,
        "/home/user/Desktop/garden.pptx",
        ["garden_gold.pptx"],
        lambda: deck(("Spring", "Sow"), ("Summer", "Water"), ("Autumn", "Reap")),
        lambda made: slant(made, 2),
        lambda made: slant(made, 3),
    )


@case("own", "own-list-as-csv")
def list_as_csv(shop: Workshop) -> Case:
    guests: Rows = [["Name", "Table"], ["Ines", 2], ["Marc, junior", 1]]
    convert = "cd Documents; soffice --headless -env:UserInstallation=file:///tmp/own --convert-to csv guests.xlsx"
    return Case(
        satisfied=shell(convert),
        # With tabs, as it is copied from a window.
        near_miss=then(shell(convert), shell("cd Documents; tr , '\\t' < guests.csv > t; mv t guests.csv")),
        files={"guests.xlsx": shop.office(book(guests)), "guests_gold.csv": b'Name,Table\nInes,2\n"Marc, junior",1\n'},
    )
