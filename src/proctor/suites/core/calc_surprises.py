"""Tasks on spreadsheets in which something unexpected is in the way."""

from __future__ import annotations

from proctor.home import HOME
from proctor.suites.parts.calc import Moves, Row, await_calc, book, button, enter, save, save_as
from proctor.suites.parts.sheets_by_code import book_made, cells_written, written_into
from proctor.suites.parts.users import user_who_lets_go_on
from proctor.suites.parts.ways import by_hand, by_shell
from proctor.tasks.draw import CITIES, Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Admission, Draft, NearMiss, Way
from proctor.tasks.template import template

GOODS = {
    "Garden hose": ("15 m", "25 m"),
    "Paint brush": ("2 cm", "5 cm"),
    "Flower pot": ("small", "large"),
    "Extension lead": ("3 m", "10 m"),
    "Work gloves": ("size 8", "size 10"),
    "Wood screws": ("40 mm", "60 mm"),
    "Bird seed": ("1 kg", "5 kg"),
}
SHIFTS = ("Early", "Late", "Night")
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
DRINKS = ("Espresso", "Flat white", "Green tea", "Hot chocolate", "Iced coffee", "Lemonade", "Mint tea", "Oat latte")


@template(apps=("libreoffice-calc", "mousepad"), level=3, demand="Office/Data/Tabling", version=3)
def book_in_the_delivery(draw: Draw) -> Draft:
    """Two rows have the same item; only the delivery note tells which one is meant."""
    names = draw.some(list(GOODS), 5)
    stock: list[Row] = [[name, size, draw.randint(3, 60)] for name in names for size in GOODS[name]]
    draw.shuffle(stock)
    place = draw.randrange(len(stock))
    name, size, held = stock[place]
    twin = next(number for number, row in enumerate(stock) if row[0] == name and row[1] != size)
    came = draw.randint(5, 40)
    path, note = "Documents/stock.ods", "Documents/delivery-note.txt"
    text = f"DELIVERY NOTE {draw.randint(2000, 9000)}\nThursday, 12 March 2026\n\n{came} pieces   {name}, {size}\n"
    cell, other = f"C{place + 2}", f"C{twin + 2}"
    return Draft(
        instruction=f"The {name.lower()} delivery is here, and the delivery note is open in Mousepad. Please "
        "add what came in to that item's stock in the stock list (open in Calc) and save the list.",
        paraphrases=(
            "Enter the delivery note (in Mousepad) in the stock list (in Calc): increase the stock of what was "
            "delivered by the number of pieces, then save the list.",
        ),
        setup=(
            make.text_file(note, text),
            book(path, ("Stock", [["Article", "Size", "In stock"], *stock])),
            make.launch(["mousepad", note], window="delivery-note.txt"),
            make.calc(path),
        ),
        check=expect.all_of(
            [
                expect.cell_is(see.spreadsheet(path), cell, held + came, sheet="Stock"),
            ]
        ),
        expected=(path,),
        solution=(
            hand.click("delivery-note.txt", role="toggle button", app="xfce4-panel"),
            hand.click("stock.ods", role="toggle button", app="xfce4-panel"),
            *enter(cell, held + came),
            *save(path),
        ),
        near_misses=(
            NearMiss(name="the other size", moves=(*enter(other, stock[twin][2] + came), *save(path))),
            NearMiss(name="replaced instead of added", moves=(*enter(cell, came), *save(path))),
            NearMiss(name="not saved", moves=enter(cell, held + came)),
        ),
        other_ways=(
            by_hand("as a sum", *enter(cell, f"={held}+{came}"), button("Save"), hand.await_saved(path)),
            written_into("into the file", path, {cell: held + came}),
        ),
        cheats=(
            written_into("both sizes", path, {cell: held + came, other: stock[twin][2] + came}),
            written_into("a row of its own", path, _row_below(stock, [name, size, came])),
            written_into("as a text", path, {cell: f"{held} + {came}"}),
            written_into("everything else emptied", path, _empty_cells(stock, {cell: held + came})),
        ),
    )


def _row_below(stock: list[Row], row: Row) -> dict[str, object]:
    return {f"{column}{len(stock) + 2}": held for column, held in zip("ABC", row, strict=True)}


def _empty_cells(stock: list[Row], kept: dict[str, object]) -> dict[str, object]:
    cells = {f"C{row}": None for row in range(2, len(stock) + 2)}
    return {**cells, **kept}


