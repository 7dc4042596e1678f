"""Tasks that bring something out of a spreadsheet: a chart, an export, an answer."""

from __future__ import annotations

from datetime import date, timedelta

from proctor.suites.parts.calc import (
    Moves,
    Row,
    book,
    button,
    confirm,
    enter,
    enter_rows,
    go_to,
    save,
    save_as,
)
from proctor.suites.parts.giving_up import blindly, having_looked
from proctor.suites.parts.sheets_by_code import cells_written, rows_exported
from proctor.suites.parts.ways import by_hand, by_shell
from proctor.tasks.call import Call
from proctor.tasks.draw import CITIES, Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss, Way
from proctor.tasks.template import template

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
PLACES = ("museum", "library", "swimming pool", "botanical garden", "planetarium")
STREETS = ("Mill Lane", "Station Road", "Hill Street", "Park Avenue", "Church Walk", "Bridge Street", "Elm Close")
RESTAURANTS = ("Blue Door", "Casa Mia", "Green Bowl", "Noodle Bar", "Old Mill", "Pier 7", "Saffron", "Tapas Corner")


def make_chart(cells: str, titled: str, kind: str = "Column") -> Moves:
    """Have a chart made of some cells."""
    return (*go_to(cells), button("Chart"), *through_the_wizard(titled, kind))


def through_the_wizard(titled: str, kind: str = "Column") -> Moves:
    """Go through the chart wizard; without a title it ends at its first page."""
    pick = () if kind == "Column" else (hand.click(kind, role="table cell", window="Chart Type"),)
    pages = ("Data Range", "Data Series", "Chart Elements") if titled else ()
    turn = tuple(move for page in pages for move in (hand.press("alt+n"), hand.await_window(page)))
    written = (hand.click(role="text", window="Chart Elements", nth=1), hand.type(titled)) if titled else ()
    return (
        hand.await_window("Chart Type"),
        *pick,
        *turn,
        *written,
        button("Finish"),
        hand.await_window("Chart", gone=True),
        hand.press("Escape"),
        hand.press("Escape"),
    )


@template(apps=("libreoffice-calc",), level=2, demand="Office/Data/Visualization", version=4)
def chart_the_visitors(draw: Draw) -> Draft:
    """One column of a table becomes a chart with a title."""
    place, first, count = draw.choice(PLACES), draw.randint(0, 5), draw.randint(5, 7)
    rows: list[Row] = [["Month", "Visitors", "Tickets"]]
    for month in MONTHS[first : first + count]:
        visitors = draw.randint(400, 2900)
        rows.append([month, visitors, visitors - draw.randint(20, 200)])
    title = f"Visitors to the {place}"
    path, last = f"Documents/{place.replace(' ', '-')}.ods", count + 1

    return Draft(
        instruction="Can you add a column chart of the visitors per month to the open sheet? Just the "
        f'visitors, not the tickets. Title it "{title}" and save the file.',
        paraphrases=(
            f'I need a column chart titled "{title}" in the open file, showing only the monthly visitors. Save '
            "it, please.",
        ),
        setup=(book(path, ("Counts", rows)), make.calc(path)),
        check=expect.all_of(
            [
                expect.chart_exists(
                    see.spreadsheet(path),
                    kind="column",
                    sheet="Counts",
                    title=title,
                    values=[f"Counts!B2:B{last}"],
                    categories=f"Counts!A2:A{last}",
                    alone=True,
                ),
            ]
        ),
        expected=(path,),
        solution=(*make_chart(f"A1:B{last}", title), *save(path)),
        near_misses=(
            NearMiss(name="tickets included", moves=(*make_chart(f"A1:C{last}", title), *save(path))),
            NearMiss(name="without a title", moves=(*make_chart(f"A1:B{last}", ""), *save(path))),
            NearMiss(name="a line instead of columns", moves=(*make_chart(f"A1:B{last}", title, "Line"), *save(path))),
        ),
        other_ways=(
            by_hand("without the headings", *make_chart(f"A2:B{last}", title), *save(path)),
            by_hand(
                "the kind clicked too, saved by the button",
                *make_chart(f"A1:B{last}", title, "/^Column$/"),
                *(button("Save"), hand.await_saved(path)),
            ),
        ),
        cheats=(
            by_hand(
                "the tickets under that title", *_second_column(rows), *make_chart(f"A1:B{last}", title), *save(path)
            ),
            by_hand("only a heading where a chart could be", *enter("E1", title), *save(path)),
        ),
    )


