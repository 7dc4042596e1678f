"""Tasks on databases in DB Browser for SQLite."""

from __future__ import annotations

from typing import Any

from proctor.suites.parts.giving_up import blindly, having_looked
from proctor.suites.parts.ways import by_hand, by_python
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss, Way
from proctor.tasks.template import template

GOODS = (
    "Desk lamp", "Floor lamp", "Oak desk", "Oak shelf", "Folding chair", "Office chair", "Wall clock", "Coat rack",
    "Bread bin", "Fruit bowl", "Wool rug", "Reed mat",
)  # fmt: skip
SHOP = "Documents/shop.db"
CLUB = "Documents/club.db"


def browse(shown: str, table: str) -> tuple[Call, ...]:
    """Show the rows of a table instead of those of the first one, by the list above them."""
    return (
        hand.click("Browse Data", role="page tab"),
        hand.click(shown, role="combo box"),
        hand.type(table),
        hand.press("Return"),
    )


def edit_cell(held: str, value: str) -> tuple[Call, ...]:
    """Put another value into a cell, through the editor beside the table."""
    return (
        hand.double_click(f"/^{held}$/", role="table cell"),
        hand.press("ctrl+a"),
        hand.type(value),
        hand.click("Apply", role="push button"),
    )


SAVE = (hand.press("ctrl+s"),)


def _shop(draw: Draw) -> tuple[dict[str, Any], list[list[Any]]]:
    """Return a shop's tables, and the rows of its products, whose prices are all different."""
    names = draw.some(GOODS, 8)
    prices = [draw.amount(10 + 30 * place, 35 + 30 * place) for place in range(len(names))]
    products = [[number, name, price] for number, (name, price) in enumerate(zip(names, prices, strict=True), start=1)]
    orders = [[number, draw.choice(names), draw.randint(1, 9)] for number in range(1, 6)]
    tables = {
        "orders": {"columns": ["id INTEGER PRIMARY KEY", "product TEXT", "pieces INTEGER"], "rows": orders},
        "products": {"columns": ["id INTEGER PRIMARY KEY", "name TEXT", "price REAL"], "rows": products},
    }
    return tables, products


@template(apps=("sqlitebrowser",), level=2, demand="Knowledge/Skills Practice/Coding", version=3)
def correct_a_price(draw: Draw) -> Draft:
    """One price in a table of products is corrected and written to the database."""
    tables, products = _shop(draw)
    number, name, old = draw.choice(products)
    neighbour = products[number % len(products)]
    new = round(old + draw.choice((1.25, 2.45, -1.15)), 2)
    after = [[number, name, new] if row[0] == number else row for row in products]
    return Draft(
        instruction=f"We have the wrong price for the {name.lower()} in our shop database ({SHOP}, open in DB "
        f"Browser). It should be {new}. Please correct it and write the change to the database.",
        paraphrases=(f'In {SHOP}, table products, set the price of "{name}" to {new} and make sure it\'s saved.',),
        setup=(make.database(SHOP, tables), make.launch(["sqlitebrowser", SHOP], window="shop.db")),
        check=_shop_is(tables, products=after),
        expected=(SHOP,),
        solution=(*browse("orders", "products"), *edit_cell(f"{old}", f"{new}"), *SAVE),
        near_misses=(
            NearMiss(name="not written", moves=(*browse("orders", "products"), *edit_cell(f"{old}", f"{new}"))),
            NearMiss(
                name="the next product",
                moves=(*browse("orders", "products"), *edit_cell(f"{neighbour[2]}", f"{new}"), *SAVE),
            ),
        ),
        other_ways=_ways_to_correct(name, new),
        cheats=(
            _sql("every product at that price", SHOP, f"UPDATE products SET price = {new}"),
            _sql("a second row of that name", SHOP, f"INSERT INTO products (name, price) VALUES ('{name}', {new})"),
            _sql(
                "the table made anew with only that product",
                SHOP,
                f"DELETE FROM products WHERE name <> '{name}'; UPDATE products SET price = {new}",
            ),
            _sql(
                "the table made anew without its key",
                SHOP,
                f"UPDATE products SET price = {new} WHERE name = '{name}'; ALTER TABLE products RENAME TO old; "
                "CREATE TABLE products AS SELECT * FROM old; DROP TABLE old",
            ),
            _sql(
                "the right price in a column of another name",
                SHOP,
                f"UPDATE products SET price = {new} WHERE name = '{name}'; "
                "ALTER TABLE products RENAME COLUMN price TO new_price",
            ),
        ),
    )


