"""Tasks on tables in Calc: totals, sorting, conditions and lookups."""

from __future__ import annotations

from datetime import date, timedelta

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


@template(apps=("libreoffice-calc",), level=2, demand="Life/Finance/Transaction Management")
def total_the_household_budget(draw: Draw) -> Draft:
    """The total of a budget is filled in as a formula."""
    costs = draw.some(COSTS, draw.randint(7, 12))
    month = draw.choice(MONTHS)
    rows: list[Row] = [["Item", "Amount"], *([cost, draw.amount(8, 900)] for cost in costs), ["Total", None]]
    last = len(rows) - 1
    total = round(sum(row[1] for row in rows[1:-1]), 2)
    path = f"Documents/budget-{month.lower()}.ods"
    cell = f"B{last + 1}"

    def fill(text: str) -> Moves:
        return (*enter(cell, text), *save(path))

    return Draft(
        instruction=f"Our household budget for {month} is open. Please fill in the total at the bottom and "
        "save the file. Make it a formula, so it stays right when I change an amount.",
        paraphrases=(f"Put a SUM of the amounts in the Total row of the open {month} budget, then save.",),
        setup=(book(path, (month, rows)), make.calc(path)),
        check=expect.all_of(
            [
                expect.cell_is_formula(see.spreadsheet(path), cell, total, [f"B2:B{last}"], tolerance=0.005),
                rest_unchanged(path, cell),
            ]
        ),
        expected=(path,),
        solution=fill(f"=SUM(B2:B{last})"),
        near_misses=(
            NearMiss(name="typed instead of computed", moves=fill(f"{total:.2f}")),
            NearMiss(name="the last amount left out", moves=fill(f"=SUM(B2:B{last - 1})")),
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


@template(apps=("libreoffice-calc",), level=2, demand="Life/Finance/Transaction Management")
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
                    expect.cell_is_formula(see.spreadsheet(path), f"E{row}", held, [f"C{row}", f"D{row}"])
                    for row, held in enumerate(status, start=2)
                ),
                rest_unchanged(path, f"E2:E{last}"),
            ]
        ),
        expected=(path,),
        solution=(*fill(formula), *save(path)),
        near_misses=(
            NearMiss(name="paid ones too", moves=(*fill(f'=IF({before},"{late}","{fine}")'), *save(path))),
            NearMiss(name="only the first row", moves=(*enter("E2", formula), *save(path))),
            NearMiss(name="typed", moves=(*enter_rows("E2", [[held] for held in status]), *save(path))),
        ),
    )


@template(apps=("libreoffice-calc",), level=2, demand="Office/Data/Tabling")
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

    sources = {name: [f"A{row}", f"Prices!B{goods.index(name) + 2}"] for row, name in enumerate(wanted, start=2)}
    seen = see.spreadsheet(path)
    checks = [
        expect.cell_is_formula(seen, f"C{row}", known[name], sources[name], sheet="Order", tolerance=0.0005)
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
            [*checks, rest_unchanged(path, f"C2:C{last}", sheet="Order"), rest_unchanged(path, sheet="Prices")]
        ),
        expected=(path,),
        solution=(*fill(), *save(path)),
        near_misses=(
            NearMiss(name="typed instead of looked up", moves=(*typed, *save(path))),
            NearMiss(name="the article instead of its price", moves=(*fill(1), *save(path))),
            NearMiss(name="not saved", moves=(*fill(), done())),
        ),
    )
