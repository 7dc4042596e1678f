"""Tasks on formulas in Calc that decide something or look something up."""

from __future__ import annotations

from datetime import date, timedelta

from proctor.suites.parts.calc import (
    Moves,
    Row,
    await_calc,
    book,
    enter,
    enter_rows,
    fill_down,
    go_to,
    save,
)
from proctor.suites.parts.sheets_by_code import written_into
from proctor.suites.parts.ways import by_hand
from proctor.tasks.draw import COMPANIES, Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss, Way
from proctor.tasks.template import template
from proctor.vocabulary.formats.spreadsheets.tables import Held

ARTICLES = (
    "Chalk", "Clipboard", "Folder", "Glue", "Lamp", "Marker", "Notebook", "Paper", "Ruler", "Scissors", "Stapler",
)  # fmt: skip
TODAY = date(2026, 3, 12)
TRIALS = 3
"""With how many other inputs formulas are worked out."""


@template(apps=("libreoffice-calc",), level=2, demand="Life/Finance/Transaction Management", version=5)
def mark_the_late_invoices(draw: Draw) -> Draft:
    """A formula tells which invoices are unpaid and overdue."""
    # Never the day itself that the computer shows, so that TODAY() is told apart from the day asked for.
    count, day = draw.randint(7, 10), TODAY - timedelta(days=draw.randint(1, 9))
    late, fine = draw.choice((("late", "ok"), ("overdue", "fine"), ("remind", "wait")))
    due = [day + timedelta(days=days) for days in draw.some([n for n in range(-40, 40) if n], count)]
    paid = [draw.choice(("yes", "no")) for _ in due]
    # One of each kind, so that no condition can be left out.
    due[:3], paid[:3] = [day + timedelta(days=days) for days in (-9, -4, 5)], ["yes", "no", "no"]
    first = draw.randint(300, 800)
    bills: list[Row] = [
        [f"R-{first + number}", draw.choice(COMPANIES), until.isoformat(), held, None]
        for number, (until, held) in enumerate(zip(due, paid, strict=True))
    ]
    path, last = "Documents/invoices.ods", count + 1
    status = [late if until < day and held == "no" else fine for until, held in zip(due, paid, strict=True)]

    trials, told = _other_invoices(draw, day, count, late, fine)

    def fill(formula: str) -> Moves:
        return (*enter("E2", formula), *fill_down(f"E2:E{last}"))

    before, spoken = f"C2<DATE(2026,{day.month},{day.day})", f"{day.day} March 2026"
    formula = f'=IF(AND({before},D2="no"),"{late}","{fine}")'
    rows: list[Row] = [["Invoice", "Customer", "Due", "Paid", "Status"], *bills]
    return Draft(
        instruction="In the invoice list that's open, I'd like a formula in the Status column that says "
        f"{late} if an invoice hasn't been paid and was due before {spoken}, and {fine} otherwise. In every "
        "row, please, and then save.",
        paraphrases=(
            f"Fill in Status with a formula for all rows of the open list: {late} for unpaid invoices due "
            f"before {spoken}, {fine} for all the others. Save the file.",
        ),
        setup=(book(path, ("Invoices", rows), kinds={"C": "date"}), make.calc(path)),
        check=expect.all_of(
            [
                *(
                    expect.cell_follows(
                        see.recalculated(path, trials),
                        f"E{row}",
                        [each[row - 2] for each in told],
                        sheet="Invoices",
                        now=held,
                    )
                    for row, held in enumerate(status, start=2)
                ),
            ]
        ),
        expected=(path,),
        solution=(*fill(formula), *save(path)),
        near_misses=(
            NearMiss(name="paid ones too", moves=(*fill(f'=IF({before},"{late}","{fine}")'), *save(path))),
            NearMiss(name="only the first row", moves=(*enter("E2", formula), *save(path))),
            NearMiss(
                name="answers dressed up as formulas",
                moves=(
                    *enter_rows(
                        "E2", [[f'=IF(LEN(C{row}&D{row})>0,"{held}","")'] for row, held in enumerate(status, 2)]
                    ),
                    *save(path),
                ),
            ),
            NearMiss(name="typed", moves=(*enter_rows("E2", [[held] for held in status]), *save(path))),
        ),
        other_ways=_ways_to_mark(path, day, last, late, fine),
        cheats=_cheats_at_marking(path, day, late, fine, status),
    )


