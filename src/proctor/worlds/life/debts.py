"""Contradictions about money: what is paid, what is owed, what is taken."""

from __future__ import annotations

import random
from datetime import date, timedelta

from proctor.worlds.chance import clock, exact, in_words, working_day
from proctor.worlds.life.household import totals
from proctor.worlds.life.stale import Planter, past
from proctor.worlds.model import Facts, LifeEvent, PlantSide


def unpaid(planter: Planter, draw: random.Random) -> None:
    """An invoice that was never paid, and the reminder."""
    event = _invoice(planter, draw, planter.diary.last - timedelta(days=33), paid=False)
    firm, number, total = event.text("firm"), event.text("invoice"), event.number("total")
    text = (
        f"Dear {planter.diary.owner.name},\n\nour invoice {number} of {exact(total)} was due on "
        f"{_day(event.facts['due'])}. Until today we could not find a payment. Please pay it within seven "
        f"days.\n\n{firm}, accounts"
    )
    mail = planter.service(firm, planter.diary.now - timedelta(days=3), f"Reminder: invoice {number}", text)
    planter.pair(
        f"whether invoice {number} is paid",
        PlantSide(f"file:{event.text('path')}", number),
        PlantSide(f"mail:{mail.id}", number),
        "new",
        "There is no payment of it in the account: the reminder is right.",
    )


def paid_already(planter: Planter, draw: random.Random) -> None:
    """An invoice that was paid, and a reminder all the same."""
    event = _invoice(planter, draw, planter.diary.last - timedelta(days=40), paid=True)
    firm, number, total = event.text("firm"), event.text("invoice"), event.number("total")
    paid = planter.diary.note(
        "payment",
        clock(event.at.date() + timedelta(days=12), 18, 4),
        event,
        amount=-total,
        payee=firm,
        memo=number,
        category="Shopping",
    )
    text = (
        f"Dear {planter.diary.owner.name},\n\nwe miss a payment of {exact(total)} for invoice {number}. If "
        f"you have paid in the meantime, please tell us when.\n\n{firm}, accounts"
    )
    mail = planter.service(firm, planter.diary.now - timedelta(days=4), f"Open: invoice {number}", text)
    planter.pair(
        f"whether invoice {number} is open",
        PlantSide(f"bank:{paid.id}", number),
        PlantSide(f"mail:{mail.id}", number),
        "old",
        "The account shows the payment, nine days or more before the mail.",
    )


def _invoice(planter: Planter, draw: random.Random, day: date, *, paid: bool) -> LifeEvent:
    firm = draw.choice(planter.diary.owner.shops)
    price = round(draw.uniform(30, 190), 2)
    lines: list[Facts] = [{"what": draw.choice(planter.diary.owner.wants), "count": 1, "price": price, "sum": price}]
    at = clock(working_day(day), 7, draw.randint(0, 59))
    number = f"INV-{at:%Y}-{draw.randint(10000, 99999)}"
    return planter.diary.note(
        "order.billed", at, plant="" if paid else "yes", firm=firm,
        number=f"{firm[0]}{at:%y%m}{draw.randint(100, 999)}", lines=lines, invoice=number,
        due=at.date() + timedelta(days=14), category="Shopping", eta="", **totals(lines),
        path=f"Documents/Invoices/{at:%Y}/{at:%Y-%m-%d} {firm} {number}.pdf",
    )  # fmt: skip


def higher_rent(planter: Planter, draw: random.Random) -> None:
    """A rent that was raised, and a standing order that was not."""
    owner = planter.diary.owner
    rents = [each for each in past(planter.diary, "payment") if each.text("category") == "Rent"]
    if not rents:
        return
    new = round(owner.rent * 1.04, 2)
    told = clock(planter.diary.last.replace(day=1) - timedelta(days=20), 9, 20)
    start = planter.diary.last.replace(day=1)
    text = (
        f"Dear {owner.name},\n\nas announced in the letter of last autumn, the rent is {exact(new)} a "
        f"month from {in_words(start)} on. Please change your standing order.\n\nYours sincerely\n{owner.landlord}"
    )
    mail = planter.diary.note(
        "notice",
        told,
        plant="yes",
        sender="office@housing.example",
        name=owner.landlord,
        subject="Your rent",
        text=text,
    )
    last = max(rents, key=lambda each: each.at)
    planter.pair(
        "how much the rent is",
        PlantSide(f"bank:{last.id}", f"{-owner.rent:.2f}"),
        PlantSide(f"mail:{mail.id}", exact(new)),
        "new",
        f"The standing order of {in_words(last.at.date())} still pays the old rent.",
    )


def charged_twice(planter: Planter, draw: random.Random) -> None:
    """One receipt, and two lines in the account."""
    receipt = draw.choice(past(planter.diary, "receipt") or past(planter.diary, "ticket"))
    total = receipt.number("total")
    again = planter.diary.note(
        "payment",
        receipt.at + timedelta(minutes=2),
        receipt,
        plant="yes",
        amount=-total,
        payee=receipt.text("firm"),
        memo=f"Card payment {receipt.at:%d.%m.} again",
        category="Travel",
    )
    planter.pair(
        f"what {receipt.text('firm')} took",
        PlantSide(f"file:{receipt.text('path')}", exact(total)),
        PlantSide(f"bank:{again.id}", f"{-total:.2f}"),
        "old",
        "There is one receipt, and the account was charged twice.",
    )


def _day(day: object) -> str:
    assert isinstance(day, date)
    return in_words(day)
