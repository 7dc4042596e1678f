"""The browser: what was looked at because of what happened, and what is kept."""

from __future__ import annotations

import random
from datetime import timedelta

from proctor.worlds.chance import chance, clock, days
from proctor.worlds.model import Event, Life
from proctor.worlds.people.load import firms, towns
from proctor.worlds.views.desk import Seen

SEARCH = "https://search.example/?q="


def visits(life: Life) -> list[Seen]:
    """Return the pages that were looked at, in their order."""
    found: list[Seen] = []
    for event in life.events:
        draw = chance("visits", life.owner.key, event.id)
        found += _because(event, draw)
    for day in days(life.first, life.last - timedelta(days=1)):
        draw = chance("browse", life.owner.key, life.seed, day)
        for _ in range(draw.randint(1, 4)):
            found.append(_daily(life, draw, f"{day}", day.toordinal()))
    return sorted(found, key=lambda seen: (seen.at, seen.url))


def bookmarks(life: Life) -> list[tuple[str, str, str]]:
    """Return the pages that are kept: title, address, folder."""
    owner = life.owner
    groups = {"Shops": owner.shops, "Reading": owner.news, "Bills": owner.bills, "Health": owner.care}
    found = [(name, f"https://{_domain(name)}/", folder) for folder, names in groups.items() for name in names]
    found += [(f"Hotels in {trip.town}", f"https://coastguide.example/{trip.town.lower().replace(' ', '-')}/hotels", "Trips") for trip in owner.trips[:5]]
    loose = [("Coastline Railways", "https://coastline.example/", ""), ("Meridian Bank", "https://meridianbank.example/login", ""), ("Weather", "https://coastweather.example/", "")]
    return list(dict.fromkeys([*loose, *found]))


def _because(event: Event, draw: random.Random) -> list[Seen]:
    before = event.at - timedelta(minutes=draw.randint(3, 25))
    if event.kind == "order":
        domain = _domain(event.text("firm"))
        lines = event.facts["lines"]
        assert isinstance(lines, list)
        pages = [Seen(event.id, before + timedelta(minutes=number), f"https://{domain}/goods/{line['what'].replace(' ', '-').replace(',', '')}", f"{line['what'].capitalize()} - {event.text('firm')}") for number, line in enumerate(lines)]
        return [*pages, Seen(event.id, event.at, f"https://{domain}/orders/{event.text('number')}", f"Thank you for your order - {event.text('firm')}")]
    if event.kind == "ticket":
        route = f"{event.text('from')}-{event.text('to')}".lower().replace(" ", "-")
        return [Seen(event.id, before, f"https://coastline.example/timetable/{route}", f"{event.text('from')} to {event.text('to')} - Coastline Railways"), Seen(event.id, event.at, f"https://coastline.example/bookings/{event.text('code')}", "Your booking - Coastline Railways")]
    if event.kind == "hotel":
        town = event.text("town")
        return [Seen(event.id, before, f"https://coastguide.example/{town.lower().replace(' ', '-')}/hotels", f"Hotels in {town} - Coast Guide"), Seen(event.id, event.at, f"https://coastguide.example/booked/{event.text('code')}", f"{event.text('firm')} - Coast Guide")]
    if event.kind in ("letter", "recipe"):
        words = {"letter": f"how to write a letter {event.text('letter')}", "recipe": f"{event.text('dish')} recipe"}[event.kind]
        return [Seen(event.id, before, f"{SEARCH}{words.replace(' ', '+')}", f"{words} - Search")]
    return []


def _daily(life: Life, draw: random.Random, day: str, number: int) -> Seen:
    at = clock(life.first + timedelta(days=number - life.first.toordinal()), draw.randint(7, 22), draw.randint(0, 59))
    name = draw.choice([*life.owner.news, "Weather", "Search", "Bank"])
    if name == "Weather":
        town = life.owner.contact.town
        return Seen("", at, f"https://coastweather.example/{town.lower().replace(' ', '-')}/{day}", f"Weather in {town}")
    if name == "Search":
        words = draw.choice([*life.owner.wants, *life.owner.topics, life.owner.hobby, f"{draw.choice(list(towns()))} museum"])
        return Seen("", at, f"{SEARCH}{words.replace(' ', '+')}", f"{words} - Search")
    if name == "Bank":
        return Seen("", at, "https://meridianbank.example/account", "Your account - Meridian Bank")
    return Seen("", at, f"https://{_domain(name)}/{at:%Y/%m}/{draw.randint(100, 999)}", f"{name}: {draw.choice(('today', 'the week', 'readers write', 'programme', 'from the region'))}")


def _domain(name: str) -> str:
    return firms()[name].address.partition("@")[2]
