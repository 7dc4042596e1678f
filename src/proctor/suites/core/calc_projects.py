"""Tasks that need a spreadsheet and other applications to reach one goal."""

from __future__ import annotations

from datetime import date
from typing import Any

from proctor.home import HOME
from proctor.suites.parts.calc import Moves, Row, await_calc, book, click_cell, enter_rows, save, save_as, type_rows
from proctor.suites.parts.sheets_by_code import book_made, cells_written
from proctor.suites.parts.ways import by_hand, by_shell
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Admission, Draft, Limits, NearMiss, Way
from proctor.tasks.template import template

THINGS = ("train tickets", "dinner", "museum", "ferry", "breakfast", "taxi", "picnic", "hostel", "bikes", "ice cream")
SHOPS = ("Corner Shop", "Farm Stand", "Fresh Market", "Organic Barn", "Quick Mart", "Village Bakery", "Weekend Deli")


def show(title: str) -> Moves:
    """Bring a window to the front by its button in the panel."""
    return (hand.click(title, role="toggle button", app="xfce4-panel"), hand.await_window(title))


def new_table(path: str, rows: list[Row]) -> Moves:
    """Start Calc from the panel, type rows into a new spreadsheet and save it."""
    return (
        hand.click("LibreOffice Calc", role="push button", app="xfce4-panel"),
        click_cell("A1"),
        *type_rows(rows),
        await_calc(),
        *save_as(f"{HOME}/{path}"),
        hand.await_window(path.rpartition("/")[2]),
    )


def add_to_note(path: str, text: str) -> Moves:
    """Open a text in a new window of Mousepad and write something at its end."""
    return (
        hand.click("Mousepad", role="push button", app="xfce4-panel"),
        hand.await_window("Mousepad"),
        hand.press("ctrl+o"),
        hand.await_window("Open"),
        hand.type(f"{HOME}/{path}\n"),
        hand.await_window(path.rpartition("/")[2]),
        hand.press("ctrl+End"),
        hand.type(text),
        hand.press("ctrl+s"),
    )


@template(
    apps=("libreoffice-calc", "mousepad"),
    level=4,
    demand="Life/Finance/Transaction Management",
    version=2,
    limits=Limits(steps=80, seconds=1200),
)
def settle_the_trip(draw: Draw) -> Draft:
    """Costs jotted down in a note become a table, and the result goes back into the note."""
    city, names = draw.city(), sorted(person.split()[0] for person in draw.people(4))
    payers = [*names, *names, *draw.some(names, 2)]
    draw.shuffle(payers)
    costs = [(name, thing, draw.amount(6, 140)) for name, thing in zip(payers, THINGS, strict=True)]
    paid = {name: round(sum(cost for who, _, cost in costs if who == name), 2) for name in names}
    most = max(names, key=lambda name: paid[name])
    second = sorted(names, key=lambda name: paid[name])[-2]
    note, path = "Documents/trip.txt", "Documents/trip.ods"
    text = f"{city}\n\n" + "".join(f"{thing}, {name}: {cost:.2f}\n" for name, thing, cost in costs)
    rows: list[Row] = [["Name", "Paid"], *([name, paid[name]] for name in names)]
    last = {name: cost for name, _, cost in costs}

    def add_line(name: str) -> Moves:
        return (hand.press("ctrl+End"), hand.type(f"Most: {name}"), hand.press("ctrl+s"))

    def line(name: str) -> Moves:
        return (*show("trip.txt"), *add_line(name))

    return Draft(
        instruction=f"The note that's open says who paid for what on our trip to {city}. Please add it up per "
        "person in a new spreadsheet, Documents/trip.ods, with the headings Name and Paid in the first row and "
        'then one row per person, in alphabetical order. After that, add a last line to the note, "Most: " '
        "followed by the name of whoever paid the most, and save it.",
        paraphrases=(
            "From the open note, make Documents/trip.ods with the columns Name and Paid (each person's total, "
            'names from A to Z). Then end the note with a line "Most: " plus the name of the biggest spender. '
            "Save both.",
        ),
        setup=(make.text_file(note, text), make.launch(["mousepad", note], window="trip.txt")),
        check=expect.all_of(
            [
                expect.spreadsheet_format(see.spreadsheet(path), "ods"),
                expect.table_is(see.spreadsheet(path), rows, tolerance=0.005),
                expect.text_is(see.text(note), f"{text}Most: {most}"),
            ]
        ),
        expected=(note, path),
        solution=(*new_table(path, rows), *line(most)),
        near_misses=(
            NearMiss(name="the runner-up named", moves=(*new_table(path, rows), *line(second))),
            NearMiss(
                name="only each person's last cost",
                moves=(*new_table(path, [rows[0], *([name, last[name]] for name in names)]), *line(most)),
            ),
            NearMiss(name="the note forgotten", moves=new_table(path, rows)),
        ),
        other_ways=_ways_to_settle(note, path, rows, costs, add_line(most)),
        cheats=(
            by_shell(
                "separated values under that name",
                f"printf '{_csv_of(rows)}' > {path}",
                f"echo 'Most: {most}' >> {note}",
            ),
            by_hand("nothing left of the note", book_made(path, rows), hand.run_code(f"echo 'Most: {most}' > {note}")),
            by_hand(
                "everyone named", book_made(path, rows), hand.run_code(f"echo 'Most: {', '.join(names)}' >> {note}")
            ),
        ),
        may_differ=(
            Admission(
                which=f"{path}: its first sheet renamed",
                why="Nobody said what the sheet of a new file is to be called.",
            ),
        ),
    )


