"""Expenses of a journey, handed in as the last ones were, with what has changed since."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass

from proctor.home import HOME
from proctor.suites.parts.calc import go_to, save, type_rows
from proctor.suites.parts.course import Course, Stretch
from proctor.suites.parts.desk import (
    WorldDesk,
    desk_of,
    find_letter,
    open_paper,
    send_to,
    sent_as_it_is,
    without_words,
)
from proctor.suites.parts.mail_by_code import attachment_saved, letter_posted
from proctor.suites.parts.programs import start_program
from proctor.suites.parts.sheets_by_code import cells_written
from proctor.suites.parts.thunderbird import save_attachment
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.events import Event, When
from proctor.tasks.person import Reply, User
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, Limits
from proctor.tasks.template import template
from proctor.vocabulary.formats.books.setup import pdf_bytes
from proctor.vocabulary.services.world.setup import PASSWORD

BOSS, OFFICE = "Lena Krey", "Halden Krey"
TOWNS = ("Montreval", "Hochwald", "Port Aurel")
HOTELS = ("Hotel Quay House", "Gasthof Mill", "Inn at the Weir", "Hotel Three Gates")
KITCHENS = ("Bistro Harbour", "Kitchen Lantern", "Inn Three Oaks", "Cafe Meridian", "Tavern Oak")
DISHES = ("Mushroom risotto", "Potato gratin", "Leek tart", "Pumpkin curry", "Bean stew")
DRINKS = ("Apple spritzer", "Pot of tea", "Mineral water")
LAST = "Documents/Trips/2026-02 Orlen/Expenses Orlen 2026-02.ods"
LAST_ROWS = ("Bistro Anchor", "Cafe Anchor", "Cafe Belfry", "Station Inn Orlen")
RAIL, HEADING = "Coastline Railways", "EUR"
Row = tuple[str, str, str, float, str]
"""A line of the table: day, where, what, how much, and the name of the receipt."""
CORRECTED = "Corrected invoice"


@dataclass(frozen=True)
class _Trip:
    """A journey and its papers."""

    town: str
    travel: tuple[Row, Row]
    meals: tuple[Row, Row]
    wine: Row
    """The meal as it may be claimed."""
    wine_price: float
    taxi: Row
    hotel: Row
    charged: float
    """What the hotel first asked for."""

    @property
    def folder(self) -> str:
        """Where its papers are."""
        return f"Documents/Trips/2026-03 {self.town}"

    @property
    def table(self) -> str:
        """Where the table is to be, by the habit of the last ones."""
        return f"{self.folder}/Expenses {self.town} 2026-03.ods"

    @property
    def rows(self) -> tuple[Row, ...]:
        """All lines in the order in which they are typed."""
        return (*self.travel, *self.meals, self.wine, self.taxi, self.hotel)

    def paper(self, name: str, *lines: str) -> Call:
        """Return the step that puts a paper into the folder."""
        sub = "" if name.startswith("Ticket") else "Receipts/"
        return make.pdf(f"{self.folder}/{sub}{name}", [[name.removesuffix(".pdf"), *lines]])

    def bill(self, number: str, *lines: str, total: float) -> bytes:
        """Return an invoice of the hotel."""
        head = (self.hotel[1], f"Invoice {number}", "Guest: Nora Feldt")
        return pdf_bytes([[*head, *lines, f"Total {total:.2f} EUR"]], {})


def _trip(draw: Draw) -> _Trip:
    town, hotel = draw.choice(TOWNS), draw.choice(HOTELS)
    inns, dishes = draw.some(KITCHENS, 3), draw.some(DISHES, 3)
    first, second = (f"{draw.choice('ABCDEFG')}{draw.randint(100, 999)}{draw.choice('KLMNP')}" for _ in range(2))

    def meal(place: int, day: str, time: str, drink: str) -> Row:
        return (day, inns[place], f"{dishes[place]}, {drink}".removesuffix(", "), draw.amount(11, 24),
                f"{day} {time} {inns[place]}.pdf")  # fmt: skip

    night = draw.amount(84, 119)
    return _Trip(
        town=town,
        travel=(
            ("2026-03-09", RAIL, f"Train Westerhaven - {town}", draw.amount(24, 60),
             f"Ticket Westerhaven {town} {first}.pdf"),
            ("2026-03-11", RAIL, f"Train {town} - Westerhaven", draw.amount(24, 60),
             f"Ticket {town} Westerhaven {second}.pdf"),
        ),
        meals=(
            meal(0, "2026-03-09", "1932", draw.choice(DRINKS)),
            meal(1, "2026-03-11", "1240", draw.choice(DRINKS)),
        ),
        wine=meal(2, "2026-03-10", "2010", ""),
        wine_price=draw.amount(5, 9),
        taxi=("2026-03-10", "Taxi", "Taxi to the site", draw.amount(12, 29), "none"),
        hotel=("2026-03-11", hotel, "2 nights", round(2 * night, 2), f"Hotel {hotel.removeprefix('Hotel ')}.pdf"),
        charged=round(2 * night + 2 * draw.amount(9, 16), 2),
    )  # fmt: skip


def _letters(desk: WorldDesk, trip: _Trip) -> list[dict[str, object]]:
    boss, office = desk.contact(BOSS), desk.contact(OFFICE)
    bill = trip.bill("2231", "2 nights with breakfast", total=trip.charged)
    return [
        desk.letter(
            boss, "Travel costs from now on", "03-10 09:12",
            "Hi Nora,\n\ntwo things have changed for everybody since the new year's audit. Wine and beer are no longer "
            "paid: the rest of a receipt is, so leave just that item out. And please put the office in copy when you "
            f"send me a table, {office.address}. All else stays as it was.\n\nBest\nLena\n",
        ),
        desk.letter(
            boss, f"Your costs for {trip.town}", "03-12 08:40",
            f"Hi Nora,\n\nI close the quarter tomorrow and have nothing from you about {trip.town}. Can I have the "
            "table today?\n\nBest\nLena\n",
        ),
        {
            **desk.letter(
                boss, "Your invoice 2231", "03-11 10:05",
                f"Dear Ms Feldt,\n\nthank you for staying with us. Your invoice over {trip.charged:.2f} EUR is "
                "attached.\n\nReception\n",
                attachments=[_file(trip, bill)],
            ),
            "from": f"{trip.hotel[1]} <desk@rooms.example>",
        },
    ]  # fmt: skip


def _file(trip: _Trip, data: bytes) -> dict[str, str]:
    return {"name": trip.hotel[4], "base64": base64.b64encode(data).decode(), "type": "application/pdf"}


def _correction(desk: WorldDesk, trip: _Trip, bill: bytes) -> dict[str, object]:
    letter = desk.letter(
        desk.contact(BOSS), CORRECTED, "03-12 09:40",
        "Dear Ms Feldt,\n\nwe charged you for breakfasts that you did not have, sorry. Please use the attached invoice "
        f"2231-B over {trip.hotel[3]:.2f} EUR in place of the first; the difference goes back to your card.\n\n"
        "Reception\n",
        attachments=[_file(trip, bill)],
    )  # fmt: skip
    return {**letter, "from": f"{trip.hotel[1]} <desk@rooms.example>"}


def _papers(trip: _Trip) -> list[Call]:
    made = [trip.paper(row[4], f"{RAIL}, {row[2]}", row[0], f"Total {row[3]:.2f} EUR") for row in trip.travel]
    made += [trip.paper(row[4], row[1], row[0], row[2], f"Total {row[3]:.2f} EUR") for row in trip.meals]
    wine = trip.wine
    lines = (f"1 {wine[2]} {wine[3]:.2f}", f"1 Glass of red wine {trip.wine_price:.2f}")
    return [*made, trip.paper(wine[4], wine[1], wine[0], *lines, f"Total {wine[3] + trip.wine_price:.2f} EUR")]


def _in_table(trip: _Trip, *rows: Row) -> Call:
    table = see.spreadsheet(trip.table)
    return expect.all_of([expect.sheet_row(table, [row[1], row[3], *_days(row)]) for row in rows])


def _days(row: Row) -> list[str]:
    # When a room was paid is a matter of taste; when a meal was eaten is not.
    return [] if row[2] == "2 nights" else [row[0]]


def _cells(trip: _Trip, *rows: Row, **changes: object) -> Call:
    """Return the code that puts lines where they belong; `changes` are cells that differ."""
    cells: dict[str, object] = {}
    for row in rows:
        line = trip.rows.index(row) + 2
        cells |= {f"{column}{line}": held for column, held in zip("ABCDE", row, strict=True)}
    return cells_written(trip.table, {**cells, **changes})


def _course(desk: WorldDesk, trip: _Trip) -> Course:
    boss, office = desk.contact(BOSS).address, desk.contact(OFFICE).address
    bill = trip.bill("2231-B", "2 nights, no breakfast", total=trip.hotel[3])
    table, paper = see.spreadsheet(trip.table), f"{trip.folder}/{trip.hotel[4]}"
    receipts = [f"{trip.folder}/{row[4]}" for row in trip.travel]
    receipts += [f"{trip.folder}/Receipts/{row[4]}" for row in (*trip.meals, trip.wine)]
    fields = (desk.owner.address, PASSWORD)
    subject, text = f"Expenses {trip.town}", f"Hi Lena, here is my table for {trip.town}. Best, Nora"
    sum_row = {"A9": None, "C9": "Sum", "D9": "=SUM([.D2:.D8])", "E9": None}
    calc = (hand.show_window("LibreOffice Calc"),)

    def lines(*rows: Row) -> tuple[Call, ...]:
        return type_rows([[*row] for row in rows])

    return Course(
        first=(
            hand.run_code(f"mkdir -p '{trip.folder}' && cp '{LAST}' '{trip.table}'"),
        ),
        stretches=(
            Stretch(
                "the way there and back is in the table",
                _in_table(trip, *trip.travel),
                0.15,
                (
                    *find_letter("Travel costs"),
                    *(move for path in receipts for move in open_paper(path)),
                    *start_program(f'localc "{HOME}/{LAST}"', "Expenses Orlen", 60.0),
                    hand.press("ctrl+shift+s"),
                    hand.await_window("/^Save( As)?$/", timeout_sec=40),
                    hand.press("ctrl+a"),
                    hand.type(f"{HOME}/{trip.table}"),
                    hand.press("Return"),
                    hand.await_window(f"Expenses {trip.town}", timeout_sec=40),
                    *go_to("A2"),
                    *lines(*trip.travel),
                    *save(),
                ),
                (_cells(trip, *trip.travel),),
                {"the price of one ticket for both": (_cells(trip, *trip.travel, D3=trip.travel[0][3]),)},
            ),
            Stretch(
                "the meals are in the table",
                _in_table(trip, *trip.meals),
                0.15,
                (*lines(*trip.meals), *save()),
                (_cells(trip, *trip.meals),),
                {"a meal on the wrong day": (_cells(trip, *trip.meals, A5="2026-03-10"),)},
            ),
            Stretch(
                "the wine is not paid for",
                _in_table(trip, trip.wine),
                0.15,
                (*lines(trip.wine), *save()),
                (_cells(trip, trip.wine),),
                {"the wine as well": (_cells(trip, trip.wine, D6=round(trip.wine[3] + trip.wine_price, 2)),)},
            ),
            Stretch(
                "the taxi is in the table",
                _in_table(trip, trip.taxi),
                0.1,
                (hand.ask("How much was the taxi on Tuesday?"), *lines(trip.taxi), *save()),
                (_cells(trip, trip.taxi),),
                {"a taxi at a guess": (_cells(trip, trip.taxi, D7=20.0),)},
            ),
            Stretch(
                "the hotel's bill that counts lies with the papers",
                expect.digest_is(see.digest(paper), hashlib.sha256(bill).hexdigest()),
                0.1,
                (
                    hand.show_window("Thunderbird"),
                    *find_letter(CORRECTED),
                    *save_attachment(f"{HOME}/{paper}"),
                ),
                (attachment_saved(*fields, CORRECTED, paper),),
                {"the first bill": (attachment_saved(*fields, "Your invoice 2231", paper),)},
            ),
            Stretch(
                "the hotel is in the table as it was corrected",
                _in_table(trip, trip.hotel),
                0.15,
                (*calc, *go_to("A8"), *lines(trip.hotel), *save()),
                (_cells(trip, trip.hotel),),
                {"the hotel as it was first charged": (_cells(trip, trip.hotel, D8=trip.charged),)},
            ),
            Stretch(
                "the table adds up, with nothing of the last one",
                expect.all_of(
                    [
                        expect.sheet_adds_up(table, HEADING, len(trip.rows)),
                        *(expect.sheet_row(table, [name], times=0) for name in LAST_ROWS),
                    ]
                ),
                0.1,
                (*go_to("C9"), *type_rows([["Sum", "=SUM(D2:D8)"]]), *save()),
                (cells_written(trip.table, sum_row),),
                {
                    "a sum that leaves out the hotel": (
                        cells_written(trip.table, {**sum_row, "D9": "=SUM([.D2:.D7])"}),
                    ),
                    "a line of the last table left": (
                        cells_written(
                            trip.table,
                            {**sum_row, "A10": "2026-02-03", "B10": LAST_ROWS[1], "D10": 16.9, "D9": None,
                             "D11": "=SUM([.D2:.D10])"},
                        ),
                    ),
                },
            ),
            Stretch(
                "Lena has the table, and the office a copy",
                expect.mail_to(see.posted_mail(), [boss], [office], brings=see.digest(trip.table)),
                0.1,
                (hand.show_window("Thunderbird"), *send_to([boss], subject, text, cc=[office], files=[trip.table])),
                (letter_posted(*fields, [boss], subject, text, cc=[office], files=[trip.table]),),
                {
                    "no copy for the office": (letter_posted(*fields, [boss], subject, text, files=[trip.table]),),
                    "the last table again": (letter_posted(*fields, [boss], subject, text, cc=[office], files=[LAST]),),
                },
            ),
        ),
    )  # fmt: skip


@template(
    apps=("thunderbird", "libreoffice-calc", "evince", "thunar"),
    level=4,
    demand="Office/Data/Tabling",
    services=("mail", "calendar"),
    limits=Limits(steps=300, seconds=3600),
)
def expenses_for_the_trip(draw: Draw) -> Draft:
    """Expenses as the last ones, with new rules, a corrected bill and a taxi without a receipt."""
    desk, trip = desk_of("nora"), _trip(draw)
    course = _course(desk, trip)
    bill = trip.bill("2231-B", "2 nights, no breakfast", total=trip.hotel[3])
    people = (desk.contact(BOSS).address, desk.contact(OFFICE).address)
    return Draft(
        instruction=f"Lena is waiting for my expenses for {trip.town}. Please make the table as I did for the last "
        "trip, put it where it belongs, and send it to her; she wrote what is different now. The hotel's bill came "
        "by mail and belongs with the other papers. For Tuesday's taxi I have no receipt, ask me.",
        paraphrases=(
            f"My expenses for {trip.town} are late. Do the table for Lena like the last one and mail it to her, by the "
            "rules that she sent round this week. Put the hotel's bill, which I have by mail, with the tickets. There "
            "was a taxi on Tuesday too; I know what it cost.",
        ),
        setup=(
            desk.lay(_letters(desk, trip)),
            *_papers(trip),
            desk.thunderbird(),
        ),
        events=(
            Event(
                name="the hotel corrects its bill",
                do=desk.arrives(_correction(desk, trip, bill)),
                when=When(check=expect.file_exists(see.file(trip.table))),
                needed=True,
            ),
        ),
        user=User(
            replies=(Reply(about=("taxi",), reply=f"The taxi was {trip.taxi[3]:.2f} euros, on Tuesday the 10th."),)
        ),
        checkpoints=course.checkpoints,
        guards=desk.guards(people),
        expected=(*desk.traces, trip.table, f"{trip.folder}/{trip.hotel[4]}", trip.folder),
        solution=course.solution,
        near_misses=course.near_misses,
        other_ways=(course.by_code(),),
        may_differ=(*sent_as_it_is(trip.table), without_words(f"Expenses {trip.town}")),
        cheats=(
            course.without("nothing but the last table, sent again", *(each.name for each in course.stretches[:7])),
            course.without("a table that nobody is sent", course.stretches[-1].name),
        ),
    )
