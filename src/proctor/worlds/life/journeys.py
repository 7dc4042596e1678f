"""Journeys: booked, made, photographed, paid for, and settled with the employer."""

from __future__ import annotations

import random
from datetime import date, timedelta

from proctor.worlds.chance import clock, days, working_day
from proctor.worlds.life.diary import Diary
from proctor.worlds.life.threads import KIN
from proctor.worlds.model import Facts, LifeEvent, Town, Trip
from proctor.worlds.people.load import towns
from proctor.worlds.prose.banks import texts

RAIL = "Coastline Railways"
LEAVES = {"early": (6, 8), "midday": (11, 13), "late": (17, 20), "": (7, 16)}
AT_WORK = ("work", "field course", "choir")
"""Journeys whose costs somebody pays back."""
MEALS = (
    "fish soup",
    "schnitzel",
    "pasta with mushrooms",
    "roast chicken",
    "lentil soup",
    "burger and chips",
    "leek tart",
)
DRINKS = ("small beer", "mineral water", "glass of white wine", "apple spritzer", "coffee")


def travel(diary: Diary) -> None:
    """Tell all journeys."""
    for trip in diary.trips:
        _travel(diary, trip, towns()[trip.town], diary.chance("trip", trip.start))


def _travel(diary: Diary, trip: Trip, town: Town, draw: random.Random) -> None:
    planned = clock(trip.start - timedelta(days=draw.randint(24, 44)), draw.randint(10, 21), draw.randint(0, 59))
    plan = diary.note(
        "trip", planned, start=trip.start, end=trip.end, town=trip.town, purpose=trip.kind, title=title(trip)
    )
    home = diary.owner.contact.town
    out = _ticket(diary, plan, (home, trip.town), trip.start, draw)
    back = _ticket(diary, plan, (trip.town, home), trip.end, draw)
    hotel = _hotel(diary, plan, trip, town, draw) if trip.kind != "family" or draw.random() < 0.6 else None
    photographs(diary, plan, town, (trip.start, trip.end), draw, town.sight, draw.randint(9, 14))
    receipts = [out, back, *([hotel] if hotel else []), *_receipts(diary, plan, trip, draw)]
    if trip.kind in AT_WORK:
        _settle(diary, plan, trip, receipts, draw)
    diary.note(
        "todo",
        planned + timedelta(minutes=5),
        plan,
        title=f"Pack for {trip.town}",
        due=trip.start - timedelta(days=1),
        tag="trips",
    )


def title(trip: Trip) -> str:
    """Return what a journey is called."""
    return f"{trip.town} ({trip.kind})"


def photographs(
    diary: Diary, cause: LifeEvent, town: Town, span: tuple[date, date], draw: random.Random, sight: str, many: int,
    hours: tuple[int, int] = (9, 20),
) -> None:  # fmt: skip
    """Tell pictures that were taken, one after the other."""
    first, last = span
    spread = (last - first).days + 1
    moments = sorted(
        clock(first + timedelta(days=draw.randrange(spread)), draw.randint(*hours), draw.randint(0, 59))
        for _ in range(many)
    )
    scenes = [sight, sight, "food", "street", "sign", "sky", "group"]
    for at in dict.fromkeys(moments):
        diary.note(
            "photo", at, cause, town=town.name, scene=draw.choice(scenes), seed=draw.randrange(10**9),
            latitude=round(town.latitude + draw.uniform(-0.018, 0.018), 5),
            longitude=round(town.longitude + draw.uniform(-0.018, 0.018), 5),
        )  # fmt: skip


