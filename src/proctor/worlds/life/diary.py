"""The log of a life while it is told: what happens, and when somebody is taken."""

from __future__ import annotations

import random
from collections import Counter
from datetime import date, datetime, time, timedelta

from proctor.worlds.chance import chance, clock, in_words, money, month_name, next_month, working_day
from proctor.worlds.model import Circle, Contact, DeskOwner, Facts, LifeEvent, Trip
from proctor.worlds.people.load import towns
from proctor.worlds.prose.speak import Speech

DAWN = time(8, 0)
"""When the last day begins: nothing later has happened."""


class Diary:
    """Takes down what happens to one person."""

    def __init__(self, owner: DeskOwner, seed: int, first: date, last: date) -> None:
        self.owner = owner
        self.seed = seed
        self.first = first
        self.last = last
        self.now = datetime.combine(last, DAWN)
        self.speech = Speech()
        self.trips: list[Trip] = []
        self._events: list[LifeEvent] = []
        self._taken: dict[date, list[tuple[datetime, datetime]]] = {}
        self._counts: Counter[str] = Counter()

    def chance(self, *keys: object) -> random.Random:
        """Return chance of its own for a purpose of this life."""
        return chance(self.owner.key, self.seed, *keys)

    def note(self, kind: str, at: datetime, cause: LifeEvent | None = None, /, **facts: object) -> LifeEvent:
        """Take something down and return it.

        `plant` among the facts says that it is a side of a contradiction.
        """
        plant = str(facts.pop("plant", ""))
        self._counts[kind] += 1
        number = f"{kind.replace('.', '-')}-{self._counts[kind]:04}"
        event = LifeEvent(number, kind, at, dict(facts), cause.id if cause else "", plant)
        self._events.append(event)
        return event

    def events(self) -> list[LifeEvent]:
        """Return what had happened by the last day, in its order."""
        return sorted((each for each in self._events if each.at <= self.now), key=lambda each: (each.at, each.id))

    def away(self, day: date) -> bool:
        """Tell whether the owner is on a journey."""
        return any(trip.start <= day <= trip.end for trip in self.trips)

    def free(self, start: datetime, end: datetime) -> bool:
        """Tell whether the owner has time."""
        taken = self._taken.get(start.date(), [])
        return not self.away(start.date()) and all(end <= other[0] or start >= other[1] for other in taken)

    def take(self, start: datetime, end: datetime) -> None:
        """Keep a time for something."""
        self._taken.setdefault(start.date(), []).append((start, end))

    def find_time(self, day: date, minutes: int, hours: tuple[int, ...], draw: random.Random) -> datetime:
        """Return a free time on a day, or on the first day after it that has one."""
        while True:
            for hour in draw.sample(hours, len(hours)):
                start = clock(day, hour, draw.choice((0, 15, 30)))
                end = start + timedelta(minutes=minutes)
                if self.free(start, end):
                    self.take(start, end)
                    return start
            day = working_day(day + timedelta(days=1))

    def slots(
        self, draw: random.Random, at: datetime, circle: Circle | None = None, apart: tuple[Contact, ...] = ()
    ) -> Facts:
        """Return facts that fill the texts of banks: things, days, sums, somebody else."""
        day = working_day(at.date() + timedelta(days=draw.randint(2, 10)))
        later = working_day(day + timedelta(days=draw.randint(2, 9)))
        things = draw.sample(circle.things, 2) if circle else ["the plan", "the list"]
        people = self.owner.of_roles("friend", "brother", "sister", "flatmate", "neighbour", "son", "daughter")
        if circle:
            people = [each for each in self.owner.contacts if each.name in circle.members]
        people = [each for each in people if each not in apart and each.role != "client"] or [self.owner.contacts[0]]
        small = draw.randint(3, 9)
        sums = sorted(draw.randint(38, 940) * 10 for _ in range(3))
        client = draw.choice(circle.clients).split()[0] if circle else ""
        hours = draw.sample((9, 10, 11, 14, 15, 16, 17, 18), 2)
        return {
            "thing": things[0], "thing2": things[1], "Thing": _capital(things[0]), "Thing2": _capital(things[1]),
            "project": draw.choice(circle.projects) if circle else "", "client": client,
            "who": draw.choice(people).first, "n": small, "m": small - draw.randint(1, 2),
            "m2": small + draw.randint(2, 14),
            "amount": money(sums[0]), "amount2": money(sums[1]), "amount3": money(sums[2]),
            "amount4": money(draw.randint(180, 3900) / 10), "amount5": money(draw.randint(120, 2900) / 10),
            "day": in_words(day), "day2": in_words(later),
            "pastday": in_words(at.date() - timedelta(days=draw.randint(12, 24))),
            "pastday2": in_words(at.date() - timedelta(days=draw.randint(4, 11))),
            "month": month_name(next_month(at.date(), -1)), "month2": month_name(next_month(at.date(), 2)),
            "year": at.year, "time": f"{hours[0]}:{draw.choice(('00', '15', '30'))}", "time2": f"{hours[1]}:00",
            "noon": f"12:{draw.choice(('00', '15', '30', '45'))}", "season": _SEASONS[at.month % 12 // 3],
            "place": draw.choice(list(towns())), "street": self.owner.contact.street,
        }  # fmt: skip


_SEASONS = ("winter", "spring", "summer", "autumn")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
