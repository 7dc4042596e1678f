"""Transforms of HomeBank's account books: what is booked, and the accounts it is booked in.

What the program notes for itself, such as its version and the places of accounts in its list, stays as it is.
"""

from __future__ import annotations

import re
from random import Random

from proctor.prove.transforms.markup import rewritten_text
from proctor.prove.transforms.packages import one_of, other_value
from proctor.prove.transforms.shelf import mutant

BOOKS = ("*.xhb",)
_BOOKED = re.compile(r'(?<= )((?:date|amount|account|payee|category)=")([^"]+)')
_TRANSACTION = re.compile(r"<ope [^<>]*/>")
_BEGAN = re.compile(r'(<account [^<>]*?\binitial=")([^"]*)')
_CURRENCY = re.compile(r'(<cur [^<>]*?\biso=")([^"]*)')
_NAMED = re.compile(r"<(?:pay|cat) [^<>]*/>")


def _with_other(data: bytes, pattern: re.Pattern[str], draw: Random) -> bytes | None:
    """Return a book with another value in place of one that a pattern finds as its second group."""
    return rewritten_text(
        data,
        lambda text: one_of(text, pattern, draw, lambda match: match.group(1) + other_value(match.group(2), draw)),
    )


def _without(data: bytes, pattern: re.Pattern[str], draw: Random) -> bytes | None:
    return rewritten_text(data, lambda text: one_of(text, pattern, draw, lambda match: ""))


@mutant("a transaction changed", *BOOKS)
def transaction_changed(data: bytes, draw: Random) -> bytes | None:
    """Put another day, amount, account, payee or category into a transaction."""
    return _with_other(data, _BOOKED, draw)


@mutant("a transaction dropped", *BOOKS)
def transaction_dropped(data: bytes, draw: Random) -> bytes | None:
    """Leave out a transaction."""
    return _without(data, _TRANSACTION, draw)


@mutant("what an account began with changed", *BOOKS)
def beginning_changed(data: bytes, draw: Random) -> bytes | None:
    """Put another amount on an account before its first transaction."""
    return _with_other(data, _BEGAN, draw)


@mutant("the currency changed", *BOOKS)
def currency_changed(data: bytes, draw: Random) -> bytes | None:
    """Make a currency another one."""
    return _with_other(data, _CURRENCY, draw)


@mutant("a payee or category dropped", *BOOKS)
def name_dropped(data: bytes, draw: Random) -> bytes | None:
    """Leave out a payee or a category."""
    return _without(data, _NAMED, draw)