def _other_invoices(
    draw: Draw, day: date, count: int, late: str, fine: str
) -> tuple[list[dict[str, str]], list[list[str]]]:
    """Return other days and payments for all rows, for several trials, and the rows that result.

    Every row is late once, paid once and not due once, one is due on the very day, and one in other years.
    """
    rows = []
    for row in range(count):
        kinds = [(draw.choice((-20, -1)), "no"), (draw.choice((-20, -1)), "yes"), (draw.choice((0, 1, 30)), "no")]
        kinds[2] = (0, "no") if row == 0 else kinds[2]
        if row == 1:
            # In the year before and the year after, so that months and days alone do not tell.
            kinds[0], kinds[2] = (-80, "no"), (330, "no")
        rows.append(draw.some(kinds, TRIALS))
    trials, told = [], []
    for each in zip(*rows, strict=True):
        cells: dict[str, str] = {}
        for row, (days, paid) in enumerate(each, start=2):
            cells |= {f"C{row}": (day + timedelta(days=days)).isoformat(), f"D{row}": paid}
        trials.append(cells)
        told.append([late if days < 0 and paid == "no" else fine for days, paid in each])
    return trials, told


def _ways_to_mark(path: str, day: date, last: int, late: str, fine: str) -> tuple[Way, ...]:
    # One formula for all rows, which Ctrl+Shift+Enter makes.
    every = f'=IF((C2:C{last}<DATE(2026,{day.month},{day.day}))*(D2:D{last}="no"),"{late}","{fine}")'
    nested = {
        f"E{row}": f'=IF([.D{row}]<>"no";"{fine}";IF([.C{row}]<DATE(2026;{day.month};{day.day});"{late}";"{fine}"))'
        for row in range(2, last + 1)
    }
    return (
        by_hand(
            "with the day in a cell of its own",
            *enter("H1", day),
            *(*enter("E2", f'=IF(AND(C2<$H$1,D2="no"),"{late}","{fine}")'), *fill_down(f"E2:E{last}"), *save(path)),
        ),
        by_hand(
            "one formula for all rows",
            *(*go_to(f"E2:E{last}"), hand.type(every), hand.press("ctrl+shift+Return"), *save(path)),
        ),
        by_hand(
            "with columns that help",
            *enter("G2", f"=C2-DATE(2026,{day.month},{day.day})"),
            *enter("H2", '=IF(D2="no",1,0)'),
            *(*fill_down(f"G2:H{last}"), *enter("E2", f'=IF((G2<0)*H2=1,"{late}","{fine}")')),
            *(*fill_down(f"E2:E{last}"), *save(path)),
        ),
        written_into("into the file, with no results", path, nested),
    )


def _cheats_at_marking(path: str, day: date, late: str, fine: str, status: list[str]) -> tuple[Way, ...]:
    rows = list(enumerate(status, start=2))
    last = len(status) + 1
    before = f"<{100 * day.month + day.day}"
    by_month = {
        f"E{at}": f'=IF(AND([.D{at}]="no";100*MONTH([.C{at}])+DAY([.C{at}]){before});"{late}";"{fine}")'
        for at, _ in rows
    }
    by_clock = {f"E{at}": f'=IF(AND([.D{at}]="no";[.C{at}]<TODAY());"{late}";"{fine}")' for at, _ in rows}
    by_row = [[f'=IF(ROW()={at},"{held}","")'] for at, held in rows]
    unpaid = {f"E{at}": f'=IF([.D{at}]="no";"{late}";"{fine}")' for at, _ in rows}
    return (
        by_hand("by the number of the row", *enter_rows("E2", by_row), *save(path)),
        written_into("whether paid alone, and the days made to fit", path, {**unpaid, **_all_due(last)}),
        written_into("by month and day, whatever the year", path, by_month),
        written_into("by the computer's clock", path, by_clock),
    )


def _all_due(last: int) -> dict[str, str]:
    return {f"C{row}": "2025-01-02" for row in range(2, last + 1)}