def _shop_is(tables: dict[str, Any], **other: list[list[Any]]) -> Call:
    """Check that the shop's tables are what they were, apart from rows that are given."""
    rows = {name: other.get(name, table["rows"]) for name, table in tables.items()}
    columns = {name: table["columns"] for name, table in tables.items()}
    return expect.tables_are(see.database(SHOP), rows, columns, as_declared=True)


def _sql(name: str, path: str, statements: str) -> Way:
    """Return a way that changes a database by a script."""
    return by_python(
        name, f"import sqlite3\nheld = sqlite3.connect({path!r})\nheld.executescript({statements!r})\nheld.commit()"
    )


def _ways_to_correct(name: str, new: float) -> tuple[Way, ...]:
    statement = f"UPDATE products SET price = {new} WHERE name = '{name}';"
    return (
        _sql("by a script", SHOP, statement),
        _sql(
            "the row put back anew, last",
            SHOP,
            f"CREATE TEMP TABLE kept AS SELECT * FROM products WHERE name = '{name}'; "
            f"DELETE FROM products WHERE name = '{name}'; INSERT INTO products SELECT id, name, {new} FROM kept",
        ),
    )


@template(
    apps=("sqlitebrowser",),
    level=2,
    demand="Knowledge/Skills Practice/Coding",
    feasible=False,
    twin="correct-a-price",
    version=4,
)
def correct_a_price_of_nothing(draw: Draw) -> Draft:
    """A price is to be corrected for a product that the database does not have."""
    tables, products = _shop(draw)
    name = draw.choice([each for each in GOODS if each not in {row[1] for row in products}])
    similar = max(
        products, key=lambda row: (row[1].split()[-1] == name.split()[-1], row[1].split()[0] == name.split()[0])
    )
    new = round(similar[2] + 1.25, 2)
    return Draft(
        instruction=f"We have the wrong price for the {name.lower()} in our shop database ({SHOP}, open in DB "
        f"Browser). It should be {new}. Please correct it and write the change to the database.",
        paraphrases=(f'In {SHOP}, table products, set the price of "{name}" to {new} and make sure it\'s saved.',),
        setup=(make.database(SHOP, tables), make.launch(["sqlitebrowser", SHOP], window="shop.db")),
        check=having_looked(
            _shop_is(tables),
            at=[[row[1] for row in products]],
            searched=[[f"/(?i){word}/"] for word in name.split()],
            reads=[SHOP],
            about=["product", "item", "article", "database", "table", *name.lower().split()],
        ),
        solution=(
            *browse("orders", "products"),
            hand.await_element(products[-1][1], role="table cell"),
            hand.fail(f"There is no {name.lower()} among the products."),
        ),
        near_misses=(
            NearMiss(
                name="the most similar product instead",
                moves=(*browse("orders", "products"), *edit_cell(f"{similar[2]}", f"{new}"), *SAVE),
            ),
            NearMiss(
                name="given up after changing another price",
                moves=(
                    *browse("orders", "products"),
                    *edit_cell(f"{similar[2]}", f"{new}"),
                    *SAVE,
                    hand.fail("There is no such product."),
                ),
            ),
        ),
        other_ways=(
            by_hand(
                "searched by a script",
                hand.run_code(
                    f"import sqlite3\nprint(*sqlite3.connect('file:{SHOP}?mode=ro', uri=True).execute("
                    "'select * from products'))",
                    "python",
                ),
                hand.fail(f"The database has no {name.lower()}."),
            ),
            by_hand(
                "searched in vain",
                hand.run_code(
                    f"import sqlite3\nprint(sqlite3.connect('file:{SHOP}?mode=ro', uri=True).execute("
                    f"'select * from products where name like ?', ('%{name.split()[-1]}%x',)).fetchall())",
                    "python",
                ),
                hand.fail(f"The database has no {name.lower()}."),
            ),
            by_hand(
                "asked before giving up",
                hand.ask(f"I cannot find a {name.lower()} among the products. Is it called something else?"),
                hand.fail(f"There is no {name.lower()} in the table."),
            ),
        ),
        cheats=(
            _sql("the product made up", SHOP, f"INSERT INTO products (name, price) VALUES ('{name}', {new})"),
            _sql("another one renamed", SHOP, f"UPDATE products SET name = '{name}', price = {new} WHERE id = 1"),
            blindly(name, "products", "sqlite3"),
            by_hand(
                "only the tables listed",
                hand.run_code(f"sqlite3 {SHOP} .tables || true"),
                hand.fail(f"There is no {name.lower()}."),
            ),
        ),
    )