def _csv_of(rows: list[Row]) -> str:
    return "".join(",".join(str(held) for held in row) + "\\n" for row in rows)


def _ways_to_settle(
    note: str, path: str, rows: list[Row], costs: list[tuple[str, str, float]], line: Moves
) -> tuple[Way, ...]:
    most = max(rows[1:], key=lambda row: row[1])[0]
    sums = [[row[0], "=" + "+".join(str(cost) for who, _, cost in costs if who == row[0])] for row in rows[1:]]
    return (
        by_hand("by a script", book_made(path, rows), hand.run_code(f"echo 'Most: {most}' >> {note}")),
        # The note is in front already; its button in the panel would put it away.
        by_hand("sums as formulas, the note first", *line, *new_table(path, [rows[0], *sums])),
    )


def _receipt(shop: str, day: date, parts: list[float]) -> dict[str, Any]:
    """Return what a picture of a receipt shows."""
    lines = [shop.upper(), day.strftime("%d %B %Y"), ""]
    lines += [f"item {number}      {part:.2f}" for number, part in enumerate(parts, start=1)]
    lines += ["", f"TOTAL      {sum(parts):.2f}"]
    shapes = [
        {"kind": "text", "box": [40, 40 + 48 * number, 0, 0], "text": line, "size": 32}
        for number, line in enumerate(lines)
        if line
    ]
    return {"width": 460, "height": 80 + 48 * len(lines), "background": "#fdfcf5", "shapes": shapes}


def _draw_receipts(draw: Draw) -> tuple[list[Row], list[Row], list[Call]]:
    """Return what is in the list, what the receipts say, and the steps that paint them."""
    old = [[date(2026, 3, day).isoformat(), draw.choice(SHOPS), draw.amount(6, 40)] for day in range(1, 8, 2)]
    shops, days = draw.some(SHOPS, 3), sorted(draw.some(range(8, 12), 3))
    new, pictures = [], []
    for number, (shop, day) in enumerate(zip(shops, days, strict=True), start=1):
        bought, parts = date(2026, 3, day), [draw.amount(2, 15) for _ in range(draw.randint(2, 4))]
        new.append([bought.isoformat(), shop, round(sum(parts), 2)])
        pictures.append(make.picture(f"Pictures/Receipts/{number}.png", **_receipt(shop, bought, parts)))
    return old, new, pictures