@template(apps=("libreoffice-calc",), level=2, demand="Office/Data/Tabling", version=3)
def look_up_the_prices(draw: Draw) -> Draft:
    """Prices come from another sheet by formula."""
    goods = draw.some(ARTICLES, 9)
    prices: list[Row] = [[name, draw.amount(1, 40)] for name in goods]
    wanted = draw.some(goods, 5)
    orders: list[Row] = [[name, draw.randint(2, 30), None] for name in wanted]
    whose, last = draw.choice(("school", "office", "youth club", "choir")), len(orders) + 1
    path = f"Documents/{whose.replace(' ', '-')}-order.ods"
    known = {name: price for name, price in prices}

    def fill(column: int = 2) -> Moves:
        formula = f"=VLOOKUP(A2,Prices.$A$2:$B${len(prices) + 1},{column},0)"
        return (*enter("C2", formula), *fill_down(f"C2:C{last}"))

    # New prices, and other articles in the order.
    changed = [[draw.amount(1, 40) for _ in goods] for _ in range(TRIALS)]
    ordered = [draw.some(goods, len(wanted)) for _ in range(TRIALS)]
    trials: list[dict[str, Held]] = [
        {
            **{f"Prices!B{row}": price for row, price in enumerate(new, start=2)},
            **{f"Order!A{row}": name for row, name in enumerate(names, start=2)},
        }
        for new, names in zip(changed, ordered, strict=True)
    ]
    checks = [
        expect.cell_follows(
            see.recalculated(path, trials),
            f"C{row}",
            [new[goods.index(names[row - 2])] for new, names in zip(changed, ordered, strict=True)],
            sheet="Order",
            tolerance=0.0005,
            now=known[name],
        )
        for row, name in enumerate(wanted, start=2)
    ]
    typed = enter_rows("C2", [[known[name]] for name in wanted])
    return Draft(
        instruction=f"The {whose} order is open. Please fill in the Price column on the Order sheet with "
        "formulas that look up each article on the Prices sheet, so that a new price there shows up here too. "
        "Then save it.",
        paraphrases=(
            "Every article on the Order sheet needs its price from the Prices sheet. Use formulas, not "
            "typed-in numbers, for the whole Price column, and save.",
        ),
        setup=(
            book(
                path, ("Order", [["Article", "Pieces", "Price"], *orders]), ("Prices", [["Article", "Price"], *prices])
            ),
            make.calc(path),
        ),
        check=expect.all_of(
            [
                *checks,
            ]
        ),
        expected=(path,),
        solution=(*fill(), *save(path)),
        near_misses=(
            NearMiss(name="typed instead of looked up", moves=(*typed, *save(path))),
            NearMiss(name="the article instead of its price", moves=(*fill(1), *save(path))),
            NearMiss(name="not saved", moves=(*fill(), await_calc())),
        ),
        other_ways=_ways_to_look_up(path, last, len(prices) + 1),
        cheats=_cheats_at_the_prices(path, goods, wanted, known),
    )


def _ways_to_look_up(path: str, last: int, end: int) -> tuple[Way, ...]:
    def fill_in(formula: str) -> Moves:
        return (*enter("C2", formula), *fill_down(f"C2:C{last}"), *save(path))

    return (
        by_hand(
            "over a named range",
            # A name that is new names what is selected.
            *(*go_to(f"$Prices.$A$2:$B${end}"), *go_to("PriceList"), *go_to("$Order.$C$2")),
            *fill_in("=VLOOKUP(A2,PriceList,2,FALSE())"),
        ),
        by_hand("by place", *fill_in(f"=INDEX(Prices.$B$2:$B${end},MATCH(A2,Prices.$A$2:$A${end},0))")),
        written_into(
            "into the file, with no results",
            path,
            {
                f"C{row}": f"=SUMPRODUCT(([$Prices.$A$2:.$A${end}]=[.A{row}])*[$Prices.$B$2:.$B${end}])"
                for row in range(2, last + 1)
            },
            "Order",
        ),
    )


def _cheats_at_the_prices(path: str, goods: list[str], wanted: list[str], known: dict[str, float]) -> tuple[Way, ...]:
    rows = list(enumerate(wanted, start=2))
    copied = {f"{'GH'[at]}{row}": held for row, pair in enumerate(known.items(), 2) for at, held in enumerate(pair)}
    listed = "|".join(f'"{name}";{price}' for name, price in known.items())
    return (
        by_hand(
            "each cell points at its price",
            *enter_rows("C2", [[f"=Prices.B{goods.index(name) + 2}"] for name in wanted]),
            *save(path),
        ),
        written_into(
            "looked up in a copy of the prices",
            path,
            {**copied, **{f"C{row}": f"=VLOOKUP([.A{row}];[.$G$2:.$H${len(goods) + 1}];2;0)" for row, _ in rows}},
            "Order",
        ),
        written_into(
            "looked up in the formula itself",
            path,
            {f"C{row}": f"=VLOOKUP([.A{row}];{{{listed}}};2;0)" for row, _ in rows},
            "Order",
        ),
    )
