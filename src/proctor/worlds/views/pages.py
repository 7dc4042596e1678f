"""The browser: what was looked at because of what happened, and what is kept."""

from __future__ import annotations

import random
from datetime import timedelta

from proctor.worlds.chance import chance, clock, days
from proctor.worlds.model import Life, LifeEvent
from proctor.worlds.people.load import firms, towns
from proctor.worlds.views.desk import PageSeen

Page = tuple[str, str]
"""Address and title."""
SEARCH = "https://search.example/?q="


def visits(life: Life) -> list[PageSeen]:
    """Return the pages that were looked at, in their order."""
    found: list[PageSeen] = []
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
    found += [
        (f"Hotels in {trip.town}", f"https://coastguide.example/{trip.town.lower().replace(' ', '-')}/hotels", "Trips")
        for trip in owner.trips[:5]
    ]
    loose = [
        ("Coastline Railways", "https://coastline.example/", ""),
        ("Meridian Bank", "https://meridianbank.example/login", ""),
        ("Weather", "https://coastweather.example/", ""),
    ]
    return list(dict.fromkeys([*loose, *found]))


def _because(event: LifeEvent, draw: random.Random) -> list[PageSeen]:
    """Return the pages that belong to an event: those before it, and the one that ends it."""
    makers = {"order": _shop_pages, "ticket": _rail_pages, "hotel": _hotel_pages, "letter": _search, "recipe": _search}
    if event.kind not in makers:
        return []
    pages = makers[event.kind](event)
    last = len(pages) - 1
    step = draw.randint(2, 6)
    return [
        PageSeen(event.id, event.at - timedelta(minutes=step * (last - number)), url, title)
        for number, (url, title) in enumerate(pages)
    ]


def _shop_pages(event: LifeEvent) -> list[Page]:
    firm, lines = event.text("firm"), event.facts["lines"]
    assert isinstance(lines, list)
    goods = [str(line["what"]) for line in lines]
    top = f"https://{_domain(firm)}"
    pages = [(f"{top}/goods/{_path(what)}", f"{what.capitalize()} - {firm}") for what in goods]
    return [*pages, (f"{top}/orders/{event.text('number')}", f"Thank you for your order - {firm}")]


def _rail_pages(event: LifeEvent) -> list[Page]:
    start, end = event.text("from"), event.text("to")
    return [
        (f"https://coastline.example/timetable/{_path(start)}-{_path(end)}", f"{start} to {end} - Coastline Railways"),
        (f"https://coastline.example/bookings/{event.text('code')}", "Your booking - Coastline Railways"),
    ]


def _hotel_pages(event: LifeEvent) -> list[Page]:
    town = event.text("town")
    return [
        (f"https://coastguide.example/{_path(town)}/hotels", f"Hotels in {town} - Coast Guide"),
        (f"https://coastguide.example/booked/{event.text('code')}", f"{event.text('firm')} - Coast Guide"),
    ]


def _search(event: LifeEvent) -> list[Page]:
    words = (
        f"{event.text('dish')} recipe" if event.kind == "recipe" else f"how to write a letter {event.text('letter')}"
    )
    return [(f"{SEARCH}{words.replace(' ', '+')}", f"{words} - Search")]


def _path(text: str) -> str:
    return text.lower().replace(",", "").replace(" ", "-")


def _daily(life: Life, draw: random.Random, day: str, number: int) -> PageSeen:
    at = clock(life.first + timedelta(days=number - life.first.toordinal()), draw.randint(7, 22), draw.randint(0, 59))
    name = draw.choice([*life.owner.news, "Weather", "Search", "Bank"])
    if name == "Weather":
        town = life.owner.contact.town
        return PageSeen(
            "", at, f"https://coastweather.example/{town.lower().replace(' ', '-')}/{day}", f"Weather in {town}"
        )
    if name == "Search":
        words = draw.choice(
            [*life.owner.wants, *life.owner.topics, life.owner.hobby, f"{draw.choice(list(towns()))} museum"]
        )
        return PageSeen("", at, f"{SEARCH}{words.replace(' ', '+')}", f"{words} - Search")
    if name == "Bank":
        return PageSeen("", at, "https://meridianbank.example/account", "Your account - Meridian Bank")
    return PageSeen(
        "",
        at,
        f"https://{_domain(name)}/{at:%Y/%m}/{draw.randint(100, 999)}",
        f"{name}: {draw.choice(('today', 'the week', 'readers write', 'programme', 'from the region'))}",
    )


def _domain(name: str) -> str:
    return firms()[name].address.partition("@")[2]
