"""Subtasks on household money in HomeBank."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proctor.graphs.compose.contents import MONEY
from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.subtask import Bound, Subtask, Work
from proctor.graphs.compose.theme import Theme
from proctor.home import HOME
from proctor.suites.core.money import book as enter
from proctor.suites.core.money import booked_into
from proctor.suites.parts.programs import close_window, named_in_dialog, new_path, quote_path, rows_of, start_program
from proctor.suites.parts.ways import by_hand, by_shell
from proctor.suites.pool.notes import READING, read_text
from proctor.suites.pool.sums import numeric_columns, plain_number
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import NearMiss

BOOK = "Documents/household.xhb"
WINDOW = "HomeBank"
BANK, BILLS = "Town Bank", "Bills"
SOLD_AT = {
    "Alder Books": ("Books", "Leisure"), "Corner Bakery": ("Food",), "Harbour Stores": ("Food", "Leisure", "Furniture"),
    "Linden Tools": ("Furniture", "Leisure"), "Morning Market": ("Food",), BANK: (BILLS,),
}  # fmt: skip
"""What is bought where."""
SHOPS = list(SOLD_AT)
CATEGORIES = [BILLS, "Books", "Food", "Furniture", "Leisure", "Travel"]
ACCOUNTS = ["Current account", "Cash"]
EARLIER: list[dict[str, object]] = [
    {"date": "2026-03-02", "amount": -31.5, "account": "Cash", "payee": "Corner Bakery", "category": "Food"},
    {"date": "2026-03-03", "amount": -18.9, "account": "Current account", "payee": "Alder Books", "category": "Books"},
]
SETUP = (
    make.account_book(
        BOOK,
        [{"name": "Current account", "initial": 4850.0}, {"name": "Cash", "initial": 740.0}],
        EARLIER,
        categories=CATEGORIES,
        payees=SHOPS,
    ),
)


class _Record(Subtask):
    """Whatever enters an expense into a copy of the household book."""

    app = "homebank"
    demand = "Life/Finance/Transaction Management"

    def entry(self, bound: Bound) -> dict[str, Any]:
        """Return the expense."""
        params = bound.params
        return {
            "date": params["day"],
            "amount": -self.amount(bound),
            "account": params["account"],
            "payee": params["shop"],
            "category": params["category"],
        }

    def amount(self, bound: Bound) -> float:
        """Return what was spent; the wording names it unless told otherwise."""
        return float(bound.params["amount"])

    def look(self, bound: Bound) -> tuple[Call, ...]:
        """Return the moves by which a person would see the amount."""
        return ()

    def draw_expense(self, draw: Draw, theme: Theme) -> dict[str, str]:
        """Draw what every expense has."""
        shop = theme.among("shop", draw, [shop for shop in SHOPS if shop != BANK])
        return {
            "day": f"2026-03-{draw.randint(4, 11):02d}",
            "account": draw.choice(ACCOUNTS),
            "shop": shop,
            "category": theme.among("category", draw, SOLD_AT[shop]),
        }

    def work(self, bound: Bound) -> Work:
        copy, entry = bound.gives["book"], self.entry(bound)

        def enter_expense(entry: dict[str, object]) -> tuple[Call, ...]:
            return (*start_program(f"homebank {HOME}/{BOOK}", WINDOW), *enter([entry], save=False))

        saved = (hand.press("ctrl+shift+s"), *named_in_dialog("Save homebank file as", copy), *close_window(WINDOW))
        copied = hand.run_code(f"cp {BOOK} {quote_path(copy)}")
        wrong = next(account for account in ACCOUNTS if account != entry["account"])
        return Work(
            moves=(*self.look(bound), *enter_expense(entry), *saved),
            check=expect.all_of(
                [
                    expect.transactions_are(see.account_book(copy.value), [*EARLIER, entry]),
                    expect.account_book_kept(see.account_book(copy.value), see.account_book_before(BOOK)),
                ]
            ),
            copies={copy.value: BOOK},
            near_misses=(
                NearMiss(name="from the other account", moves=(*enter_expense({**entry, "account": wrong}), *saved)),
            ),
            other_ways=(
                by_hand("into a copy by Python", copied, booked_into(copy.value, [entry])),
                by_hand(
                    "into a copy, saved where it is",
                    copied,
                    *start_program(f"homebank {HOME}/{copy.value}", WINDOW),
                    *(*enter([entry], save=False), hand.press("ctrl+s"), hand.await_saved(copy.value)),
                ),
            ),
            cheats=(
                by_hand("booked twice", copied, booked_into(copy.value, [entry, entry])),
                by_hand("money that came in", copied, booked_into(copy.value, [{**entry, "amount": -entry["amount"]}])),
                by_hand("on today's date", copied, booked_into(copy.value, [{**entry, "date": "2026-03-12"}])),
                by_hand("in the old book too", booked_into(BOOK, [entry]), copied),
                by_shell("copied as it is", f"cp {BOOK} {quote_path(copy)}"),
            ),
            expected=READING,
            setup=SETUP,
        )


class RecordAnExpense(_Record):
    """An expense is entered into a copy of the household book."""

    version = 4
    gives = {"book": "file"}
    asks = (
        f"open {BOOK} in HomeBank, enter an expense of {{amount}} euros on {{day}} with the payee {{shop}}, the "
        "category {category} and the account {account}, and save the file under the new name {book}",
        f"record in HomeBank that {{amount}} euros were spent on {{day}} at {{shop}} (category {{category}}, account "
        f"{{account}}): add it to {BOOK}, but save that as a new file {{book}}",
    )
    tied = True
    brief = (
        "add {amount} euros spent on {day} ({shop}, {category}, {account}) in HomeBank to "
        "Documents/household.xhb, saved as {book}"
    )
    steps = (
        f"Open {BOOK} in HomeBank.",
        "Add an expense: {day}, {amount}, account {account}, payee {shop}, category {category}.",
        "Save the file as {book} and close HomeBank.",
    )

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        book = Resource("file", new_path(draw, theme, "Documents", ("book", "accounts", "cash-book"), ".xhb"))
        return Bound(
            gives={"book": book}, params={**self.draw_expense(draw, theme), "amount": f"{draw.amount(8, 90):.2f}"}
        )


class RecordATotal(_Record):
    """The total of a column of a table is entered into a copy of the household book."""

    version = 4
    takes = {"table": "table_file"}
    gives = {"book": "file"}
    asks = (
        f"add up the column {{column}} of {{table}}, enter the total into {BOOK} in HomeBank as an expense on {{day}} "
        "with the payee {shop}, the category {category} and the account {account}, and save the file under the new "
        "name {book}",
        f"record in HomeBank that the total of the column {{column}} in {{table}} was spent on {{day}} at {{shop}} "
        f"(category {{category}}, account {{account}}): add it to {BOOK}, but save that as a new file {{book}}",
    )
    tied = True
    brief = (
        "add the {column} total of {table}, spent on {day} ({shop}, {category}, {account}), in HomeBank to "
        "Documents/household.xhb, saved as {book}"
    )
    steps = (
        "Open {table} in Mousepad and add up the numbers under {column}.",
        f"Open {BOOK} in HomeBank.",
        "Add an expense of that amount: {day}, account {account}, payee {shop}, category {category}.",
        "Save the file as {book} and close HomeBank.",
    )

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        headings, *body = rows_of(takes["table"])
        columns = numeric_columns([headings, *body])
        place = next((headings.index(name) for name in MONEY if name in headings), columns[-1])
        book = Resource("file", new_path(draw, theme, "Documents", ("costs", "totals", "ledger"), ".xhb"))
        params = {**self.draw_expense(draw, theme), "shop": BANK, "category": BILLS, "column": str(headings[place])}
        return Bound(takes=takes, gives={"book": book}, params=params)

    def amount(self, bound: Bound) -> float:
        headings, *body = rows_of(bound.takes["table"])
        place = [str(heading) for heading in headings].index(bound.params["column"])
        return float(plain_number(sum(float(row[place]) for row in body)))

    def look(self, bound: Bound) -> tuple[Call, ...]:
        return read_text(bound.takes["table"])


class RecordTheLargest(RecordATotal):
    """The largest number in a column of a table is entered into a copy of the household book."""

    version = 1
    asks = (
        f"find the largest number in the column {{column}} of {{table}}, enter it into {BOOK} in HomeBank as an "
        "expense on {day} with the payee {shop}, the category {category} and the account {account}, and save the file "
        "under the new name {book}",
        f"record in HomeBank that the largest number in the column {{column}} of {{table}} was spent on {{day}} at "
        f"{{shop}} (category {{category}}, account {{account}}): add it to {BOOK}, but save that as a new file "
        "{book}",
    )
    brief = (
        "add only the largest {column} of {table}, spent on {day} ({shop}, {category}, {account}), in HomeBank to "
        "Documents/household.xhb, saved as {book}"
    )
    steps = (
        "Open {table} in Mousepad and find the largest number under {column}.",
        f"Open {BOOK} in HomeBank.",
        "Add an expense of that amount: {day}, account {account}, payee {shop}, category {category}.",
        "Save the file as {book} and close HomeBank.",
    )

    def amount(self, bound: Bound) -> float:
        headings, *body = rows_of(bound.takes["table"])
        place = [str(heading) for heading in headings].index(bound.params["column"])
        return float(plain_number(max(float(row[place]) for row in body)))
