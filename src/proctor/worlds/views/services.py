"""Mails that machines and offices write: orders, bills, tickets, appointments, newsletters."""

from __future__ import annotations

import random
import textwrap
from datetime import date, datetime
from functools import cache

from proctor.worlds.chance import exact, in_words, month_name
from proctor.worlds.life.stale import iban
from proctor.worlds.model import Contact, DeskOwner, Facts, Life, LifeEvent
from proctor.worlds.people.load import MACHINE, firms, towns
from proctor.worlds.prose.banks import text
from proctor.worlds.prose.speak import Speech, choose
from proctor.worlds.views.draft import MailDraft
from proctor.worlds.views.forms import customer_number, lines_of
from proctor.worlds.views.money import balance_after

NAMES = {
    "order": "order", "order.sent": "sent", "order.billed": "invoice", "bill": "bill", "salary": "salary",
    "ticket": "ticket", "hotel": "hotel",
    "appointment": "appointment", "appointment.moved": "appointment_moved", "reminder": "reminder",
    "refund": "refund", "loan": "loan",
}  # fmt: skip
"""Which template shows which event."""
KINDS = (*NAMES, "news", "notice")
ENCLOSED = ("order.billed", "bill", "salary", "ticket", "hotel")


def draft(event: LifeEvent, life: Life, draw: random.Random, speech: Speech) -> MailDraft:
    """Return what a machine writes about an event."""
    owner = life.owner
    if event.kind == "notice":
        sender = Contact(event.text("name"), event.text("sender"), "firm", MACHINE, automatic=True)
        return MailDraft(sender, (owner.contact,), event.text("subject"), event.text("text"), automatic=True)
    firm = _firm(event)
    if event.kind == "news":
        return MailDraft(
            firm, (owner.contact,), event.names("parts")[0].split("\n")[0], _news(event, firm), automatic=True
        )
    name = NAMES[event.kind]
    facts = _facts(event, owner, firm)
    body = choose(text("service", name, "text"), draw).format_map(facts)
    subject = text("service", name, "subject").format_map(facts)
    paths = (event.text("path"),) if event.kind in ENCLOSED else ()
    return MailDraft(firm, (owner.contact,), subject, body, paths=paths, automatic=True)


def statement(event: LifeEvent, life: Life, month: date) -> MailDraft:
    """Return what the bank writes after a month."""
    owner, bank = life.owner, firms()["Meridian Bank"]
    facts = {
        "name": owner.name, "account": iban(owner.name), "month": f"{month_name(month)} {month.year}",
        "firm": bank.name,
        "balance": exact(balance_after(life, month)),
    }  # fmt: skip
    subject = text("service", "statement", "subject").format_map(facts)
    return MailDraft(
        bank, (owner.contact,), subject, text("service", "statement", "text").format_map(facts), automatic=True
    )


def _facts(event: LifeEvent, owner: DeskOwner, firm: Contact) -> Facts:
    facts: Facts = {key: value for key, value in event.facts.items() if isinstance(value, str | int)}
    facts |= {
        "name": owner.name, "first": owner.contact.first, "firm": firm.name, "town": owner.contact.town,
        "phone": firm.phone, "iban": iban(firm.name),
        "street": owner.contact.street, "web": f"www.{firm.address.partition('@')[2]}",
        "customer": customer_number(firm.name, owner),
    }  # fmt: skip
    if "total" in event.facts:
        facts["total"] = exact(event.number("total"))
    if "lines" in event.facts:
        facts["lines"] = "\n".join(
            f"  {line['count']} x {line['what']:<32} {line['sum']:>9,.2f}" for line in lines_of(event)
        )
    for name in ("due", "arrival", "departure", "month"):
        if isinstance(day := event.facts.get(name), date):
            facts[name] = f"{month_name(day)} {day.year}" if name == "month" else f"{in_words(day)} {day.year}"
    for name in ("start", "old", "leaves", "arrives"):
        if isinstance(at := event.facts.get(name), datetime):
            facts |= _times(name, at)
    if event.kind in ("appointment", "appointment.moved"):
        facts["street"] = f"{firm.street}, {firm.town}"
    if event.kind == "hotel":
        nights = int(event.number("nights"))
        facts |= {
            "to": event.text("town"),
            "nights": f"{nights} night{'s' if nights > 1 else ''}",
            "street": f"Main Street 1, {event.text('town')}",
        }
    if event.kind == "ticket":
        facts["seat"] = event.text("place")
    if event.kind == "order" and event.text("delivery"):
        facts["street"] = f"{event.text('delivery').capitalize()} {owner.contact.street.rpartition(' ')[0]}"
    if event.kind == "loan":
        facts |= {"day": facts["due"], "lines": "\n".join(f"  {book}" for book in event.names("books"))}
    return facts


def _times(name: str, at: datetime) -> Facts:
    if name == "start":
        return {"day": f"{in_words(at.date())} {at.year}", "time": f"{at:%H:%M}"}
    if name == "old":
        return {"old": f"{in_words(at.date())}, {at:%H:%M}"}
    return (
        {"leaves": f"{at:%H:%M}", "depart": f"{at:%H:%M}", "day": in_words(at.date())}
        if name == "leaves"
        else {"arrive": f"{at:%H:%M}"}
    )


def _news(event: LifeEvent, firm: Contact) -> str:
    web = f"www.{firm.address.partition('@')[2]}"
    parts = []
    for part in event.names("parts"):
        head, _, body = part.partition("\n")
        parts.append(f"{head.upper()}\n{textwrap.fill(body, 76)}")
    return "\n\n".join([event.text("intro"), *parts, firm.name, event.text("outro").format(web=web)])


def _firm(event: LifeEvent) -> Contact:
    known = firms()
    name = event.text("firm")
    return known.get(name) or _hotels()[name]


@cache
def _hotels() -> dict[str, Contact]:
    """Return the hotels of the towns as those who write."""
    found = {}
    for town in towns().values():
        domain = "".join(letter for letter in town.hotel.lower() if letter.isalpha())
        found[town.hotel] = Contact(
            town.hotel, f"reception@{domain}.example", "hotel", MACHINE, "0490 555 1200", town=town.name, automatic=True
        )
    return found
