"""Money at home: wages, rent, bills, orders, the week's shopping."""

from __future__ import annotations

import random
from datetime import date, datetime, timedelta

from proctor.worlds.chance import clock, days, in_words, month_name, months, next_month, working_day
from proctor.worlds.life.diary import Diary
from proctor.worlds.model import Facts, LifeEvent
from proctor.worlds.prose.banks import texts

DUE_DAYS = 14
VAT = 0.20
RETURNS = 0.07
THRIFTY = 1000.0
"""Who earns less buys half as much."""
GROCERS = ("Greenleaf Market", "Bakery Morgen", "Corner Shop", "Weekly market", "Pharmacy at the Gate", "Cheese and Co")
RATES = {
    "Energy": (58.0, 9), "Mobile": (19.0, 2), "Internet": (34.9, 0), "Insurance": (62.4, 0), "Fund": (118.0, 0),
    "Leasing": (289.0, 0), "Hosting": (14.0, 3), "Council": (96.0, 0),
}  # fmt: skip
"""What a month costs by a word of the firm's name, and by how much it varies."""


def keep_house(diary: Diary) -> None:
    """Tell a household's money."""
    for month in months(diary.first, diary.last):
        _wages_and_rent(diary, month)
        for firm in diary.owner.bills:
            _bill(diary, firm, month)
    _orders(diary)
    _buy_food(diary)


def invoice_lines(draw: random.Random, goods: list[tuple[str, float]], many: int) -> list[Facts]:
    """Return lines of an invoice: what, how many, at which price, without tax."""
    lines: list[Facts] = []
    for name, price in draw.sample(goods, min(many, len(goods))):
        count = draw.choice((1, 1, 1, 2))
        lines.append({"what": name, "count": count, "price": price, "sum": round(count * price, 2)})
    return lines


def totals(lines: list[Facts], share: float = VAT) -> Facts:
    """Return the sums of an invoice whose prices have no tax in them."""
    net = round(sum(float(str(line["sum"])) for line in lines), 2)
    tax = round(net * share, 2)
    return {"net": net, "tax": tax, "total": round(net + tax, 2)}


def pay(diary: Diary, invoice: LifeEvent, draw: random.Random, due: date) -> LifeEvent:
    """Tell the payment of an invoice, as soon as the owner is used to."""
    habit = diary.owner.prefers("pays")
    wait = int(habit) if habit else draw.randint(2, 12)
    day = min(invoice.at.date() + timedelta(days=wait), due)
    return diary.note(
        "payment", clock(day, 18, draw.randint(0, 59)), invoice, amount=-invoice.number("total"),
        payee=invoice.text("firm"), memo=invoice.text("invoice"), category=invoice.text("category"),
        **({"pays": habit} if habit else {}),
    )  # fmt: skip


def _wages_and_rent(diary: Diary, month: date) -> None:
    owner = diary.owner
    if owner.salary:
        day = working_day(month + timedelta(days=25))
        raise_ = 1 + 0.03 * (month.year - diary.first.year)
        gross = round(owner.salary * raise_, 2)
        parts = {"gross": gross, "tax": round(gross * 0.17, 2), "insurance": round(gross * 0.09, 2)}
        net = round(gross - parts["tax"] - parts["insurance"], 2)
        salary = diary.note(
            "salary", clock(day, 7, 40), firm=owner.employer, month=month, total=net, **parts,
            path=f"Documents/Payslips/{month:%Y}/{month:%Y-%m} Payslip.pdf",
        )  # fmt: skip
        diary.note(
            "payment",
            clock(day, 9),
            salary,
            amount=net,
            payee=owner.employer,
            memo=f"Salary {month:%Y-%m}",
            category="Income",
        )
    name, amount = owner.support
    if amount:
        diary.note("payment", clock(month, 7), amount=amount, payee=name, memo="For the month", category="Income")
    if owner.rent:
        diary.note(
            "payment",
            clock(month, 6),
            amount=-owner.rent,
            payee=owner.landlord,
            memo=f"Rent {month:%Y-%m}",
            category="Rent",
        )
    diary.note("statement", clock(next_month(month), 8, 5), month=month, firm="Meridian Bank")


