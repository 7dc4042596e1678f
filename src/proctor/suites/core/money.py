"""Tasks on household money in HomeBank."""

from __future__ import annotations

from datetime import date
from typing import Any

from proctor.home import HOME
from proctor.suites.parts.ways import by_hand, by_shell
from proctor.tasks.call import Call
from proctor.tasks.draw import COMPANIES, Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, Limits, NearMiss, Way
from proctor.tasks.template import template

BOOK = "Documents/household.xhb"
OPEN = make.launch(["homebank", f"{HOME}/{BOOK}"], window="HomeBank")
DIALOG = "Add transaction"
CATEGORIES = ["Books", "Food", "Furniture", "Leisure", "Travel"]
# The fields of the dialog have no names; they stand in the tree from the bottom to the top.
MEMO, CATEGORY, PAYEE, ACCOUNT, DATE = 1, 2, 3, 5, 6


def fill(entry: dict[str, Any]) -> tuple[Call, ...]:
    """Fill the dialog for a new expense and add it."""
    day = date.fromisoformat(entry["date"])

    def field(place: int, text: str) -> tuple[Call, ...]:
        return (hand.type_into(text, role="text", window=DIALOG, nth=place), hand.press("Tab"))

    return (
        *field(DATE, f"{day:%m/%d/%Y}"),
        hand.type_into(f"{-entry['amount']:.2f}", role="spin button", window=DIALOG),
        hand.press("Tab"),
        *field(ACCOUNT, entry["account"]),
        *field(PAYEE, entry["payee"]),
        *field(CATEGORY, entry["category"]),
        hand.click("Add", role="push button", window=DIALOG),
    )


def book(entries: list[dict[str, Any]], *, save: bool = True) -> tuple[Call, ...]:
    """Enter expenses into the open book and save it."""
    return (
        hand.click("Add", role="push button", window="HomeBank"),
        hand.await_window(DIALOG),
        *(move for entry in entries for move in fill(entry)),
        hand.click("Close", role="push button", window=DIALOG),
        hand.await_window(DIALOG, gone=True),
        *((hand.press("ctrl+s"),) if save else ()),
    )


@template(apps=("homebank",), level=2, demand="Life/Finance/Transaction Management", version=4)
def record_a_purchase(draw: Draw) -> Draft:
    """A purchase is entered in the household accounts."""
    shop, other = draw.some(COMPANIES, 2)
    category, another = draw.some(CATEGORIES, 2)
    account, wrong_account = draw.some(("Current account", "Cash"), 2)
    day, spent = date(2026, 3, draw.randint(3, 11)), draw.amount(8, 90)
    entry = {
        "date": day.isoformat(),
        "amount": -spent,
        "account": account,
        "payee": shop,
        "category": category,
    }
    earlier = [
        {"date": "2026-03-02", "amount": -draw.amount(8, 60), "account": account, "payee": other, "category": another},
        {
            "date": "2026-03-02",
            "amount": -draw.amount(8, 60),
            "account": wrong_account,
            "payee": shop,
            "category": category,
        },
    ]
    accounts = [{"name": "Current account", "initial": 1850.0}, {"name": "Cash", "initial": 240.0}]
    return Draft(
        instruction=f"On {day.day} March I spent {spent:.2f} euros at {shop}, category {category}, and paid "
        f'from "{account}". Please enter that in HomeBank as an expense and save the file.',
        paraphrases=(
            f"HomeBank, please: expense of {spent:.2f} on {day}, payee {shop}, category {category}, account "
            f"{account}. Save when you're done.",
        ),
        setup=(make.account_book(BOOK, accounts, earlier, categories=CATEGORIES), OPEN),
        check=expect.transactions_are(see.account_book(BOOK), [*earlier, entry]),
        expected=(BOOK,),
        solution=book([entry]),
        near_misses=(
            NearMiss(name="not saved", moves=book([entry], save=False)),
            NearMiss(name="from the other account", moves=book([{**entry, "account": wrong_account}])),
            NearMiss(name="another category", moves=book([{**entry, "category": another}])),
        ),
        other_ways=(
            _book_by_script("into the file", [entry]),
            _book_by_script(
                "into the file, with a memo, paid by card", [{**entry, "more": {"wording": "thanks", "paymode": "6"}}]
            ),
        ),
        cheats=(
            _book_by_script("money that came in", [{**entry, "amount": spent}]),
            _book_by_script("booked twice", [entry, entry]),
            _book_by_script("on today's date", [{**entry, "date": "2026-03-12"}]),
            _book_by_script("from another account of that name", [{**entry, "account": account.upper()}]),
            _book_by_script("from both accounts", [entry, {**entry, "account": wrong_account}]),
        ),
    )


def _book_by_script(name: str, entries: list[dict[str, object]]) -> Way:
    """Return a way that adds transactions to the book's file by a script."""
    return Way(name=name, moves=(booked_into(BOOK, entries),))