def _ticket(diary: Diary, plan: LifeEvent, way: tuple[str, str], day: date, draw: random.Random) -> LifeEvent:
    owner = diary.owner
    when, seat = owner.prefers("depart"), owner.prefers("seat") or draw.choice(("aisle", "window"))
    leaves = clock(day, draw.randint(*LEAVES[when]), draw.choice((4, 12, 27, 38, 51)))
    arrives = leaves + timedelta(minutes=draw.randint(95, 290))
    tags = {**({"seat": seat} if owner.prefers("seat") else {}), **({"depart": when} if when else {})}
    lines: list[Facts] = [
        {
            "what": f"{way[0]} - {way[1]}, second class",
            "count": 1,
            "price": (p := round(draw.randint(160, 620) / 10, 2)),
            "sum": p,
        }
    ]
    lines.append({"what": "Seat reservation", "count": 1, "price": 4.5, "sum": 4.5})
    booked = plan.at + timedelta(minutes=draw.randint(3, 20) + (15 if way[0] != owner.contact.town else 0))
    code = "".join(draw.choice("ABCDEFGHKLMNPRSTUVWXYZ23456789") for _ in range(6))
    total = round(sum(float(str(line["sum"])) for line in lines), 2)
    ticket = diary.note(
        "ticket", booked, plan, firm=RAIL, code=code, **{"from": way[0], "to": way[1]}, leaves=leaves, arrives=arrives,
        train=f"{draw.choice(('CX', 'RE', 'IC'))} {draw.randint(100, 2200)}", coach=draw.randint(1, 12),
        place=draw.randint(11, 98), side=seat, lines=lines, total=total, net=round(total / 1.1, 2),
        tax=round(total - round(total / 1.1, 2), 2), path=f"{folder(plan)}/Ticket {way[0]} {way[1]} {code}.pdf", **tags,
    )  # fmt: skip
    diary.note("payment", booked, ticket, amount=-total, payee=RAIL, memo=f"Booking {code}", category="Travel")
    return ticket


def _hotel(diary: Diary, plan: LifeEvent, trip: Trip, town: Town, draw: random.Random) -> LifeEvent:
    wish = diary.owner.prefers("breakfast")
    breakfast = wish or draw.choice(("included", "not included"))
    nights = max(1, trip.days - 1)
    rate = float(draw.randint(58, 126))
    lines: list[Facts] = [
        {"what": "Night, single room", "count": nights, "price": rate, "sum": round(nights * rate, 2)}
    ]
    if breakfast == "included":
        lines.append({"what": "Breakfast", "count": nights, "price": 11.0, "sum": 11.0 * nights})
    total = round(sum(float(str(line["sum"])) for line in lines), 2)
    booked = plan.at + timedelta(minutes=draw.randint(45, 300))
    hotel = diary.note(
        "hotel", booked, plan, firm=town.hotel, code=f"{draw.randint(10**6, 10**7 - 1)}", town=town.name,
        arrival=trip.start, departure=trip.end, nights=nights, breakfast=breakfast, room="single room, quiet side",
        lines=lines, total=total, net=round(total / 1.1, 2), tax=round(total - round(total / 1.1, 2), 2),
        path=f"{folder(plan)}/Hotel {town.hotel}.pdf", **({"breakfast_wish": wish} if wish else {}),
    )  # fmt: skip
    diary.note(
        "payment",
        clock(trip.end, 8, 30),
        hotel,
        amount=-total,
        payee=town.hotel,
        memo=f"Stay {hotel.text('code')}",
        category="Travel",
    )
    return hotel


def _receipts(diary: Diary, plan: LifeEvent, trip: Trip, draw: random.Random) -> list[LifeEvent]:
    """Tell what is eaten and driven on the way."""
    found = []
    meal, drink = diary.owner.prefers("meal"), diary.owner.prefers("drink")
    for day in days(trip.start, trip.end):
        if draw.random() > (0.9 if trip.kind in AT_WORK else 0.45):
            continue
        taxi = draw.random() < 0.25
        eaten, drunk = meal or draw.choice(MEALS), drink or draw.choice(DRINKS)
        named = [("Taxi ride", 8, 26)] if taxi else [(eaten, 9, 19), (drunk, 3, 6)]
        lines: list[Facts] = [
            {
                "what": what[:1].upper() + what[1:],
                "count": 1,
                "price": (p := round(draw.randint(low * 10, high * 10) / 10, 2)),
                "sum": p,
            }
            for what, low, high in named
        ]
        total = round(sum(float(str(line["sum"])) for line in lines), 2)
        at = clock(day, draw.randint(12, 21), draw.randint(0, 59))
        place = (
            f"Taxi {trip.town}"
            if taxi
            else f"{draw.choice(('Cafe', 'Bistro', 'Kitchen', 'Inn'))} "
            f"{draw.choice(('Lantern', 'Gull', 'Belfry', 'Anchor', 'Linden'))}"
        )
        tags = {**({"meal": meal} if meal and not taxi else {}), **({"drink": drink} if drink and not taxi else {})}
        receipt = diary.note(
            "receipt", at, plan, firm=place, town=trip.town, lines=lines, total=total, net=round(total / 1.1, 2),
            tax=round(total - round(total / 1.1, 2), 2), path=f"{folder(plan)}/Receipts/{at:%Y-%m-%d %H%M} "
                f"{place}.pdf", **tags,
        )  # fmt: skip
        diary.note(
            "payment", at, receipt, amount=-total, payee=place, memo=f"Card payment {at:%d.%m.}", category="Travel"
        )
        found.append(receipt)
    return found


