"""Account books of HomeBank."""

from __future__ import annotations

import math
import re
from datetime import date
from typing import Any
from xml.etree.ElementTree import Element

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.guarded_xml import parse_xml

Told = dict[str, Any]

VOID, REMINDER = "4", "3"
"""States of transactions that do not count: cancelled ones, and those that only remind."""
CLOSED = 2
"""The bit among an account's flags that says that it is closed."""
MOST_MONEY = 1e15
"""Beyond it cents are lost, and no household has it."""
RECORDS = {
    "properties": "book", "cur": "currency", "account": "account", "pay": "payee", "cat": "category", "tag": "tag",
    "asg": "rule", "fav": "template", "ope": "transaction",
}  # fmt: skip
"""What stands in a book, by the names of its elements."""
UNTOLD = ("rule", "template")
"""What is not told elsewhere, and what HomeBank does not fill in by itself when it saves."""
REFERENCES = {
    "account": "account", "dst_account": "account", "payee": "pay", "category": "cat", "parent": "cat", "curr": "cur",
}  # fmt: skip
NUMBERS = frozenset({"key", "pos", "mdate", "kxfer", "rctd", "smode"})
"""What HomeBank gives out anew, or works out."""
MOST_WORDS = 4_000


def homebank_book(data: bytes, path: str) -> Told:
    """Return what stands in an account book."""
    root = parse_xml(data, path)
    if root.tag != "homebank":
        raise CannotSee("unreadable", f"{path} is not an account book of HomeBank")
    payees, categories, accounts = _names(root, "pay"), _category_names(root), _names(root, "account")
    transactions: list[Told] = [
        {
            "date": _day(entry.get("date", ""), path),
            "amount": _money(entry.get("amount", "0"), path),
            "account": accounts.get(entry.get("account", ""), ""),
            "payee": payees.get(entry.get("payee", ""), ""),
            "category": categories.get(entry.get("category", ""), ""),
            "memo": entry.get("wording", ""),
        }
        for entry in root.iter("ope")
        if entry.get("st") not in (VOID, REMINDER)
    ]
    spent: dict[str, float] = {}
    for entry in transactions:
        spent[entry["account"]] = spent.get(entry["account"], 0.0) + entry["amount"]
    balances = {
        name: round(_money(account.get("initial", "0"), path) + spent.get(name, 0.0), 2)
        for account in root.iter("account")
        for name in (account.get("name", ""),)
    }
    began = {name: round(balance - spent.get(name, 0.0), 2) for name, balance in balances.items()}
    listed: Told = {"accounts": [account.get("name", "") for account in root.iter("account")]}
    listed["closed"] = [account.get("name", "") for account in root.iter("account") if _is_closed(account)]
    currencies = {entry.get("key", ""): entry.get("iso", "") for entry in root.iter("cur")}
    listed["kinds"] = {
        account.get("name", ""): [account.get("type", ""), currencies.get(account.get("curr", ""), "")]
        for account in root.iter("account")
    }
    listed["title"] = next((entry.get("title", "") for entry in root.iter("properties")), "")
    listed |= {"payees": sorted(payees.values()), "categories": sorted(categories.values())}
    records = _records(root, {"account": accounts, "pay": payees, "cat": categories, "cur": currencies})
    listed["records"] = [each for each in records if each["kind"] in UNTOLD]
    listed["derived"] = [each for each in records if each["kind"] not in UNTOLD]
    # HomeBank writes them down in another order than they came in.
    transactions.sort(key=lambda entry: [str(value) for value in entry.values()])
    return {"path": path, "balances": balances, "began": began, "transactions": transactions, **listed}


def _records(root: Element, names: dict[str, dict[str, str]]) -> list[Told]:
    """Return everything that is written in a book, with names for the numbers that stand for them.

    These are accounts, payees, categories, tags, rules, templates and transactions, with all that was filled in.
    """
    found = []
    for kind in RECORDS:
        for place, entry in enumerate(root.iter(kind)):
            facts: Told = {"kind": RECORDS[kind]}
            for key, value in entry.attrib.items():
                named = names.get(REFERENCES.get(key, ""), {})
                if key not in NUMBERS and (told := _tidy(named.get(value, value))):
                    facts["words" if key == "name" else key] = told
            found.append({"name": f"{RECORDS[kind]} {facts.get('words') or place + 1}", **facts})
    return found


def _tidy(value: str) -> str:
    """Return a value as it is however it was written; nothing for 0, which need not be written."""
    number = re.fullmatch(r"(-?)0*(\d{1,15}?)(?:\.(\d*?)0*)?", value)
    if number is None:
        return value[:MOST_WORDS]
    sign, whole, part = number.groups()
    return "" if whole in ("", "0") and not part else f"{sign}{whole}{'.' + part if part else ''}"


def _is_closed(account: Element) -> bool:
    flags = account.get("flags", "0")
    return flags.isascii() and flags.isdigit() and len(flags) < 10 and bool(int(flags) & CLOSED)


def _names(root: Element, tag: str) -> dict[str, str]:
    return {entry.get("key", ""): entry.get("name", "") for entry in root.iter(tag)}


def _category_names(root: Element) -> dict[str, str]:
    """Return categories by key; one inside another is named like `Food:Bread`, as HomeBank does."""
    names = _names(root, "cat")
    above = {entry.get("key", ""): entry.get("parent", "") for entry in root.iter("cat")}
    return {key: f"{names[above[key]]}:{name}" if above[key] in names else name for key, name in names.items()}


def _day(text: str, path: str) -> str:
    try:
        return date.fromordinal(int(text)).isoformat()
    except (ValueError, OverflowError) as error:
        raise CannotSee("unreadable", f"{path} has a transaction on the day {text!r}") from error


def _money(text: str, path: str) -> float:
    try:
        amount = float(text)
    except ValueError as error:
        raise CannotSee("unreadable", f"{path} has the amount {text!r}") from error
    if not math.isfinite(amount) or abs(amount) > MOST_MONEY:
        raise CannotSee("unreadable", f"{path} has the amount {text!r}")
    return round(amount, 2)