def _second_column(rows: list[Row]) -> Moves:
    """Put the tickets in the visitors' place."""
    return enter_rows("B2", [[row[2]] for row in rows[1:]])


@template(apps=("libreoffice-calc",), level=2, demand="Office/Data/Tabling", version=3)
def addresses_for_the_courier(draw: Draw) -> Draft:
    """The second sheet of a file is exported as CSV; the file itself stays as it is."""
    people = draw.people(6)
    streets = [f"{draw.choice(STREETS)} {draw.randint(2, 90)}" for _ in people]
    sent: list[Row] = [
        ["Name", "Street", "City", "Parcels"],
        *(
            [name, street, draw.choice(CITIES), draw.randint(1, 4)]
            for name, street in zip(people, streets, strict=True)
        ),
    ]
    kept: list[Row] = [["Name", "Order value"], *([name, draw.amount(20, 300)] for name in people)]
    path, name = "Documents/orders.ods", draw.choice(("courier.csv", "parcels.csv", "pickup.csv"))
    target, sheet = f"Documents/{name}", ["Addresses"]

    def export(turn: bool = True) -> Moves:
        turned = (hand.press("ctrl+Next"),) if turn else ()
        # The first dialog proposes to stay with the format, the second the usual separators.
        agree = (*confirm("Confirm File Format"), *confirm("Export Text File"))
        return (*turned, *save_as(name), *agree, hand.await_window(name))

    return Draft(
        instruction="The courier needs our addresses. Please save the Addresses sheet of orders.ods, which is "
        f"open, as {name} (CSV) in the same folder. Don't change orders.ods itself.",
        paraphrases=(
            f"Export the Addresses sheet from orders.ods to Documents/{name}, as CSV. orders.ods must stay "
            "exactly as it is.",
        ),
        setup=(book(path, ("Values", kept), ("Addresses", sent)), make.calc(path)),
        check=expect.all_of(
            [
                expect.spreadsheet_format(see.spreadsheet(target), "csv"),
                expect.table_is(see.spreadsheet(target), sent),
                expect.sheet_order(see.spreadsheet(path), ["Values", "Addresses"]),
            ]
        ),
        expected=(target,),
        solution=export(),
        near_misses=(
            NearMiss(
                name="the wrong sheet, with the values",
                moves=export(turn=False),
            ),
            NearMiss(
                name="CSV in name only",
                moves=(*save_as(name.replace(".csv", ".ods")), hand.await_file(target.replace(".csv", ".ods"))),
            ),
        ),
        other_ways=(
            by_hand(
                "by a script, everything quoted, with semicolons",
                rows_exported(path, sheet, target, "delimiter=';', quoting=csv.QUOTE_ALL", "utf-8-sig"),
            ),
            by_hand("by a script, with commas", rows_exported(path, sheet, target)),
            by_hand("by a script, with tabs, in UTF-16", rows_exported(path, sheet, target, "'excel-tab'", "utf-16")),
        ),
        cheats=(
            by_hand("both sheets one below the other", rows_exported(path, ["Addresses", "Values"], target)),
            by_shell("the spreadsheet under that name", f"cp {path} {target}"),
            Way(
                name="the other sheet removed before",
                moves=(
                    rows_exported(path, sheet, target),
                    cells_written(path, {f"A{row}": None for row in range(2, 8)}, "Values"),
                ),
            ),
        ),
    )


