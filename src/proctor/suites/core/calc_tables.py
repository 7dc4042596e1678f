"""Tasks on tables in Calc: totals, sorting, conditions and lookups."""

from __future__ import annotations

from datetime import date, timedelta

from proctor.formats.spreadsheets.tables import Held
from proctor.suites.parts.calc import (
    Moves,
    Row,
    book,
    button,
    done,
    enter,
    enter_rows,
    fill_down,
    go_to,
    rest_unchanged,
    save,
)
from proctor.tasks.draw import COMPANIES, FIRST_NAMES, LAST_NAMES, Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss
from proctor.tasks.template import template

COSTS = (
    "Rent", "Electricity", "Water", "Internet", "Groceries", "Insurance", "Bus pass", "Phone", "Gym", "Cinema",
    "Pharmacy", "Savings", "Books", "Cat food",
)  # fmt: skip
MONTHS = ("January", "February", "April", "May", "June", "September", "October", "November")
ARTICLES = (
    "Chalk", "Clipboard", "Folder", "Glue", "Lamp", "Marker", "Notebook", "Paper", "Ruler", "Scissors", "Stapler",
)  # fmt: skip
TODAY = date(2026, 3, 12)
TRIALS = 3
"""With how many other inputs formulas are worked out."""


@template(apps=("libreoffice-calc",), level=2, demand="Life/Finance/Transaction Management", version=2)
def total_the_household_budget(draw: Draw) -> Draft:
    """The total of a budget is filled in as a formula."""
    costs = draw.some(COSTS, draw.randint(7, 12))
    month = draw.choice(MONTHS)
    rows: list[Row] = [["Item", "Amount"], *([cost, draw.amount(8, 900)] for cost in costs), ["Total", None]]
    last = len(rows) - 1
    total = round(sum(row[1] for row in rows[1:-1]), 2)
    path = f"Documents/budget-{month.lower()}.ods"
    cell = f"B{last + 1}"

    trials: list[dict[str, Held]] = [
        {f"B{draw.randint(2, last)}": draw.amount(8, 900) for _ in range(3)} for _ in range(TRIALS)
    ]
    totals = [
        round(sum(float(trial.get(f"B{row}", held[1]) or 0) for row, held in enumerate(rows[1:-1], start=2)), 2)
        for trial in trials
    ]

    def fill(text: str) -> Moves:
        return (*enter(cell, text), *save(path))

    return Draft(
        instruction=f"Our household budget for {month} is open. Please fill in the total at the bottom and "
        "save the file. Make it a formula, so it stays right when I change an amount.",
        paraphrases=(f"Put a SUM of the amounts in the Total row of the open {month} budget, then save.",),
        setup=(book(path, (month, rows)), make.calc(path)),
        check=expect.all_of(
            [
                expect.cell_is(see.spreadsheet(path), cell, total, tolerance=0.005),
                expect.cell_follows(see.recalculated(path, trials), cell, totals, tolerance=0.005),
                rest_unchanged(path, cell, may_add=True),
            ]
        ),
        expected=(path,),
        solution=fill(f"=SUM(B2:B{last})"),
        near_misses=(
            NearMiss(name="typed instead of computed", moves=fill(f"{total:.2f}")),
            NearMiss(name="the last amount left out", moves=fill(f"=SUM(B2:B{last - 1})")),
            NearMiss(name="a number dressed up as a formula", moves=fill(f"={total:.2f}+0*SUM(B2:B{last})")),
            NearMiss(name="not saved", moves=enter(cell, f"=SUM(B2:B{last})")),
        ),
    )


def sort_by_surname() -> Moves:
    """Sort by the second column and then by the first, through the dialog; it proposes the column one stands in."""
    return (
        *go_to("B2"),
        button("Sort"),
        hand.await_window("Sort"),
        hand.click(role="toggle button", window="Sort", nth=1),
        hand.press("Down"),
        hand.press("Return"),
        button("OK", window="Sort"),
        hand.await_window("/^Sort$/", gone=True),
    )