def _settle(diary: Diary, plan: LifeEvent, trip: Trip, receipts: list[LifeEvent], draw: random.Random) -> None:
    at = clock(working_day(trip.end + timedelta(days=draw.randint(2, 6))), draw.randint(9, 16), draw.randint(0, 59))
    people = diary.owner.of_roles("boss", "bookkeeper", "teacher", "chair")
    who = people[0]
    rows = [
        {
            "day": _day(each),
            "firm": each.text("firm"),
            "what": _what(each),
            "sum": each.number("total"),
            "path": each.text("path"),
        }
        for each in receipts
    ]
    rows.sort(key=lambda row: str(row["day"]))
    total = round(sum(float(str(row["sum"])) for row in rows), 2)
    claim = diary.note(
        "expense", at, plan, to=who.name, trip=f"{trip.town}, {trip.start.day} to {trip.end.day} "
            f"{trip.end:%B %Y}", rows=rows,
        total=total, path=f"{folder(plan)}/Expenses {trip.town} {trip.start:%Y-%m}.ods",
    )  # fmt: skip
    paid = clock(working_day(at.date() + timedelta(days=draw.randint(3, 9))), 11, 15)
    settled = diary.note("expense.paid", paid, claim, to=who.name, trip=claim.text("trip"), total=total)
    payer = diary.owner.employer or "Business account"
    payer = who.name if diary.owner.salary and trip.kind != "work" else payer
    diary.note(
        "payment",
        paid + timedelta(days=2),
        settled,
        amount=total,
        payee=payer,
        memo=f"Expenses {trip.town}",
        category="Reimbursed",
    )


def outings(diary: Diary) -> None:
    """Tell afternoons somewhere near, with somebody."""
    draw = diary.chance("outings")
    home = towns()[diary.owner.contact.town]
    day = diary.first + timedelta(days=(5 - diary.first.weekday()) % 7)
    while day < diary.last - timedelta(days=1):
        start = clock(day, draw.randint(13, 15))
        end = start + timedelta(hours=3)
        if diary.free(start, end):
            diary.take(start, end)
            name, _, sight = draw.choice(texts("firms", "outings")).partition(" | ")
            people = draw.sample([each.name for each in diary.owner.of_roles(*KIN)], 2)
            said = start - timedelta(days=draw.randint(2, 6), hours=draw.randint(0, 3))
            outing = diary.note("outing", said, start=start, end=end, place=name, town=home.name, people=people)
            photographs(
                diary, outing, home, (day, day), draw, sight, draw.randint(2, 4), hours=(start.hour, end.hour - 1)
            )
        day += timedelta(days=draw.choice((7, 14, 15, 21)))


def folder(plan: LifeEvent) -> str:
    """Return where the papers of a journey lie."""
    start = plan.facts["start"]
    assert isinstance(start, date)
    return f"Documents/Trips/{start:%Y-%m} {plan.text('town')}"


def _day(event: LifeEvent) -> date:
    if event.kind == "ticket":
        return event.moment("leaves").date()
    if event.kind == "hotel":
        departure = event.facts["departure"]
        assert isinstance(departure, date)
        return departure
    return event.at.date()


def _what(event: LifeEvent) -> str:
    if event.kind == "ticket":
        return f"Train {event.text('from')} - {event.text('to')}"
    if event.kind == "hotel":
        return f"{event.text('nights')} nights"
    lines = event.facts["lines"]
    assert isinstance(lines, list)
    return ", ".join(str(line["what"]) for line in lines)