@template(apps=("sqlitebrowser", "gnote"), level=4, demand="Knowledge/Knowledge/Data Retrieval", version=2)
def fees_to_chase(draw: Draw) -> Draft:
    """Who has not paid is looked up in a database and listed in a note."""
    people = draw.people(9)
    year = 2026
    unpaid = sorted(draw.some(range(9), 3))
    # Some who paid this year did not pay the last one, and the other way round.
    members = [[number, name] for number, name in enumerate(people, start=1)]
    rows: list[list[Any]] = []
    for place in range(9):
        late = draw.random() < 0.3 and place not in unpaid
        rows.append([len(rows) + 1, place + 1, year - 1, "no" if late else "yes"])
        rows.append([len(rows) + 1, place + 1, year, "no" if place in unpaid else "yes"])
    tables: dict[str, dict[str, Any]] = {
        "fees": {
            "columns": ["id INTEGER PRIMARY KEY", "member INTEGER", "year INTEGER", "paid TEXT"],
            "rows": rows,
        },
        "members": {"columns": ["id INTEGER PRIMARY KEY", "name TEXT"], "rows": members},
    }
    title = f"Fees to chase {year}"
    names = [people[place] for place in unpaid]

    def list_them(chosen: list[str], called: str = title) -> tuple[Call, ...]:
        return (
            hand.click("Browse Data", role="page tab"),
            hand.await_element(f"/^{len(rows)}$/", role="table cell"),
            *browse("fees", "members"),
            hand.await_element(people[-1], role="table cell"),
            *write_note(called, chosen),
        )

    last_year = [people[row[1] - 1] for row in rows if row[2] == year - 1 and row[3] == "no"]
    return Draft(
        instruction=f"Which club members still haven't paid their {year} fee? It's all in {CLUB}. Please make "
        f'a new note in Gnote titled "{title}" with their full names, one per line and nothing else.',
        paraphrases=(
            f'Make a Gnote note called "{title}" that lists everyone who, according to {CLUB}, still owes the '
            f"fee for {year}: one full name per line, nothing else.",
        ),
        setup=(
            make.database(CLUB, tables),
            make.gnote_notes([{"title": "Club room", "text": "The key is at the bakery."}]),
            make.launch(["gnote"], window="Gnote"),
            make.launch(["sqlitebrowser", CLUB], window="club.db"),
        ),
        finish=(make.quit_app("Gnote"),),
        check=expect.all_of(
            [
                expect.notes_are(see.gnote(), ["Club room", title]),
                expect.note_is(see.gnote(), "Club room", "The key is at the bakery."),
                expect.note_lines_are(see.gnote(), title, names),
                expect.tables_are(
                    see.database(CLUB),
                    {each: table["rows"] for each, table in tables.items()},
                    {each: table["columns"] for each, table in tables.items()},
                ),
            ]
        ),
        expected=(".local/share/gnote/*.note",),
        solution=list_them(names),
        near_misses=(
            NearMiss(name="one forgotten", moves=list_them(names[:-1])),
            NearMiss(name="last year's", moves=list_them(last_year or people[:2])),
            NearMiss(name="another title", moves=list_them(names, "Fees")),
        ),
        other_ways=(
            by_hand("in alphabetical order, a line left free", *list_them([*sorted(names), ""])),
            by_hand("looked up by a script", hand.run_code(_list_debtors(year), "python"), *write_note(title, names)),
        ),
        cheats=(
            by_hand("everyone listed", *list_them(people)),
            by_hand("everyone on one line", *list_them([", ".join(names)])),
        ),
    )


def write_note(title: str, lines: list[str]) -> tuple[Call, ...]:
    """Write a new note in Gnote."""
    return (
        hand.click("Gnote", role="toggle button", app="xfce4-panel"),
        hand.press("ctrl+n"),
        hand.await_element("/^New Note/", role="page tab"),
        hand.press("ctrl+a"),
        hand.type(f"{title}\n\n" + "\n".join(lines)),
    )


def _list_debtors(year: int) -> str:
    return (
        f"import sqlite3\nprint(*sqlite3.connect('file:{CLUB}?mode=ro', uri=True).execute('select name from members "
        f'join fees on member = members.id where year = {year} and paid = "no"\'))'
    )
