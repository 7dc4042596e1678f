"""Setup steps that make account books."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from xml.sax.saxutils import quoteattr

from proctor.tasks.model import PlainModel
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP


class BankAccount(PlainModel):
    """An account and what was on it in the beginning."""

    name: str
    initial: float = 0.0


class Transaction(PlainModel):
    """Money that went out (negative) or came in; payees and categories need no other mention."""

    date: date
    amount: float
    account: str
    payee: str = ""
    category: str = ""
    memo: str = ""


@SETUP.register_before_use
def account_book(
    context: SetupContext,
    path: str,
    accounts: list[BankAccount],
    transactions: list[Transaction] | None = None,
    categories: list[str] | None = None,
    payees: list[str] | None = None,
) -> None:
    """Write a HomeBank account book, in euros."""
    book = homebank_xml(path, accounts, transactions or (), categories or (), payees or ())
    context.computer.write_file(path, book.encode())


def homebank_xml(
    path: str,
    accounts: Sequence[BankAccount],
    transactions: Sequence[Transaction],
    categories: Sequence[str],
    payees: Sequence[str],
) -> str:
    """Return an account book as HomeBank keeps it, with days counted from 1 January of year 1."""
    title = path.rpartition("/")[2].rpartition(".")[0]
    payee_keys = _keys([*payees, *(each.payee for each in transactions)])
    category_keys = _keys([*categories, *(each.category for each in transactions)])
    account_keys = _keys([each.name for each in accounts])
    lines = [
        '<?xml version="1.0"?>',
        '<homebank v="1.4" d="050602">',
        f'<properties title={quoteattr(title)} curr="1" auto_smode="1" auto_weekday="1"/>',
        '<cur key="1" flags="0" iso="EUR" name="Euro" symb="€" syprf="1" dchar="." gchar="," frac="2" rate="0" '
        'mdate="0"/>',
    ]
    for each in accounts:
        key = account_keys[each.name]
        lines.append(
            f'<account key="{key}" pos="{key}" type="1" curr="1" name={quoteattr(each.name)} '
            f'initial="{each.initial}" minimum="0" maximum="0"/>'
        )
    lines += [f'<pay key="{key}" name={quoteattr(name)}/>' for name, key in payee_keys.items()]
    lines += [f'<cat key="{key}" name={quoteattr(name)}/>' for name, key in category_keys.items()]
    for entry in transactions:
        optional = [
            f' payee="{payee_keys[entry.payee]}"' if entry.payee else "",
            f' category="{category_keys[entry.category]}"' if entry.category else "",
            f" wording={quoteattr(entry.memo)}" if entry.memo else "",
        ]
        lines.append(
            f'<ope date="{entry.date.toordinal()}" amount="{entry.amount}" account="{account_keys[entry.account]}"'
            f"{''.join(optional)}/>"
        )
    return "\n".join([*lines, "</homebank>", ""])


def _keys(names: Sequence[str]) -> dict[str, int]:
    return {name: key for key, name in enumerate(dict.fromkeys(filter(None, names)), start=1)}
