"""The account: its lines, what was on it, and its papers."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from datetime import date, datetime
from functools import lru_cache

from proctor.worlds.chance import months, next_month
from proctor.worlds.model import Life, LifeEvent
from proctor.worlds.views.desk import Booking

LEAST = 400.0
"""What is on the account on the worst day."""


def bookings(events: Iterable[LifeEvent]) -> list[Booking]:
    """Return the lines of the account in their order."""
    return [
        Booking(
            each.id,
            each.at,
            round(each.number("amount"), 2),
            each.text("payee"),
            each.text("memo"),
            each.text("category"),
        )
        for each in events
        if each.kind == "payment"
    ]


@lru_cache(maxsize=2)
def _all_of(life: Life) -> tuple[float, list[Booking]]:
    lines = bookings(life.events)
    lowest = total = 0.0
    for line in lines:
        total += line.amount
        lowest = min(lowest, total)
    return round(max(1250.0, LEAST - lowest), 2), lines


def first_balance(life: Life) -> float:
    """Return what was on the account in the beginning: enough for all that came."""
    return _all_of(life)[0]


def balance_after(life: Life, month: date) -> float:
    """Return what was on the account when a month was over."""
    start, lines = _all_of(life)
    end = datetime.combine(next_month(month), datetime.min.time())
    return round(start + sum(line.amount for line in lines if line.at < end), 2)


def statements(life: Life) -> dict[str, tuple[datetime, bytes]]:
    """Return the statement of each month as separated values, by their paths."""
    start, lines = _all_of(life)
    found = {}
    for month in months(life.first, life.last):
        end = datetime.combine(next_month(month), datetime.min.time())
        if end.date() > life.last:
            continue
        before = [line for line in lines if line.at.date() < month]
        balance = start + sum(line.amount for line in before)
        rows = [
            ["Date", "Payee", "Purpose", "Amount", "Balance"],
            [f"{month:%Y-%m-%d}", "", "Opening balance", "", f"{balance:.2f}"],
        ]
        for line in lines:
            if month <= line.at.date() < end.date():
                balance += line.amount
                rows.append([f"{line.at:%Y-%m-%d}", line.payee, line.memo, f"{line.amount:.2f}", f"{balance:.2f}"])
        found[f"Documents/Bank/{month:%Y}/{month:%Y-%m} Statement.csv"] = (end.replace(hour=8, minute=5), _csv(rows))
    return found


def _csv(rows: list[list[str]]) -> bytes:
    buffer = io.StringIO(newline="")
    csv.writer(buffer, delimiter=";", lineterminator="\n").writerows(rows)
    return buffer.getvalue().encode()