@template(apps=("libreoffice-calc",), level=2, demand="Office/Data/Tabling")
def sort_the_guest_list(draw: Draw) -> Draft:
    """A list is sorted by surname and, where that is the same, by first name."""
    families = draw.some(LAST_NAMES, 8)
    surnames = [*families, *families[:4]]
    firsts = draw.some(FIRST_NAMES, len(surnames))
    guests: list[Row] = [[first, name, draw.randint(1, 6)] for first, name in zip(firsts, surnames, strict=True)]
    draw.shuffle(guests)
    occasion = draw.choice(("wedding", "jubilee", "garden party", "housewarming"))
    path = f"Documents/{occasion.replace(' ', '-')}-guests.ods"
    rows: list[Row] = [["First name", "Surname", "Table"], *guests]

    surname_only = (*go_to(f"B2:B{len(rows)}"), button("Sort Ascending"))
    return Draft(
        instruction=f"Could you sort the guest list for the {occasion} by surname, and by first name where "
        "the surname is the same? It's open. Make sure everyone keeps their table, and save the list.",
        paraphrases=(
            f"Sort the open {occasion} guest list: surname A to Z, then first name, whole rows. Save when you're done.",
        ),
        setup=(book(path, ("Guests", rows)), make.calc(path)),
        check=expect.rows_sorted(
            see.spreadsheet(path), [{"header": "Surname"}, {"header": "First name"}], see.spreadsheet_before(path)
        ),
        expected=(path,),
        solution=(*sort_by_surname(), *save(path)),
        near_misses=(
            NearMiss(name="not saved", moves=sort_by_surname()),
            NearMiss(
                name="only the surnames moved",
                moves=(
                    *surname_only,
                    button("Current selection"),
                    hand.await_window("/^Sort/", gone=True),
                    *save(),
                ),
            ),
        ),
    )


@template(apps=("libreoffice-calc",), level=2, demand="Life/Finance/Transaction Management", version=2)
def mark_the_late_invoices(draw: Draw) -> Draft:
    """A formula tells which invoices are unpaid and overdue."""
    count, day = draw.randint(7, 10), TODAY - timedelta(days=draw.randint(0, 9))
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
                *(expect.cell_is(see.spreadsheet(path), f"E{row}", held) for row, held in enumerate(status, start=2)),
                *(
                    expect.cell_follows(see.recalculated(path, trials), f"E{row}", [each[row - 2] for each in told])
                    for row in range(2, last + 1)
                ),
                rest_unchanged(path, f"E2:E{last}", may_add=True),
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
    )


def _other_invoices(
    draw: Draw, day: date, count: int, late: str, fine: str
) -> tuple[list[dict[str, str]], list[list[str]]]:
    """Return other days and payments for all rows, for several trials, and what the rows must say then."""
    trials, told = [], []
    for _ in range(TRIALS):
        rows = [
            (day + timedelta(days=draw.choice((-20, -1, 0, 1, 30))), draw.choice(("yes", "no"))) for _ in range(count)
        ]
        cells = [(f"C{row}", due.isoformat(), f"D{row}", paid) for row, (due, paid) in enumerate(rows, start=2)]
        trials.append({cell: held for one, due, other, paid in cells for cell, held in ((one, due), (other, paid))})
        told.append([late if due < day and paid == "no" else fine for due, paid in rows])
    return trials, told


@template(apps=("libreoffice-calc",), level=2, demand="Office/Data/Tabling", version=2)
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
    seen, anew = see.spreadsheet(path), see.recalculated(path, trials)
    checks = [
        check
        for row, name in enumerate(wanted, start=2)
        for check in (
            expect.cell_is(seen, f"C{row}", known[name], sheet="Order", tolerance=0.0005),
            expect.cell_follows(
                anew,
                f"C{row}",
                [new[goods.index(names[row - 2])] for new, names in zip(changed, ordered, strict=True)],
                sheet="Order",
                tolerance=0.0005,
            ),
        )
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
                rest_unchanged(path, f"C2:C{last}", sheet="Order", may_add=True),
                rest_unchanged(path, sheet="Prices"),
            ]
        ),
        expected=(path,),
        solution=(*fill(), *save(path)),
        near_misses=(
            NearMiss(name="typed instead of looked up", moves=(*typed, *save(path))),
            NearMiss(name="the article instead of its price", moves=(*fill(1), *save(path))),
            NearMiss(name="not saved", moves=(*fill(), done())),
        ),
    )
