"""Tasks on tables in Calc: a total, and rows in order."""

from __future__ import annotations

from proctor.suites.parts.calc import (
    Moves,
    Row,
    book,
    button,
    enter,
    enter_rows,
    go_to,
    save,
)
from proctor.suites.parts.sheets_by_code import written_into
from proctor.suites.parts.ways import by_hand
from proctor.tasks.draw import FIRST_NAMES, LAST_NAMES, Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss, Way
from proctor.tasks.template import template
from proctor.vocabulary.formats.spreadsheets.tables import Held

COSTS = (
    "Rent", "Electricity", "Water", "Internet", "Groceries", "Insurance", "Bus pass", "Phone", "Gym", "Cinema",
    "Pharmacy", "Savings", "Books", "Cat food",
)  # fmt: skip
MONTHS = ("January", "February", "April", "May", "June", "September", "October", "November")
TRIALS = 3
"""With how many other inputs formulas are worked out."""


@template(apps=("libreoffice-calc",), level=2, demand="Life/Finance/Transaction Management", version=3)
def total_the_household_budget(draw: Draw) -> Draft:
    """The total of a budget is filled in as a formula."""
    costs = draw.some(COSTS, draw.randint(7, 12))
    month = draw.choice(MONTHS)
    rows: list[Row] = [["Item", "Amount"], *([cost, draw.amount(8, 900)] for cost in costs), ["Total", None]]
    last = len(rows) - 1
    total = round(sum(row[1] for row in rows[1:-1]), 2)
    path = f"Documents/budget-{month.lower()}.ods"
    cell = f"B{last + 1}"

    # Every amount is another one, so that none can be left out.
    amounts = [[draw.amount(8, 900) for _ in costs] for _ in range(TRIALS)]
    # One item falls away, and another one is paid back.
    amounts[-1][0], amounts[-1][-1] = 0.0, -amounts[-1][-1]
    trials: list[dict[str, Held]] = [{f"B{row}": held for row, held in enumerate(each, start=2)} for each in amounts]
    totals = [round(sum(each), 2) for each in amounts]

    def fill(text: str) -> Moves:
        return (*enter(cell, text), *save(path))

    return Draft(
        instruction=f"Our household budget for {month} is open. Please fill in the total at the bottom and "
        "save the file. Make it a formula, so it stays right when I change an amount.",
        paraphrases=(f"Put a SUM of the amounts in the Total row of the open {month} budget, then save.",),
        setup=(book(path, (month, rows)), make.calc(path)),
        check=expect.all_of(
            [
                expect.cell_follows(
                    see.recalculated(path, trials), cell, totals, sheet=month, tolerance=0.005, now=total
                ),
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
        other_ways=_ways_to_total(path, cell, last),
        cheats=_cheats_at_the_total(path, cell, [row[1] for row in rows[1:-1]]),
    )


def _ways_to_total(path: str, cell: str, last: int) -> tuple[Way, ...]:
    return (
        by_hand("by the keys for a sum", *go_to(cell), hand.press("alt+equal"), hand.press("Return"), *save(path)),
        by_hand(
            "over a named range, rounded",
            # A name that is new names what is selected.
            *(*go_to(f"B2:B{last}"), *go_to("Costs")),
            *enter(cell, "=ROUND(SUM(Costs),2)"),
            *save(path),
        ),
        written_into("into the file, with no result", path, {cell: f"=SUMPRODUCT([.B2:.B{last}])"}),
    )


def _cheats_at_the_total(path: str, cell: str, amounts: list[float]) -> tuple[Way, ...]:
    last, total = len(amounts) + 1, sum(amounts)
    return (
        by_hand("the last amount typed", *enter(cell, f"=SUM(B2:B{last - 1})+{amounts[-1]}"), *save(path)),
        written_into(
            "all amounts moved into the formula",
            path,
            {**{f"B{row}": 0.0 for row in range(2, last + 1)}, cell: f"=SUM([.B2:.B{last}])+{total:.2f}"},
        ),
    )


def sort_by_surname() -> Moves:
    """Sort by the second column and then by the first, through the dialog.

    It proposes the column one stands in.
    """
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


@template(apps=("libreoffice-calc",), level=2, demand="Office/Data/Tabling", version=2)
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
            see.spreadsheet(path),
            [{"header": "Surname"}, {"header": "First name"}],
            see.spreadsheet_before(path),
            sheet="Guests",
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
        other_ways=_ways_to_sort(path, guests),
        cheats=_cheats_at_sorting(path, guests),
    )


def _ways_to_sort(path: str, guests: list[Row]) -> tuple[Way, ...]:
    return (
        # No name is the beginning of another, so that Calc completes none.
        by_hand("all of it typed anew", *enter_rows("A2", sorted(guests, key=_by_name)), *save(path)),
        written_into(
            "into the file", path, _laid_out([["First name", "Surname", "Table"], *sorted(guests, key=_by_name)])
        ),
    )


def _cheats_at_sorting(path: str, guests: list[Row]) -> tuple[Way, ...]:
    ordered = sorted(guests, key=_by_name)
    swapped = [[*new[:2], old[2]] for new, old in zip(ordered, guests, strict=True)]
    return (
        written_into("the names sorted, the tables left", path, _laid_out(swapped, 2)),
        written_into("a sorted copy beside the list", path, _laid_out(ordered, 2, "FGH")),
        written_into(
            "only the first three left", path, _laid_out([*ordered[:3], *([None] * 3 for _ in ordered[3:])], 2)
        ),
    )


def _by_name(guest: Row) -> tuple[str, str]:
    return guest[1], guest[0]


def _laid_out(rows: list[Row], first: int = 1, columns: str = "ABC") -> dict[str, Held]:
    """Return rows as cells by their address."""
    return {
        f"{column}{number}": held
        for number, row in enumerate(rows, start=first)
        for column, held in zip(columns, row, strict=True)
    }
