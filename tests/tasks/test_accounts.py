"""Account books are written as HomeBank keeps them, read back, and judged to the cent."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.setup_context import SetupContext
from proctor.vocabulary.apps.homebank import checks, probes
from proctor.vocabulary.apps.homebank.checks import Booked
from proctor.vocabulary.apps.homebank.parse import homebank_book
from proctor.vocabulary.apps.homebank.setup import BankAccount, Transaction, account_book, homebank_xml

DAY = date(2026, 3, 4)
SPENT = Transaction(date=DAY, amount=-12.5, account="Cash", payee="Gale & Sons", category="Food", memo="bread")
BOOKED = Booked(date=DAY, amount=-12.5, account="cash", payee="gale & sons", category="Food")


@pytest.fixture
def computer() -> Iterator[FakeComputer]:
    with FakeComputer() as opened:
        yield opened


def test_a_book_comes_back(computer: FakeComputer) -> None:
    account_book(
        SetupContext(computer), "home.xhb", [BankAccount(name="Cash", initial=100), BankAccount(name="Bank")], [SPENT]
    )
    computer.baseline()
    found = probes.account_book(ProbeContext(computer), "home.xhb")
    assert probes.account_book_before(ProbeContext(computer), "home.xhb") == found
    assert found["balances"] == {"Cash": 87.5, "Bank": 0.0}
    assert found["transactions"] == [
        {
            "date": "2026-03-04",
            "amount": -12.5,
            "account": "Cash",
            "payee": "Gale & Sons",
            "category": "Food",
            "memo": "bread",
        }
    ]


def test_what_a_book_has_is_kept_and_more_may_be_added() -> None:
    def book(initial: float, payees: list[str], categories: list[str]) -> dict[str, Any]:
        accounts = [BankAccount(name="Cash", initial=initial)]
        return homebank_book(homebank_xml("a.xhb", accounts, [SPENT], categories, payees).encode(), "a.xhb")

    before = book(100, ["Kite Toys"], ["Travel"])
    assert checks.account_book_kept(book(100, ["Iris Optics", "Kite Toys"], ["Books", "Travel"]), before).passed
    assert not checks.account_book_kept(book(107, ["Kite Toys"], ["Travel"]), before).passed
    assert not checks.account_book_kept(book(100, [], ["Travel"]), before).passed
    assert not checks.account_book_kept(book(100, ["Kite Toys"], []), before).passed
    assert not checks.account_book_kept({**before, "began": {}}, before).passed
    shut = homebank_xml("a.xhb", [BankAccount(name="Cash", initial=100)], [SPENT], ["Travel"], ["Kite Toys"])
    for flags, kept in (("0", True), ("8", True), ("2", False), ("10", False), ("²", True)):
        held = homebank_book(shut.replace("<account ", f'<account flags="{flags}" ').encode(), "a.xhb")
        assert checks.account_book_kept(held, before).passed is kept
        assert checks.account_book_kept(held, held).passed
    for old, new in (('type="1"', 'type="4"'), ('curr="1" name', 'curr="7" name'), ('iso="EUR"', 'iso="USD"')):
        held = homebank_book(shut.replace(old, new).encode(), "a.xhb")
        assert not checks.account_book_kept(held, before).passed
    (name,) = before["accounts"]
    assert checks.account_book_kept({**before, "accounts": [name, "Another one"]}, before).passed
    assert not checks.account_book_kept({**before, "accounts": [name, name.upper()]}, before).passed


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<homebank>",
        "<other/>",
        '<homebank><ope date="x" amount="1"/></homebank>',
        '<homebank><ope date="99999999999" amount="1"/></homebank>',
        '<homebank><ope date="1" amount="many"/></homebank>',
        '<homebank><ope date="1" amount="inf"/></homebank>',
        '<homebank><account initial="nan"/></homebank>',
    ],
)
def test_broken_books_are_unreadable(text: str) -> None:
    with pytest.raises(CannotSee) as caught:
        homebank_book(text.encode(), "home.xhb")
    assert caught.value.fault.kind == "unreadable"


def test_what_does_not_count() -> None:
    book = '<homebank><account key="1" name="Cash"/><ope date="1" amount="5" account="1" st="4"/></homebank>'
    assert homebank_book(book.encode(), "home.xhb")["transactions"] == []


def test_categories_inside_others() -> None:
    categories = '<cat key="1" name="Food"/><cat key="2" parent="1" name="Bread"/>'
    book = f'<homebank>{categories}<ope date="1" amount="5" category="2"/></homebank>'
    assert homebank_book(book.encode(), "home.xhb")["transactions"][0]["category"] == "Food:Bread"


@given(some.lists(some.integers(-10_000_000, 10_000_000), max_size=8))
def test_cents_add_up(cents: list[int]) -> None:
    entries = [Transaction(date=DAY, amount=each / 100, account="Cash") for each in cents]
    book = homebank_book(homebank_xml("a.xhb", [BankAccount(name="Cash")], entries, [], []).encode(), "a.xhb")
    assert checks.balance_is(book, "cash", sum(cents) / 100).passed
    assert not checks.balance_is(book, "Cash", sum(cents) / 100 + 0.01).passed
    assert checks.transaction_count(book, len(cents)).passed
    assert not checks.transaction_count(book, len(cents) + 1).passed


def test_transactions() -> None:
    book = homebank_book(homebank_xml("a.xhb", [BankAccount(name="Cash")], [SPENT], [], []).encode(), "a.xhb")
    assert checks.transaction_exists(book, BOOKED).passed
    assert checks.transaction_exists(book, BOOKED.model_copy(update={"amount": -12.51}), times=0).passed
    assert checks.transactions_are(book, [BOOKED]).passed
    for other in ([], [BOOKED, BOOKED], [BOOKED.model_copy(update={"category": "Books"})]):
        assert not checks.transactions_are(book, other).passed
    assert not checks.transaction_exists(book, BOOKED.model_copy(update={"account": "Bank"})).passed
    assert not checks.balance_is(book, "Bank", 0).passed


def test_whose_book_it_is_shows() -> None:
    text = homebank_xml("a.xhb", [BankAccount(name="Cash")], [SPENT], [], [])
    assert homebank_book(text.encode(), "a.xhb")["title"] == "a"
    assert homebank_book(text.replace('title="a"', 'title="Ann &amp; Bo"').encode(), "a.xhb")["title"] == "Ann & Bo"
    assert homebank_book(b'<homebank v="1.3"/>', "a.xhb")["title"] == ""
