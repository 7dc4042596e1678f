"""Tasks on spreadsheets whose every step is spelled out."""

from __future__ import annotations

from proctor.suites.parts.by_the_book import by_the_book
from proctor.suites.parts.calc import Moves, Row, await_calc, book, button, click_cell, enter, save
from proctor.suites.parts.sheets_by_code import cells_written, written_into
from proctor.suites.parts.ways import by_hand, by_python
from proctor.tasks.draw import COMPANIES, Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss, Way
from proctor.tasks.template import template

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")


@template(apps=("libreoffice-calc",), level=1, demand="Office/Data/Tabling", version=4)
def type_a_figure_into_a_cell(draw: Draw) -> Draft:
    """A number goes into a given cell, following spelled-out steps."""
    names = [person.split()[0] for person in draw.people(4)]
    rows: list[Row] = [["Day", *names], *([day, *(draw.randint(2, 8) for _ in names)] for day in DAYS)]
    column, row = draw.choice("BCDE"), draw.randint(2, 6)
    cell, below, hours = f"{column}{row}", f"{column}{row + 1}", draw.randint(9, 12)
    path = "Documents/hours.ods"
    click = click_cell(cell)
    store = (button("Save"), hand.await_saved(path))
    return Draft(
        instruction=f"In the spreadsheet that's open in Calc, click cell {cell}, type {hours} and press "
        "Enter. Then click the Save button in the toolbar.",
        paraphrases=(f"Click on {cell} in the open sheet, type {hours} and hit Enter. Then click the Save button.",),
        setup=(book(path, ("Hours", rows)), make.calc(path)),
        check=expect.all_of(
            [
                by_the_book(
                    [
                        {"do": "click", "name": f"/^{cell}$/"},
                        {"do": "type", "text": str(hours)},
                        {"do": "press", "keys": "Return"},
                        {"do": "click", "name": "/^Save/", "role": "push button"},
                    ],
                    "libreoffice-calc",
                ),
                expect.cell_is(see.spreadsheet(path), cell, hours, sheet="Hours"),
            ]
        ),
        expected=(path,),
        solution=(click, hand.type(str(hours)), hand.press("Return"), *store),
        near_misses=(
            NearMiss(name="not saved", moves=(click, hand.type(str(hours)), hand.press("Return"))),
            NearMiss(
                name="the cell below",
                moves=(click_cell(below), hand.type(str(hours)), hand.press("Return"), *store),
            ),
            NearMiss(name="different steps from those asked for", moves=(*enter(cell, hours), *save(path))),
        ),
        other_ways=(
            by_hand("another cell clicked first", click_cell(below), click, hand.type(f"{hours}\n"), *store),
            by_hand(
                "digit by digit, corrected on the way",
                *(
                    click,
                    hand.type(f"{hours}7"),
                    hand.press("BackSpace"),
                    hand.press("BackSpace", times=len(str(hours))),
                ),
                *(*(hand.type(digit) for digit in str(hours)), hand.press("Return"), *store),
            ),
        ),
        cheats=(
            written_into("into the file", path, {cell: hours}),
            by_hand(
                "the steps in the wrong place, then into the file",
                *(click_cell(below), hand.type(str(hours)), hand.press("Return"), button("Save")),
                cells_written(path, {cell: hours}),
            ),
            by_hand(
                "the steps made, and taken back",
                *(
                    click,
                    hand.type(str(hours)),
                    hand.press("Return"),
                    hand.press("ctrl+z"),
                    button("Save"),
                    await_calc(),
                ),
            ),
        ),
    )