def _meals(draw: Draw, *, tips: bool) -> tuple[Call, Call, list[Row]]:
    """Return the steps that make and open a ledger of meals, and its rows."""
    day, rows = date(2025, 9, 2), []
    while day < date(2026, 3, 10):
        rows.append([day.isoformat(), draw.choice(RESTAURANTS), draw.amount(9, 80), draw.randint(1, 9) / 2])
        day += timedelta(days=draw.randint(1, 3))
    heading: Row = ["Date", "Restaurant", "Bill", "Tip"]
    shown = [heading, *rows] if tips else [row[:3] for row in (heading, *rows)]
    path = "Documents/eating-out.ods"
    if not tips:
        # The list is the second sheet, so that what it lacks shows only when somebody looks.
        places = [["Restaurant"], *([name] for name in RESTAURANTS)]
        sheets = [
            {"name": "Restaurants", "rows": places, "bold_header": True, "widths": [34]},
            {"name": "Meals", "rows": shown, "bold_header": True, "widths": [24, 34, 18], "kinds": {"A": "date"}},
        ]
        return make.spreadsheet(path, sheets), make.calc(path), rows
    return book(path, ("Meals", shown), kinds={"A": "date"}, widths=[24, 34, 18]), make.calc(path), rows


@template(apps=("libreoffice-calc",), level=2, demand="Knowledge/Knowledge/Data Retrieval", version=3)
def how_much_did_i_tip(draw: Draw) -> Draft:
    """A question that a long table can answer."""
    place = draw.choice(RESTAURANTS)
    made, opened, rows = _meals(draw, tips=True)
    total = sum(row[3] for row in rows if row[1] == place)
    bills = round(sum(row[2] for row in rows if row[1] == place), 2)
    every = sum(row[3] for row in rows)
    path = "Documents/eating-out.ods"
    work = enter("H1", f'=SUMIF(B2:B{len(rows) + 1},"{place}",D2:D{len(rows) + 1})')
    return Draft(
        instruction=f"How much have I tipped at {place} in total, going by the list that's open? Just tell me "
        "the number, and don't change the file.",
        paraphrases=(f"Add up my tips at {place} from the open list and tell me the total. Don't save anything.",),
        setup=(made, opened),
        check=expect.all_of([_says_tips(total, place, rows), _is_as_it_was(path, sheet="Meals")]),
        solution=(*work, hand.answer(f"{total:g}")),
        near_misses=(
            NearMiss(name="the bills instead of the tips", moves=(hand.answer(f"{bills:.2f}"),)),
            NearMiss(name="the tips everywhere", moves=(hand.answer(f"{every:g}"),)),
            NearMiss(
                name="rounded, and not all of it looked at",
                moves=(*work, hand.answer(f"Roughly {total:g}, give or take; I did not look at every row.")),
            ),
            NearMiss(name="right and saved into the list", moves=(*work, *save(path), hand.answer(f"{total:g}"))),
        ),
        other_ways=_ways_to_tell(path, place, total, sum(row[1] == place for row in rows)),
        cheats=(
            by_hand("told of the bills", hand.answer(f"Your bills at {place} come to {total:.2f} in all.")),
            by_hand("more on top", *work, hand.answer(f"{total:g}, plus another {total + 1:g} on top.")),
            by_hand("two sums to choose from", *work, hand.answer(f"Either {total:g} or {total + 1:g}.")),
            by_hand("a few numbers, the right one among them", hand.answer(_several(total))),
        ),
    )


def _ways_to_tell(path: str, place: str, total: float, visits: int) -> tuple[Way, ...]:
    said = f"You have tipped €{total:.2f} at {place} in total, on {visits} visits."
    return (
        Way(
            name="read by a script, told in a sentence",
            moves=(rows_exported(path, ["Meals"], "/dev/stdout"), hand.answer(said)),
        ),
        by_hand(
            "by the sum in the status bar",
            *go_to("D:D"),
            hand.answer(f"Total: {total:.2f}"),
        ),
    )


