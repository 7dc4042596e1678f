"""Checks on account books; amounts are compared to the cent, names whatever their case."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import Field

from proctor.tasks.findings import Finding, unless
from proctor.tasks.model import PlainModel
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.tasks.words import loose


class Booked(PlainModel):
    """A transaction as it should stand in the book; what is None does not matter."""

    date: datetime.date
    amount: float
    account: str
    payee: str | None = None
    category: str | None = None
    memo: str | None = None


@CHECKS.register
def transaction_exists(of: Seen, transaction: Booked, times: Annotated[int, Field(ge=0)] = 1) -> Finding:
    """The book has this transaction exactly this many times."""
    count = sum(_fits(entry, transaction) for entry in of["transactions"])
    return unless([] if count == times else [f"{of['path']} has {count} times {_show(transaction)}, expected {times}."])


@CHECKS.register
def transaction_count(of: Seen, count: Annotated[int, Field(ge=0)]) -> Finding:
    """The book has this many transactions."""
    held = len(of["transactions"])
    return unless([] if held == count else [f"{of['path']} has {held} transactions, expected {count}."])


@CHECKS.register
def transactions_are(of: Seen, transactions: list[Booked]) -> Finding:
    """The book has exactly these transactions, in any order."""
    return unless(_differences(of["path"], list(of["transactions"]), transactions))


@CHECKS.register
def balance_is(of: Seen, account: str, amount: float) -> Finding:
    """An account has this balance, counting all its transactions."""
    held = {name.casefold(): balance for name, balance in of["balances"].items()}.get(account.casefold())
    if held is None:
        return unless([f"{of['path']} has no account '{account}'; it has {', '.join(of['balances']) or 'none'}."])
    same = abs(held - amount) < 0.005
    return unless([] if same else [f"The account '{account}' has {held:.2f}, expected {amount:.2f}."])


@CHECKS.register
def account_book_kept(of: Seen, before: Seen) -> Finding:
    """The book still has its accounts, with their initial balances, its payees and its categories.

    More may be added. None may be added that is called like one of the accounts: what is booked there is not booked
    where it looks. None of them is closed that was not, or has become one of another kind or currency.
    """
    problems = [
        f"The account '{name}' began with {_money(of['began'].get(name))}, expected {began:.2f}."
        for name, began in before["began"].items()
        if name not in of["began"] or abs(of["began"][name] - began) >= 0.005
    ]
    named = [loose(name) for name in of.get("accounts", of["began"])]
    problems += [f"There are several accounts '{name}'." for name in before["began"] if named.count(loose(name)) > 1]
    shut = [name for name in of.get("closed", ()) if name not in before.get("closed", ())]
    problems += [f"The account '{name}' is closed." for name in shut if name in before["began"]]
    problems += [
        f"The account '{name}' has become one of another kind or currency."
        for name, kind in before.get("kinds", {}).items()
        if of.get("kinds", {}).get(name) != kind
    ]
    for kind in ("payees", "categories"):
        problems += [f"'{name}' is no longer among the {kind}." for name in before[kind] if name not in of[kind]]
    return unless(problems)


def _money(amount: float | None) -> str:
    return "nothing" if amount is None else f"{amount:.2f}"


def _differences(path: str, left: list[dict[str, object]], wanted: list[Booked]) -> Iterator[str]:
    for transaction in wanted:
        found = next((entry for entry in left if _fits(entry, transaction)), None)
        if found is None:
            yield f"{path} lacks {_show(transaction)}."
        else:
            left.remove(found)
    for entry in left:
        yield f"{path} should not have {_show(Booked.model_validate(entry))}."


def _fits(entry: dict[str, Any], wanted: Booked) -> bool:
    if entry["date"] != wanted.date.isoformat() or abs(entry["amount"] - wanted.amount) >= 0.005:
        return False
    return all(
        held is None or loose(entry[name]) == loose(held)
        for name, held in wanted.model_dump(include={"account", "payee", "category", "memo"}).items()
    )


def _show(transaction: Booked) -> str:
    details = [f"{transaction.amount:.2f} on {transaction.date} in '{transaction.account}'"]
    details += [
        f"{name} '{held}'"
        for name, held in transaction.model_dump(include={"payee", "category", "memo"}).items()
        if held
    ]
    return f"a transaction of {', '.join(details)}"