def _bill(diary: Diary, firm: str, month: date) -> None:
    draw = diary.chance("bill", firm, month)
    kind, (rate, spread) = next(((word, rate) for word, rate in RATES.items() if word in firm), ("", (40.0, 4)))
    if kind == "Insurance" and month.month % 3 != 1:
        return
    rate *= 3 if kind == "Insurance" else 1
    winter = 1.5 if kind == "Energy" and month.month in (12, 1, 2) else 1.0
    base = round((rate + draw.uniform(-spread, spread)) * winter, 2)
    lines: list[Facts] = [{"what": f"{kind or 'Service'} {month_name(month)}", "count": 1, "price": base, "sum": base}]
    if draw.random() < 0.2:
        extra = round(draw.randint(20, 90) / 10, 2)
        lines.append(
            {
                "what": draw.choice(("Additional use", "Service fee", "Paper bill")),
                "count": 1,
                "price": extra,
                "sum": extra,
            }
        )
    at = clock(next_month(month) + timedelta(days=draw.randint(1, 8)), 5, draw.randint(0, 59))
    due = at.date() + timedelta(days=DUE_DAYS)
    code = "".join(word[0] for word in firm.split())
    event = diary.note(
        "bill", at, firm=firm, invoice=f"{code}-{month:%y%m}-{draw.randint(1000, 9999)}", month=month, lines=lines,
        due=due, category=kind or "Household", note=_note(diary, draw),
        path=f"Documents/Bills/{month:%Y}/{month:%Y-%m} {firm}.pdf",
        **totals(lines),
    )  # fmt: skip
    pay(diary, event, draw, due)


def _note(diary: Diary, draw: random.Random) -> str:
    slots = {"more": draw.randint(2, 19), "way": draw.choice(("higher", "lower"))}
    return diary.speech.any_of(texts("service", "notes_for_bills", "texts"), slots, draw)


def _orders(diary: Diary) -> None:
    draw = diary.chance("orders")
    day = diary.first + timedelta(days=4)
    favourite = diary.owner.prefers("shop")
    while day < diary.last:
        shop = favourite if favourite and draw.random() < 0.5 else draw.choice(diary.owner.shops)
        _order(diary, shop, clock(day, draw.randint(10, 22), draw.randint(0, 59)), draw)
        day += timedelta(days=draw.randint(7, 17) * (2 if 0 < diary.owner.salary < THRIFTY else 1))


def _order(diary: Diary, shop: str, at: datetime, draw: random.Random) -> None:
    goods = [(name, float(price)) for name, _, price in (row.partition(" | ") for row in texts("firms", "goods", shop))]
    lines = invoice_lines(draw, goods, draw.randint(1, 3))
    sums, number = totals(lines), f"{shop[0]}{at:%y%m}{draw.randint(100, 999)}"
    eta = working_day(at.date() + timedelta(days=draw.randint(3, 6)))
    delivery = diary.owner.prefers("delivery")
    common: Facts = {"firm": shop, "number": number, "lines": lines, "eta": in_words(eta), **sums}
    tags = {"shop": shop} if shop == diary.owner.prefers("shop") else {}
    note = diary.speech.any_of(texts("service", "notes_for_orders", "texts"), {"points": draw.randint(40, 480)}, draw)
    order = diary.note("order", at, **common, note=note, delivery=delivery, **tags)
    sent = at + timedelta(days=1, hours=draw.randint(1, 9))
    parcel = diary.note("order.sent", sent, order, **common, parcel=f"CP{draw.randint(10**8, 10**9 - 1)}")
    billed = sent + timedelta(days=draw.randint(0, 2), minutes=draw.randint(5, 50))
    due = billed.date() + timedelta(days=DUE_DAYS)
    invoice = f"INV-{at:%Y}-{draw.randint(10000, 99999)}"
    event = diary.note(
        "order.billed", billed, parcel, **common, invoice=invoice, due=due, category="Shopping",
        path=f"Documents/Invoices/{at:%Y}/{billed:%Y-%m-%d} {shop} {invoice}.pdf",
    )  # fmt: skip
    payment = pay(diary, event, draw, due)
    if draw.random() < RETURNS:
        line = draw.choice(lines)
        back = round(float(str(line["sum"])) * (1 + VAT), 2)
        returned = payment.at + timedelta(days=draw.randint(4, 9))
        refund = diary.note(
            "refund", returned, event, firm=shop, number=number, thing=f"the {line['what']}", total=back
        )
        diary.note(
            "payment",
            returned + timedelta(days=2),
            refund,
            amount=back,
            payee=shop,
            memo=f"Refund {number}",
            category="Shopping",
        )


def _buy_food(diary: Diary) -> None:
    draw = diary.chance("shopping")
    for day in days(diary.first, diary.last):
        if draw.random() < 0.34 and not diary.away(day):
            diary.note(
                "payment", clock(day, draw.randint(9, 19), draw.randint(0, 59)), amount=-round(draw.uniform(3.2,
                74) * (0.5 if 0 < diary.owner.salary < THRIFTY else 1), 2),
                payee=draw.choice(GROCERS), memo=f"Card payment {day:%d.%m.}", category="Groceries",
            )  # fmt: skip
