"""Work for customers: a question, a visit, an offer, the work, an invoice, and the money."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from proctor.worlds.chance import clock, in_words, money, working_day
from proctor.worlds.life.diary import Diary
from proctor.worlds.life.household import totals
from proctor.worlds.model import Contact, Facts, LifeEvent
from proctor.worlds.prose.banks import texts

EVERY = {"joinery": (8, 15), "workshops": (36, 60)}
"""Days between two customers' questions."""
REFUSED = 0.22
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
    seen = diary.find_time(working_day(at.date() + timedelta(days=draw.randint(3, 8))), 60, (9, 13, 16), draw)
    kin = draw.choice(("sister", "brother", "aunt", "cousin", "mother-in-law"))
    slots = diary.slots(draw, at)
    day = {"day": in_words(seen.date()), "time": f"{seen:%H:%M}"}
    facts: Facts = {
        **slots,
        "Month2": slots["month2"],
        "kin": kin,
        "what": what,
        "What": what[:1].upper() + what[1:],
        **day,
    }
    job = _Job(diary, trade, customer, what, facts, draw)
    asked = job.write("ask", at, None, trade)
    answered = job.write("visit", at + timedelta(hours=draw.randint(2, 20)), asked, trade, mine=True)
    offer = job.offer(job.visit(answered, seen, 1, ""), seen)
    if draw.random() < REFUSED:
        job.write("no", offer.at + timedelta(days=draw.randint(2, 9)), offer)
        return
    agreed = offer.at + timedelta(days=draw.randint(1, 7), hours=2)
    order = job.write("yes", agreed, offer)
    begin = diary.find_time(working_day(agreed.date() + timedelta(days=draw.randint(8, 25))), 240, (8, 12), draw)
    job.visit(order, begin, 4, ", fitting")
    job.settle(order, begin + timedelta(days=draw.randint(1, 6), hours=9))


class _Job:
    """One job for a customer, from the question to the money."""

    def __init__(
        self, diary: Diary, trade: str, customer: Contact, what: str, facts: Facts, draw: random.Random
    ) -> None:
        self.diary, self.customer, self.what, self.facts, self.draw = diary, customer, what, facts, draw
        self.lines = _lines(trade, draw)
        self.sums = totals(self.lines)
        self.number = f"{diary.now:%y}{draw.randint(1000, 9999)}"
        self.folder = f"Documents/Customers/{customer.last}"
        self.facts |= {"total": money(float(str(self.sums["total"]))), "number": f"R-{self.number}"}

    def write(
        self, part: str, at: datetime, cause: LifeEvent | None, trade: str = "", *, mine: bool = False
    ) -> LifeEvent:
        """Tell a letter about the job."""
        said = texts("trade", *([trade, part] if trade else [part]))
        return self.diary.note(
            "message", at, cause, mine=mine, other=self.customer.name, copies=[], subject=str(self.facts["What"]),
            text=self.diary.speech.any_of(said, self.facts, self.draw), first=cause is None, circle="",
        )  # fmt: skip

    def visit(self, cause: LifeEvent, start: datetime, hours: int, more: str) -> LifeEvent:
        """Tell some hours at the customer's."""
        return self.diary.note(
            "visit", cause.at + timedelta(minutes=2), cause, start=start, end=start + timedelta(hours=hours),
            title=f"{self.customer.last}: {self.what}{more}", place=f"{self.customer.street}, {self.customer.town}",
            who=self.customer.name,
        )  # fmt: skip

    def offer(self, visit: LifeEvent, seen: datetime) -> LifeEvent:
        """Tell the offer."""
        at = seen + timedelta(days=self.draw.randint(1, 4), hours=3)
        return self._paper("offer", at, visit, f"O-{self.number}", "odt")

    def settle(self, order: LifeEvent, billed: datetime) -> None:
        """Tell the invoice, a reminder perhaps, and the money."""
        due = billed.date() + timedelta(days=14)
        invoice = self._paper("invoice", billed, order, f"R-{self.number}", "pdf", due=due)
        paid = billed + timedelta(days=self.draw.randint(3, 13))
        if self.draw.random() < LATE:
            reminded = clock(due + timedelta(days=5), 10, self.draw.randint(0, 59))
            self.facts["due"] = in_words(due)
            self.write("remind", reminded, invoice, mine=True)
            paid = reminded + timedelta(days=self.draw.randint(1, 5))
        self.diary.note(
            "payment", clock(paid.date(), 9, 1), invoice, amount=float(str(self.sums["total"])),
            payee=self.customer.name, memo=f"R-{self.number}", category="Customers",
        )  # fmt: skip

    def _paper(self, kind: str, at: datetime, cause: LifeEvent, number: str, ending: str, **more: object) -> LifeEvent:
        path = f"{self.folder}/{at:%Y-%m-%d} {kind.title()} {number}.{ending}"
        return self.diary.note(
            kind, at, cause, to=self.customer.name, what=self.what, invoice=number, lines=self.lines, path=path,
            **self.sums, **more,
        )  # fmt: skip


def _lines(trade: str, draw: random.Random) -> list[Facts]:
    lines: list[Facts] = []
    rows = texts("trade", trade, "lines")
    for row in [rows[0], *draw.sample(rows[1:], draw.randint(2, 4))]:
        what, unit, low, high = (part.strip() for part in row.split("|"))
        count = draw.randint(2, 14)
        price = round(draw.uniform(float(low), float(high)), 2)
        lines.append({"what": f"{what} ({unit})", "count": count, "price": price, "sum": round(count * price, 2)})
    return lines