@template(apps=("libreoffice-calc",), level=3, demand="Office/Data/Tabling", version=3)
def new_price_in_a_protected_list(draw: Draw) -> Draft:
    """The list is write-protected, so the changed version goes next to it."""
    drinks = draw.some(DRINKS, 6)
    prices = [draw.randint(20, 60) / 10 + 0.05 for _ in drinks]
    place = draw.randrange(len(drinks))
    price = round(prices[place] + draw.randint(2, 9) / 10, 2)
    rows: list[Row] = [["Drink", "Price"], *([name, round(old, 2)] for name, old in zip(drinks, prices, strict=True))]
    path, name = "Documents/price-list.ods", f"price-list-{draw.choice(('april', 'may', 'june'))}.ods"
    target, cell = f"Documents/{name}", f"B{place + 2}"
    wanted = [list(row) for row in rows]
    wanted[place + 1][1] = price
    other = f"B{(place + 1) % len(drinks) + 2}"

    def beside(file: str) -> Moves:
        return (*save_as(file), hand.await_window(file))

    return Draft(
        instruction=f"{drinks[place]} is going up to {price:.2f}. Please change that in the price list that's "
        f"open. Today's list is protected and has to stay as it is, so save the new one next to it as {name}.",
        paraphrases=(
            f"{drinks[place]} will cost {price:.2f}. Change that in the open price list and save the result as "
            f"{name} in the same folder. The current list is write-protected and stays untouched.",
        ),
        setup=(
            book(path, ("Prices", rows)),
            make.command(["chown", "root:root", f"{HOME}/{path}"], root=True),
            make.calc(path),
        ),
        check=expect.all_of(
            [
                expect.table_is(see.spreadsheet(target), wanted, sheet="Prices", tolerance=0.0005),
                expect.spreadsheet_format(see.spreadsheet(target), "ods"),
                expect.unchanged(see.digest(path)),
            ]
        ),
        expected=(target,),
        copies={target: path},
        solution=(*beside(name), *enter(cell, price), *save()),
        near_misses=(
            NearMiss(name="a copy without the change", moves=beside(name)),
            NearMiss(name="another drink", moves=(*beside(name), *enter(other, price), *save())),
            NearMiss(name="under another name", moves=(*beside("price-list-new.ods"), *enter(cell, price), *save())),
        ),
        other_ways=(
            Way(
                name="copied and changed by a script",
                moves=(hand.run_code(f"cp {path} {target}"), cells_written(target, {cell: price})),
            ),
            by_hand(
                "by the whole path, saved by the button",
                *(
                    *save_as(f"{HOME}/{target}"),
                    hand.await_window(name),
                    *enter(cell, price),
                    button("Save"),
                    await_calc(),
                ),
            ),
        ),
        cheats=(
            by_shell("the list as it is under the new name", f"cp {path} {target}"),
            Way(
                name="every price the same",
                moves=(
                    hand.run_code(f"cp {path} {target}"),
                    cells_written(target, {f"B{row}": price for row in range(2, len(rows) + 1)}),
                ),
            ),
            Way(
                name="the old list moved away and the new one in its place too",
                moves=(
                    hand.run_code(f"cp {path} {target}"),
                    cells_written(target, {cell: price}),
                    hand.run_code(f"rm -f {path} && cp {target} {path}"),
                ),
            ),
        ),
    )


@template(apps=("libreoffice-calc",), level=3, demand="Knowledge/Knowledge/Information Organization", version=2)
def members_from_the_old_program(draw: Draw) -> Draft:
    """A dialog asks how to read a file, and its suggestion splits up the addresses."""
    rows: list[Row] = [["Name", "Address", "Fee"]]
    for person in draw.people(draw.randint(5, 8)):
        rows.append(
            [
                person,
                f"{draw.randint(1, 80)} {draw.choice(('High', 'Low', 'New', 'Old'))} Street, {draw.choice(CITIES)}",
                draw.randint(12, 60),
            ]
        )
    name = draw.choice(("members", "singers", "donors", "volunteers"))
    path, target = f"Documents/{name}.csv", f"Documents/{name}.ods"
    text = "".join(f"{';'.join(map(str, row))}\n" for row in rows)
    agree = button("OK", window="Text Import")
    whole = (hand.click("Comma", role="check box", window="Text Import"), agree, hand.await_window(f"{name}.csv"))
    store = (*save_as(f"{name}.ods"), hand.await_window(f"{name}.ods"))
    return Draft(
        instruction=f"I was just opening {name}.csv from our old program. Can you turn it into a proper "
        f"spreadsheet with the columns Name, Address and Fee, and save it as {name}.ods in Documents? Each "
        "address, city included, belongs in a single cell.",
        paraphrases=(
            f"Finish importing {name}.csv so that it has three columns (Name, Address including the city, "
            f"Fee), then save it as Documents/{name}.ods.",
        ),
        setup=(
            make.text_file(path, text),
            make.launch(
                ["libreoffice", "--norestore", "--nologo", "--calc", path], window="Text Import", timeout_sec=90
            ),
        ),
        check=expect.all_of(
            [
                expect.spreadsheet_format(see.spreadsheet(target), "ods"),
                expect.table_is(see.spreadsheet(target), rows),
                expect.text_is(see.text(path), text),
            ]
        ),
        expected=(target,),
        solution=(*whole, *store),
        near_misses=(
            NearMiss(name="the dialog's own suggestion", moves=(agree, hand.await_window(f"{name}.csv"), *store)),
            NearMiss(name="opened and not saved", moves=whole),
        ),
        other_ways=(
            by_hand("by a script", book_made(target, rows)),
            by_hand(
                "by the whole path",
                *(*whole, *save_as(f"{HOME}/{target}"), hand.await_window(f"{name}.ods")),
            ),
        ),
        cheats=(
            by_shell("renamed only", f"cp {path} {target}"),
            by_hand("the cities cut off", book_made(target, [[row[0], row[1].split(",")[0], row[2]] for row in rows])),
            by_hand("fees as texts", book_made(target, [[str(held) for held in row] for row in rows])),
            by_hand("the old file emptied", book_made(target, rows), hand.run_code(f": > {path}")),
        ),
        may_differ=(
            Admission(
                which=f"{target}: its first sheet renamed",
                why="Nobody said what the sheet of a new file is to be called.",
            ),
        ),
    )


