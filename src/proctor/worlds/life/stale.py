"""What planting contradictions is done with."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from proctor.worlds.chance import chance
from proctor.worlds.life.diary import Diary
from proctor.worlds.life.threads import KIN
from proctor.worlds.model import Contact, LifeEvent, Plant, PlantSide


class Planter:
    """Puts both sides of contradictions into a life."""

    def __init__(self, diary: Diary) -> None:
        self.diary = diary
        self.near: list[Contact] = [each for each in diary.owner.of_roles(*KIN) if each.role != "granddaughter"]
        self.plants: list[Plant] = []

    def early(self, draw: random.Random) -> datetime:
        """Return a moment in the first part of the life."""
        span = (self.diary.last - self.diary.first).days
        return self._moment(draw, span // 10, span // 2)

    def late(self, draw: random.Random) -> datetime:
        """Return a moment in its last part, some days ago."""
        span = (self.diary.last - self.diary.first).days
        return self._moment(draw, span * 3 // 4, span - 4)

    def _moment(self, draw: random.Random, first: int, last: int) -> datetime:
        day = self.diary.first + timedelta(days=draw.randint(first, last))
        return datetime(day.year, day.month, day.day, draw.randint(9, 20), draw.randint(0, 59))

    def note(self, topic: str, line: str, at: datetime) -> LifeEvent:
        """Put a line into a note."""
        return self.diary.note(
            "fact",
            at,
            plant="yes",
            topic=topic,
            line=line,
            path=f"Notes/{topic} {len(self.plants) + 1:02}.txt"
            if "budget" not in topic
            else f"Documents/Money/{topic}.txt",
        )

    def mail(self, who: Contact, at: datetime, subject: str, text: str) -> LifeEvent:
        """Have somebody write."""
        return self.diary.note(
            "message",
            at,
            plant="yes",
            mine=False,
            other=who.name,
            copies=[],
            subject=subject,
            text=text,
            first=True,
            circle="",
        )

    def service(self, firm: str, at: datetime, subject: str, text: str) -> LifeEvent:
        """Have a firm write."""
        contact = next(each for each in self.diary.owner.contacts if each.name == firm)
        return self.diary.note("notice", at, plant="yes", sender=contact.address, name=firm, subject=subject, text=text)

    def pair(self, what: str, old: PlantSide, new: PlantSide, right: str, why: str) -> None:
        """Note a contradiction."""
        self.plants.append(Plant(f"plant-{len(self.plants) + 1:02}", what, old, new, right, why))


def past(diary: Diary, kind: str) -> list[LifeEvent]:
    """Return the latest that had happened of a kind."""
    found = [each for each in diary.events() if each.kind == kind and not each.plant]
    return found[-8:]


def future(diary: Diary, kind: str) -> list[LifeEvent]:
    """Return what is known of a kind and yet to come, and was not moved."""
    events = diary.events()
    changed = {each.cause for each in events if each.kind in ("session.moved", "session.off", "session.later")}
    return [
        each
        for each in events
        if each.kind == kind and each.moment("start") > diary.now + timedelta(days=1) and each.id not in changed
    ]


def iban(name: str) -> str:
    """Return the account of somebody, of an invented country."""
    draw = chance("iban", name)
    return f"XQ{draw.randint(10, 98)} " + " ".join(f"{draw.randint(0, 9999):04}" for _ in range(4))
