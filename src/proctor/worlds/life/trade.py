"""Work for customers: a question, a visit, an offer, the work, an invoice, and the money."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from proctor.worlds.chance import clock, in_words, money, working_day
from proctor.worlds.life.diary import Diary
from proctor.worlds.life.household import totals
from proctor.worlds.model import Contact, Facts
from proctor.worlds.prose.banks import texts

EVERY = {"joinery": (8, 15), "workshops": (36, 60)}
"""Days between two customers' questions."""
LATE = 0.12
"""How many pay only after they are reminded."""


def work_for_customers(diary: Diary) -> None:
    """Tell all jobs, one customer after the other."""
    trade = diary.owner.trade
    if not trade:
        return
    draw = diary.chance("trade")
    day = diary.first + timedelta(days=5)
    while day < diary.last - timedelta(days=3):
        customer = draw.choice(diary.owner.of_roles("client"))
        _job(diary, trade, customer, clock(working_day(day), draw.randint(8, 17), draw.randint(0, 59)), draw)
        day += timedelta(days=draw.randint(*EVERY[trade]))


def _job(diary: Diary, trade: str, customer: Contact, at: datetime, draw: random.Random) -> None:
    what = draw.choice(texts("trade", trade, "jobs"))
    asked_day = diary.find_time(working_day(at.date() + timedelta(days=draw.randint(3, 8))), 60, (9, 13, 16), draw)
    facts: Facts = {"what": what, "What": what[:1].upper() + what[1:], "day": in_words(asked_day.date()), "time": f"{asked_day:%H:%M}"}
    say = diary.speech.any_of
    subject = f"{facts['What']}"
    common: Facts = {"other": customer.name, "copies": [], "subject": subject, "circle": ""}
    asked = diary.note("message", at, mine=False, text=say(texts("trade", trade, "ask"), facts, draw), first=True, **common)
    at += timedelta(hours=draw.randint(2, 20))
    answered = diary.note("message", at, asked, mine=True, text=say(texts("trade", trade, "visit"), facts, draw), first=False, **common)
    visit = diary.note(
        "visit", at + timedelta(minutes=2), answered, start=asked_day, end=asked_day + timedelta(hours=1),
        title=f"{customer.last}: {what}", place=f"{customer.street}, {customer.town}", who=customer.name,
    )  # fmt: skip
    lines = _lines(trade, draw)
    sums = totals(lines)
    number = f"{asked_day:%Y}-{draw.randint(100, 999)}"
    offered = asked_day + timedelta(days=draw.randint(1, 4), hours=3)
    folder = f"Documents/Customers/{customer.last}"
    offer = diary.note(
        "offer", offered, visit, to=customer.name, what=what, invoice=f"O-{number}", lines=lines, **sums,
        path=f"{folder}/{offered:%Y-%m-%d} Offer O-{number}.odt",
    )  # fmt: skip
    if draw.random() < 0.22:
        no = say(texts("trade", "no"), facts, draw)
        diary.note("message", offered + timedelta(days=draw.randint(2, 9)), offer, mine=False, text=no, first=False, **common)
        return
    agreed = offered + timedelta(days=draw.randint(1, 7), hours=2)
    yes = say(texts("trade", "yes"), {**facts, "total": money(float(str(sums["total"])))}, draw)
    order = diary.note("message", agreed, offer, mine=False, text=yes, first=False, **common)
    begin = diary.find_time(working_day(agreed.date() + timedelta(days=draw.randint(8, 25))), 240, (8, 12), draw)
    diary.note("visit", agreed + timedelta(hours=1), order, start=begin, end=begin + timedelta(hours=4), title=f"{customer.last}: {what}, fitting", place=f"{customer.street}, {customer.town}", who=customer.name)
    billed = begin + timedelta(days=draw.randint(1, 6), hours=9)
    due = billed.date() + timedelta(days=14)
    invoice = diary.note(
        "invoice", billed, order, to=customer.name, what=what, invoice=f"R-{number}", lines=lines, due=due, **sums,
        path=f"{folder}/{billed:%Y-%m-%d} Invoice R-{number}.pdf",
    )  # fmt: skip
    paid = billed + timedelta(days=draw.randint(3, 13))
    if draw.random() < LATE:
        reminded = clock(due + timedelta(days=5), 10, draw.randint(0, 59))
        text = say(texts("trade", "remind"), {**facts, "number": f"R-{number}", "total": money(float(str(sums["total"]))), "due": in_words(due)}, draw)
        diary.note("message", reminded, invoice, mine=True, text=text, first=False, **common)
        paid = reminded + timedelta(days=draw.randint(1, 5))
    diary.note("payment", clock(paid.date(), 9, 1), invoice, amount=float(str(sums["total"])), payee=customer.name, memo=f"R-{number}", category="Customers")


def _lines(trade: str, draw: random.Random) -> list[Facts]:
    lines: list[Facts] = []
    rows = texts("trade", trade, "lines")
    for row in [rows[0], *draw.sample(rows[1:], draw.randint(2, 4))]:
        what, unit, low, high = (part.strip() for part in row.split("|"))
        count = draw.randint(2, 14)
        price = round(draw.uniform(float(low), float(high)), 2)
        lines.append({"what": f"{what} ({unit})", "count": count, "price": price, "sum": round(count * price, 2)})
    return lines