def _is_as_it_was(path: str, sheet: str) -> Call:
    """Check that a sheet of a file that must not be changed holds what it held."""
    return expect.sheet_unchanged(see.spreadsheet(path), see.spreadsheet_before(path), sheet=sheet)


def _several(total: float) -> str:
    return ", ".join(f"{total + step:g}" for step in (-1, 0, 1, 2))


def _says_tips(total: float, place: str, rows: list[Row]) -> Call:
    """Check the answer: this sum, and neither the tips of other places nor any of the bills' sums."""
    tips, bills = ({name: sum(row[at] for row in rows if row[1] == name) for name in RESTAURANTS} for at in (3, 2))
    sums = {*tips.values(), *bills.values(), sum(tips.values()), sum(bills.values())}
    wrong = sorted(round(each, 2) for each in sums if abs(each - total) > 0.001)
    asked = [
        {"words": ["tip", "tips", "tipped"], "others": ["bill", "bills", "spent"]},
        {"words": [place], "others": [name for name in RESTAURANTS if name != place]},
    ]
    return expect.answer_number(
        see.answer(), total, 0.001, names=list(RESTAURANTS), not_any_of=wrong, about=asked, unit="eur"
    )


@template(
    apps=("libreoffice-calc",),
    level=3,
    demand="Knowledge/Knowledge/Data Retrieval",
    feasible=False,
    twin="how-much-did-i-tip",
    version=4,
)
def how_much_did_i_tip_unknown(draw: Draw) -> Draft:
    """The same question, but the list has no tips in it."""
    place = draw.choice(RESTAURANTS)
    made, opened, rows = _meals(draw, tips=False)
    bills = round(sum(row[2] for row in rows if row[1] == place), 2)
    path = "Documents/eating-out.ods"
    look = (hand.press("ctrl+Page_Down"), hand.press("ctrl+End"), hand.press("ctrl+Home"))
    return Draft(
        instruction=f"How much have I tipped at {place} in total, going by the workbook that's open? Just tell me "
        "the number, and don't change the file.",
        paraphrases=(f"Add up my tips at {place} from the open workbook and tell me the total. Don't save anything.",),
        setup=(made, opened),
        check=having_looked(
            *(_is_as_it_was(path, sheet=sheet) for sheet in ("Restaurants", "Meals")),
            # The headings, which end with this one.
            at=[["Bill"]],
            searched=[["/(?i)tip/"]],
            reads=[path],
            about=["tip", "column", "bill"],
        ),
        solution=(*look, hand.fail("The list has the bills only; it says nothing about tips.")),
        near_misses=(
            NearMiss(name="the bills as an answer", moves=(*look, hand.answer(f"{bills:.2f}"))),
            NearMiss(name="nothing as an answer", moves=(*look, hand.answer("0"))),
            NearMiss(
                name="a tip column made up",
                moves=(*look, *enter("D1", "Tip"), *save(path), hand.fail("The list has no tips.")),
            ),
        ),
        other_ways=(
            by_hand(
                "asked before giving up",
                hand.ask("The list only has dates, restaurants and bills. Where did you note the tips?"),
                hand.fail("The list does not say what you tipped."),
            ),
            by_hand(
                "read by the command line",
                hand.run_code(f"unzip -p {path} content.xml | grep -o '<text:p>[^<]*' | head -60"),
                hand.fail("There is no column for tips in eating-out.ods."),
            ),
        ),
        cheats=(
            blindly("tip", path, "content.xml"),
            by_hand("a tip of ten percent assumed", *look, hand.answer(f"{bills / 10:.2f}")),
            by_hand(
                "given up after looking elsewhere",
                hand.run_code("ls Downloads"),
                hand.fail("I cannot tell."),
            ),
        ),
    )
