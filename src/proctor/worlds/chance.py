"""Chance that is the same every time, and days as people count them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta

HOLIDAYS = frozenset([(12, 24), (12, 25), (12, 26), (12, 31), (1, 1), (5, 1)])
"""Month and day."""


def chance(*keys: object) -> random.Random:
    """Return chance of its own for a purpose; the same keys give the same."""
    return random.Random("|".join(map(str, keys)))


def days(first: date, last: date, step: int = 1) -> Iterator[date]:
    """Yield the days from one to another, both included."""
    day = first
    while day <= last:
        yield day
        day += timedelta(days=step)


def months(first: date, last: date) -> Iterator[date]:
    """Yield the first days of all months that begin in a time."""
    for day in days(first, last):
        if day.day == 1:
            yield day


def next_month(day: date, count: int = 1) -> date:
    """Return the first day of a month before or after."""
    months_on = day.year * 12 + day.month - 1 + count
    return date(months_on // 12, months_on % 12 + 1, 1)


def working_day(day: date) -> date:
    """Return this day, or the first after it on which people work."""
    while day.weekday() > 4 or (day.month, day.day) in HOLIDAYS:
        day += timedelta(days=1)
    return day


def clock(day: date, hour: int, minute: int = 0) -> datetime:
    """Return a point in time."""
    return datetime.combine(day, time(hour, minute))


def in_words(day: date) -> str:
    """Return a day as people write it: `Thursday 14 May`."""
    return f"{day:%A} {day.day} {day:%B}"


def month_name(day: date) -> str:
    """Return a month as people write it."""
    return f"{day:%B}"


def money(amount: float) -> str:
    """Return a sum as it is written in mails."""
    return f"€{amount:,.2f}" if round(amount, 2) % 1 else f"€{amount:,.0f}"


def exact(amount: float) -> str:
    """Return a sum as it stands in accounts."""
    return f"{amount:,.2f} EUR"
