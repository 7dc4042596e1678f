"""Letters that people write to each other and answer, about what they have in common."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from proctor.worlds.chance import clock, days, working_day
from proctor.worlds.life.diary import Diary
from proctor.worlds.model import Circle, Contact, LifeEvent
from proctor.worlds.prose.banks import Bank, tables
from proctor.worlds.prose.speak import fill

KIN = (
    "partner", "mother", "father", "brother", "sister", "son", "daughter", "granddaughter", "former wife", "friend",
    "flatmate", "neighbour",
)  # fmt: skip
WEEKLY = {"work": 2.0, "club": 0.45, "social": 1.15}
"""Threads a week."""


def correspond(diary: Diary) -> None:
    """Tell all threads of all weeks."""
    for monday in days(diary.first, diary.last, 7):
        for kind, many in WEEKLY.items():
            draw = diary.chance("threads", kind, monday)
            for _ in range(int(many + draw.random())):
                day = monday + timedelta(days=draw.randint(0, 6))
                day = working_day(day) if kind == "work" else day
                _thread(
                    diary, kind, clock(day, draw.randint(8, 20 if kind == "social" else 16), draw.randint(0, 59)), draw
                )


def _thread(diary: Diary, kind: str, at: datetime, draw: random.Random) -> None:
    circle, other = _partner(diary, kind, draw)
    if other is None:
        return
    scripts = {str(script["subject"]): script for script in tables(kind, "thread")}
    script = scripts[diary.speech.pick(list(scripts), draw)]
    begun_by_me = draw.random() < 0.36
    converse(diary, script, other, at, draw, circle, begun_by_me)


def converse(
    diary: Diary, script: Bank, other: Contact, at: datetime, draw: random.Random, circle: Circle | None,
    begun_by_me: bool,
) -> list[LifeEvent]:  # fmt: skip
    """Tell one thread: each letter answers the one before it."""
    slots = diary.slots(draw, at, circle, (other,))
    subject = fill(str(script["subject"]), slots, draw)
    steps = script["steps"]
    assert isinstance(steps, list)
    # Some threads end early, because somebody answers by telephone.
    count = len(steps) if draw.random() < 0.75 else max(2, len(steps) - 1)
    copies = []
    if circle and circle.kind == "work" and draw.random() < 0.2:
        copies = [name for name in circle.members if name != other.name and name.split()[0] != slots["who"]][:1]
    said: list[LifeEvent] = []
    for number, step in enumerate(steps[:count]):
        mine = (number % 2 == 0) == begun_by_me
        text = diary.speech.say(str(step), slots, draw)
        said.append(
            diary.note(
                "message",
                at,
                said[-1] if said else None,
                mine=mine,
                other=other.name,
                copies=copies,
                subject=subject,
                text=text,
                first=number == 0,
                circle=circle.name if circle else "",
            )  # fmt: skip
        )
        at = _later(at, draw, by_day=circle is not None and circle.kind == "work")
    return said


def _partner(diary: Diary, kind: str, draw: random.Random) -> tuple[Circle | None, Contact | None]:
    if kind == "social":
        return None, draw.choice(diary.owner.of_roles(*KIN))
    circles = [circle for circle in diary.owner.circles if circle.kind == kind]
    if not circles:
        return None, None
    # The first is where most of the work is done.
    circle = circles[0] if draw.random() < 0.6 else draw.choice(circles)
    known = {each.name: each for each in diary.owner.contacts}
    return circle, draw.choice([known[name] for name in circle.members])


def _later(at: datetime, draw: random.Random, by_day: bool) -> datetime:
    """Return when an answer comes: soon, or some hours later, not in the night."""
    at += timedelta(minutes=draw.choice((12, 35, 70, 150, 240, 420, 900, 1500)) + draw.randint(0, 25))
    first, last = (8, 18) if by_day else (7, 22)
    if at.hour >= last:
        at = clock(at.date() + timedelta(days=1), first, draw.randint(0, 59))
    elif at.hour < first:
        at = at.replace(hour=first)
    return at if not by_day else at.replace(year=(day := working_day(at.date())).year, month=day.month, day=day.day)