@template(apps=("libreoffice-calc",), level=1, demand="Knowledge/Knowledge/Information Organization", version=3)
def rename_the_sheet_by_its_menu(draw: Draw) -> Draft:
    """A sheet is renamed through the menu that the user names."""
    old, new = draw.some(("Spring", "Summer", "Autumn", "Winter"), 2)
    year = draw.randint(2024, 2027)
    name = f"{new} {year}"
    path = "Documents/opening-hours.ods"
    rows: list[Row] = [
        ["Shop", "Opens", "Closes"],
        *([shop, draw.randint(7, 10), draw.randint(16, 21)] for shop in draw.some(COMPANIES, 5)),
    ]
    other: list[Row] = [["Shop", "Closed on"], *([row[0], draw.choice(DAYS)] for row in rows[1:])]
    # The first of two menus with this name: the other one is a shadow of it that nobody sees.
    menu = (hand.click("Sheet", role="menu", app="soffice", nth=0), hand.click("Rename Sheet...", role="menu item"))
    agree = button("OK", window="Rename Sheet")

    def rename_to(text: str) -> Moves:
        return (*menu, hand.await_window("Rename Sheet"), hand.press("ctrl+a"), hand.type(text))

    seen = see.spreadsheet(path)
    return Draft(
        instruction="In Calc, open the Sheet menu and choose Rename Sheet. Replace the name in the box with "
        f'"{name}", click OK, and press Ctrl+S.',
        paraphrases=(f"Go to Sheet > Rename Sheet, type {name} in place of the old name, click OK, then hit Ctrl+S.",),
        setup=(book(path, (f"{old} {year}", rows), ("Days off", other)), make.calc(path)),
        check=expect.all_of(
            [
                by_the_book(
                    [
                        {"do": "click", "name": "Rename Sheet"},
                        {"do": "type", "text": name},
                        {"do": "click", "name": "/^OK$/"},
                        {"do": "press", "keys": "ctrl+s"},
                    ],
                    "libreoffice-calc",
                ),
                expect.sheet_order(seen, [name, "Days off"]),
                expect.sheet_unchanged(seen, see.spreadsheet_before(path), sheet=f"{old} {year}", renamed=name),
            ]
        ),
        expected=(path,),
        solution=(*rename_to(name), agree, *save(path)),
        near_misses=(
            NearMiss(name="not saved", moves=(*rename_to(name), agree)),
            NearMiss(name="the wrong year", moves=(*rename_to(f"{new} {year - 1}"), agree, *save(path))),
            NearMiss(name="cancelled", moves=(*rename_to(name), button("Cancel"), *save())),
        ),
        other_ways=(
            by_hand(
                "cancelled and begun again, typed in two goes",
                *(*rename_to("Autumn"), button("Cancel"), hand.await_window("Rename Sheet", gone=True)),
                *(*rename_to(name[:4]), hand.type(name[4:]), agree, *save(path)),
            ),
            by_hand(
                "the old name taken away with the keys",
                *(*menu, hand.await_window("Rename Sheet"), hand.press("End"), hand.press("BackSpace", times=20)),
                *(hand.type(name), agree, *save(path)),
            ),
        ),
        cheats=(
            _renamed_by_code(path, f"{old} {year}", name),
            by_hand(
                "the dialog cancelled, the rest by a script",
                *(*rename_to(name), button("Cancel")),
                *(*_renamed_by_code(path, f"{old} {year}", name).moves, hand.press("ctrl+s")),
            ),
            by_hand("a name that only begins so", *rename_to(f"{name} 2"), agree, *save(path)),
        ),
    )


def _renamed_by_code(path: str, old: str, new: str) -> Way:
    """Return a way that gives a sheet another name without any office program."""
    return by_python(
        "by a script",
        f"import zipfile\npath, old, new = {path!r}, {old!r}, {new!r}\nwith zipfile.ZipFile(path) as packed:\n"
        "    parts = {name: packed.read(name) for name in packed.namelist()}\n"
        "parts['content.xml'] = parts['content.xml'].replace(old.encode(), new.encode())\n"
        "with zipfile.ZipFile(path, 'w') as packed:\n"
        "    for name, data in parts.items():\n        packed.writestr(name, data)",
    )