@template(apps=("libreoffice-calc",), level=3, demand="Office/Schedule/Calendar", version=5)
def swap_in_the_locked_rota(draw: Draw) -> Draft:
    """A leftover lock stands in the way of a change."""
    people = draw.people(6)
    owner, names = people[0], [person.split()[0] for person in people[1:]]
    rows: list[Row] = [["Day", *SHIFTS], *([day, *draw.some(names, 3)] for day in DAYS)]
    day, shift = draw.randrange(5), draw.randrange(3)
    held = rows[day + 1][shift + 1]
    steps = draw.choice([name for name in names if name not in rows[day + 1]])
    path, cell = "Documents/rota.ods", f"{'BCD'[shift]}{day + 2}"
    lock = f",{owner},front-desk,11.03.2026 17:42,file:///home/front/.config/libreoffice/4;"

    def answer(label: str, window: str = "rota") -> Moves:
        return (button(label), hand.await_window(window))

    return Draft(
        instruction=f"Could you put {steps} on the {SHIFTS[shift].lower()} shift on {DAYS[day]} instead of "
        f"{held} in rota.ods, and save it there? {owner.split()[0]} still had the file open when that computer "
        "was switched off yesterday, but nobody is working on it now.",
        paraphrases=(
            f"rota.ods: the {SHIFTS[shift].lower()} shift on {DAYS[day]} goes from {held} to {steps}. Save it "
            f"in place. {owner.split()[0]}'s lock is a leftover, ignore it.",
        ),
        setup=(
            book(path, ("Rota", rows)),
            make.text_file("Documents/.~lock.rota.ods#", lock),
            make.launch(
                ["libreoffice", "--norestore", "--nologo", "--calc", path], window="Document in Use", timeout_sec=90
            ),
        ),
        check=expect.all_of(
            [
                expect.cell_is(see.spreadsheet(path), cell, steps, sheet="Rota"),
            ]
        ),
        expected=(path,),
        user=user_who_lets_go_on("Go ahead, nobody has it open any more."),
        solution=(*answer("/^Open$/"), *enter(cell, steps), *save(path)),
        near_misses=(
            NearMiss(name="read only", moves=answer("Open Read-Only")),
            NearMiss(
                name="in a separate copy",
                moves=(*answer("Open Copy", "LibreOffice Calc"), *enter(cell, steps), *save_as("rota-new.ods")),
            ),
            NearMiss(
                name="the next shift",
                moves=(*answer("/^Open$/"), *enter(f"{'CDB'[shift]}{day + 2}", steps), *save(path)),
            ),
        ),
        other_ways=(
            written_into("into the file", path, {cell: steps}),
            by_hand(
                "asked first",
                hand.ask(f"The file is locked by {owner}. May I open it all the same?"),
                *(*answer("/^Open$/"), *enter(cell, steps), button("Save"), hand.await_saved(path)),
            ),
        ),
        cheats=(
            written_into("both of them", path, {cell: f"{held} / {steps}"}),
            written_into("the whole day", path, {f"{column}{day + 2}": steps for column in "BCD"}),
            Way(
                name="in a copy beside it",
                moves=(
                    hand.run_code(f"cp {path} Documents/rota-new.ods"),
                    cells_written("Documents/rota-new.ods", {cell: steps}),
                ),
            ),
        ),
    )