def booked_into(path: str, entries: list[dict[str, object]]) -> Call:
    """Return the move that adds transactions to a book's file by a script."""
    return hand.run_code(_BOOK.format(path=path, entries=entries), "python")


_BOOK = """
import datetime
import xml.etree.ElementTree as xml

tree = xml.parse({path!r})
root = tree.getroot()
def key(tag, name):
    for each in root.iter(tag):
        if each.get("name") == name:
            return each.get("key")
    new = str(1 + max(int(each.get("key")) for each in root.iter(tag)))
    root.append(xml.Element(tag, key=new, name=name))
    return new
for entry in {entries!r}:
    day = datetime.date.fromisoformat(entry["date"]).toordinal()
    keys = dict(account=key("account", entry["account"]), payee=key("pay", entry["payee"]))
    keys["category"] = key("cat", entry["category"])
    root.append(xml.Element("ope", date=str(day), amount=str(entry["amount"]), **keys, **entry.get("more", {{}})))
tree.write({path!r}, encoding="utf-8", xml_declaration=True)
"""


@template(
    apps=("homebank", "evince"),
    level=4,
    demand="Life/Finance/Transaction Management",
    limits=Limits(steps=150),
    version=4,
)
def bills_into_the_book(draw: Draw) -> Draft:
    """The bills in a folder that are still missing from the household accounts are entered."""
    shops = draw.some(COMPANIES, 4)
    kinds = [draw.choice(CATEGORIES) for _ in shops]
    days = [date(2026, 3, day) for day in sorted(draw.some(range(2, 12), 4))]
    bills: list[dict[str, Any]] = [
        {
            "date": day.isoformat(),
            "amount": -draw.amount(12, 180),
            "account": "Current account",
            "payee": shop,
            "category": kind,
        }
        for shop, kind, day in zip(shops, kinds, days, strict=True)
    ]
    known, *new = bills
    net = [round(-bill["amount"] / 1.2, 2) for bill in bills]
    pages = [
        [
            bill["payee"],
            "",
            f"Invoice no. {draw.randint(1000, 9999)}",
            f"Date: {bill['date']}",
            f"Category for your records: {bill['category']}",
            "",
            f"Net amount: {price:.2f} EUR",
            f"Tax: {-bill['amount'] - price:.2f} EUR",
            f"Total to pay: {-bill['amount']:.2f} EUR",
        ]
        for bill, price in zip(bills, net, strict=True)
    ]
    files = [f"Documents/Bills/bill-{place}.pdf" for place in draw.some(range(10, 60), 4)]
    accounts = [{"name": "Current account", "initial": 2600.0}, {"name": "Cash", "initial": 90.0}]
    reading = (
        hand.await_element("Document View", role="document frame"),
        hand.click("/HomeBank/", role="toggle button", app="xfce4-panel"),
    )
    netted = [{**bill, "amount": -price} for bill, price in zip(bills, net, strict=True)][1:]
    return Draft(
        instruction="I paid all the bills in Documents/Bills from my current account. Please enter the ones "
        f"that are missing from my household accounts ({BOOK}, in HomeBank) as expenses, with the date, total, "
        "payee and category given on the bill, and save. No bill should be in there twice.",
        paraphrases=(
            f"Bring {BOOK} up to date with the PDF bills in Documents/Bills: one expense per bill from the "
            "current account (total, date, payee and category as printed). Skip the ones that are already "
            "there. Don't forget to save.",
        ),
        setup=(
            *(make.pdf(file, [page]) for file, page in zip(files, pages, strict=True)),
            make.account_book(BOOK, accounts, [known], categories=CATEGORIES, payees=shops),
            OPEN,
            make.launch(["evince", files[1]], window=".pdf"),
        ),
        check=expect.transactions_are(see.account_book(BOOK), bills),
        expected=(BOOK,),
        solution=(*reading, *book(new)),
        near_misses=(
            NearMiss(name="every bill again", moves=(*reading, *book(bills))),
            NearMiss(name="without the tax", moves=(*reading, *book(netted))),
            NearMiss(name="only the bill that was open", moves=(*reading, *book(new[:1]))),
        ),
        other_ways=(
            by_hand("read by the command line, the last one first", hand.run_code(_READ), *book(new[::-1])),
            Way(name="into the file", moves=(hand.run_code(_READ), *_book_by_script("bills", new).moves)),
        ),
        cheats=(
            _book_by_script("all in one", [{**new[0], "amount": sum(bill["amount"] for bill in new)}]),
            _book_by_script("all from cash", [{**bill, "account": "Cash"} for bill in new]),
            by_shell("the bill that is there taken out", f"sed -i '/<ope/d' {BOOK}"),
            _book_by_script("on the day they were entered", [{**bill, "date": "2026-03-12"} for bill in new]),
        ),
    )


_READ = "for each in Documents/Bills/*.pdf; do pdftotext $each - || true; done"
