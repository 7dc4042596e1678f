"""What the mail and calendar tasks share: people with accounts, letters to them, and days."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, make, see

MONDAY = date(2026, 3, 16)
"""Of the week after the one in which every task begins."""


@dataclass(frozen=True)
class Person:
    """Somebody with a name and an address."""

    name: str
    address: str

    @property
    def first(self) -> str:
        """The first name."""
        return self.name.split()[0]

    @property
    def in_letters(self) -> str:
        """As letters write it."""
        return f"{self.name} <{self.address}>"


@dataclass(frozen=True)
class Owner(Person):
    """The user of the computer."""

    password: str

    def mail(self, folders: dict[str, list[dict[str, Any]]]) -> Call:
        """Start the mail service with the owner's account."""
        account = {"address": self.address, "password": self.password, "name": self.name, "folders": folders}
        return make.mail_service([account])

    def calendars(self, events: dict[str, list[dict[str, Any]]]) -> Call:
        """Start the calendar service with the owner's calendars."""
        listed = [{"title": title, "events": found} for title, found in events.items()]
        return make.calendar_service(self.address, self.password, listed)

    def thunderbird(self, *, calendars: Sequence[str] = (), show: str = "mail") -> Call:
        """Open Thunderbird for the owner."""
        return make.thunderbird(self.address, self.password, self.name, list(calendars), show)

    def keeps(self, letters: Sequence[dict[str, Any]], folder: str = "INBOX") -> Call:
        """Return the check that a folder holds these letters still, and no others."""
        texts = {letter["subject"]: letter["text"] for letter in letters}
        came = {letter["subject"]: letter.get("attachments", []) for letter in letters}
        files = {subject: [file["name"] for file in held] for subject, held in came.items() if held}
        more = {"files": files} if files else {}
        return expect.mailbox_holds(see.mailbox(self.address, folder), [*texts], texts, **more)

    def letter(self, sender: Person, subject: str, date: str, text: str, **more: Any) -> dict[str, Any]:
        """A letter to the owner; `date` is `03-11 14:05`."""
        day, time = date.split()
        given = {"from": sender.in_letters, "to": self.in_letters, "subject": subject, "date": f"2026-{day}T{time}:00"}
        return {**given, "text": text, **more}


def people(draw: Draw, count: int) -> tuple[Owner, list[Person]]:
    """Draw the owner of the computer and others, each with an address of their own."""
    names = draw.people(count + 1)
    places = draw.some(("alderbooks", "beaconfoods", "cobaltdesign", "galesports", "irisoptics", "kitetoys"), 2)
    word = draw.choice(("Kestrel", "Lantern", "Marble", "Orchard", "Pepper"))
    addresses = [_address(name, places[number % 2]) for number, name in enumerate(names)]
    owner = Owner(names[0], addresses[0], f"{word}-{draw.randint(100, 999)}")
    return owner, [Person(name, address) for name, address in zip(names[1:], addresses[1:], strict=True)]


def _address(name: str, place: str) -> str:
    return f"{name.lower().replace(' ', '.')}@{place}.example"


def day_in_words(day: date) -> str:
    """A day as people write it: Tuesday 17 March."""
    return f"{day:%A} {day.day} {day:%B}"


def day_in_numbers(day: date) -> str:
    """A day as the calendar takes it: 3/17/26."""
    return f"{day.month}/{day.day}/{day:%y}"


def event(title: str, day: date, start: str, end: str, place: str = "") -> dict[str, Any]:
    """An event as setup and checks take it."""
    return {
        "summary": title,
        "start": f"{day}T{start}",
        "end": f"{day}T{end}",
        "location": place,
    }