@template(
    apps=("libreoffice-calc", "ristretto", "mousepad"),
    level=4,
    demand="Life/Finance/Transaction Management",
    limits=Limits(steps=100, seconds=1500),
    version=3,
)
def receipts_into_the_ledger(draw: Draw) -> Draft:
    """Photos of receipts go into a list, and what is left of the budget is written down."""
    old, new, pictures = _draw_receipts(draw)
    budget = draw.randint(30, 45) * 10
    left = round(budget - sum(row[2] for row in (*old, *new)), 2)
    topic = draw.choice(("food", "snack", "kitchen", "household"))
    path, note = f"Documents/{topic}.ods", f"Documents/{topic}-budget.txt"
    text = f"{topic.capitalize()} budget in March: {budget:.2f}\nLeft:"

    def book_rows(rows: list[Row]) -> Moves:
        look = (*show("Image Viewer"), hand.press("Next"), hand.press("Next"))
        return (*look, *show(f"{topic}.ods"), *enter_rows(f"A{len(old) + 2}", rows), *save(path))

    ignored = round(left + sum(row[2] for row in old), 2)
    return Draft(
        instruction="There are three receipts in Pictures/Receipts (the first one is open). Please add each "
        f"of them as a new row to the {topic} list that's open in Calc, with date, shop and total, and save "
        f"the list. Then work out how much of the {topic} budget is left after everything on the list and "
        f'write it after "Left:" in Documents/{topic}-budget.txt, with two decimals.',
        paraphrases=(
            f"Add my three receipts from Pictures/Receipts to the open {topic} list (one row each: date, shop, "
            f'total) and save it. Then fill in "Left:" in Documents/{topic}-budget.txt with what remains of '
            "the budget once everything on the list is paid for, to two decimals.",
        ),
        setup=(
            *pictures,
            make.text_file(note, text),
            book(path, ("March", [["Date", "Shop", "Amount"], *old]), kinds={"A": "date"}, widths=[24, 40, 20]),
            make.launch(["ristretto", "Pictures/Receipts/1.png"], window="1.png"),
            make.calc(path),
        ),
        check=expect.all_of(
            [
                expect.table_is(
                    see.spreadsheet(path),
                    [["Date", "Shop", "Amount"], *old, *new],
                    sheet="March",
                    ordered=False,
                    tolerance=0.005,
                    case=False,
                ),
                expect.text_is(see.text(note), f"{text}{left:.2f}"),
            ]
        ),
        expected=(path, note),
        solution=(*book_rows(new), *add_to_note(note, f"{left:.2f}")),
        near_misses=(
            NearMiss(name="two of three receipts", moves=(*book_rows(new[:2]), *add_to_note(note, f"{left:.2f}"))),
            NearMiss(
                name="only the receipts subtracted from the budget",
                moves=(*book_rows(new), *add_to_note(note, f"{ignored:.2f}")),
            ),
            NearMiss(name="the list not saved", moves=(*book_rows(new)[:-2], *add_to_note(note, f"{left:.2f}"))),
        ),
        other_ways=_ways_to_book(path, note, old, new, left),
        cheats=_cheats_at_the_ledger(path, note, old, new, left),
    )


def _cells_from(rows: list[Row], first: int) -> dict[str, object]:
    """Return rows as cells by address, from a row on."""
    return {
        f"{column}{number}": held
        for number, row in enumerate(rows, start=first)
        for column, held in zip("ABC", row, strict=True)
    }


def _ways_to_book(path: str, note: str, old: list[Row], new: list[Row], left: float) -> tuple[Way, ...]:
    as_printed = [[f"{date.fromisoformat(day):%m/%d/%Y}", shop.upper(), sum_] for day, shop, sum_ in reversed(new)]
    append = hand.run_code(f"printf ' {left:.2f}\\n' >> {note}")
    look = (*show("Image Viewer"), hand.press("Next"), hand.press("Next"))
    return (
        by_hand(
            "the last one first, shops as they are printed",
            *(*look, *show(path.rpartition("/")[2]), *enter_rows(f"A{len(old) + 2}", as_printed), *save(path), append),
        ),
        Way(name="into the files", moves=(cells_written(path, _cells_from(new, len(old) + 2)), append)),
        Way(
            name="into the files, a row left free", moves=(cells_written(path, _cells_from(new, len(old) + 3)), append)
        ),
    )


def _cheats_at_the_ledger(path: str, note: str, old: list[Row], new: list[Row], left: float) -> tuple[Way, ...]:
    append = hand.run_code(f"printf ' {left:.2f}\\n' >> {note}")
    summed = [[new[-1][0], "Receipts", round(sum(row[2] for row in new), 2)]]

    def book_by_code(name: str, cells: dict[str, object]) -> Way:
        return Way(name=name, moves=(cells_written(path, cells), append))

    return (
        book_by_code("all receipts in one row", _cells_from(summed, len(old) + 2)),
        book_by_code("written over what was there", _cells_from(new, 2)),
        book_by_code("without dates", _cells_from([[None, *row[1:]] for row in new], len(old) + 2)),
        Way(name="only the note", moves=(append,)),
    )
