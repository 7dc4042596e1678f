"""What comes round by itself: doctors, birthdays, newsletters, books to return, talk."""

from __future__ import annotations

import random
from datetime import date, datetime, timedelta

from proctor.worlds.chance import clock, days, working_day
from proctor.worlds.life.diary import Diary
from proctor.worlds.life.threads import KIN
from proctor.worlds.model import Circle
from proctor.worlds.prose.banks import keys, tables, texts
from proctor.worlds.prose.speak import choose, fill

CARE = {
    "Dental": ("check-up", "cleaning", "filling"), "Physio": ("treatment",), "Eye": ("sight test",),
    "Heart": ("yearly examination", "ECG"),
    "": ("check-up", "blood test", "vaccination", "talk about the results"),
}  # fmt: skip
BRING = (
    "your insurance card",
    "your insurance card and the last letter",
    "your card and a list of your medicines",
    "comfortable clothes",
)


def come_round(diary: Diary) -> None:
    """Tell all of it."""
    for firm in diary.owner.care:
        _appointments(diary, firm)
    _birthdays(diary)
    for firm in diary.owner.news:
        _letters(diary, firm)
    for circle in diary.owner.circles:
        _channel(diary, circle)


def _appointments(diary: Diary, firm: str) -> None:
    draw = diary.chance("care", firm)
    day = diary.first + timedelta(days=draw.randint(10, 60))
    kinds = next(kinds for word, kinds in CARE.items() if word in firm)
    while day < diary.last + timedelta(days=30):
        start = diary.find_time(working_day(day), 45, (8, 9, 11, 13, 15, 16), draw)
        said = clock(start.date() - timedelta(days=draw.randint(12, 25)), draw.randint(9, 16), draw.randint(0, 59))
        what = draw.choice(kinds)
        visit = diary.note(
            "appointment",
            said,
            firm=firm,
            what=what,
            start=start,
            end=start + timedelta(minutes=45),
            bring=draw.choice(BRING),
        )
        if draw.random() < 0.14:
            told = said + timedelta(days=draw.randint(2, 8))
            moved = diary.find_time(
                working_day(start.date() + timedelta(days=draw.randint(2, 9))), 45, (8, 10, 14, 16), draw
            )
            diary.note(
                "appointment.moved",
                told,
                visit,
                firm=firm,
                what=what,
                old=start,
                start=moved,
                end=moved + timedelta(minutes=45),
            )
            start = moved
        diary.note("reminder", start - timedelta(days=1, hours=2), visit, firm=firm, what=what, start=start)
        day = start.date() + timedelta(days=draw.randint(70, 160) if "Physio" not in firm else draw.randint(25, 60))


def _birthdays(diary: Diary) -> None:
    wishes = tables("round", "birthday")
    for contact in (*diary.owner.contacts, diary.owner.contact):
        if contact.born is None:
            continue
        own = contact is diary.owner.contact
        for year in range(diary.first.year, diary.last.year + 1):
            day = date(year, contact.born.month, contact.born.day)
            if not diary.first + timedelta(days=3) <= day <= diary.last + timedelta(days=40):
                continue
            draw = diary.chance("birthday", contact.name, year)
            diary.note("birthday", clock(diary.first, 9), who=contact.name, day=day, own=own)
            near = diary.owner.of_roles(*KIN, "colleague", "club")
            for other in draw.sample(near, 5) if own else [contact] if contact.role in (*KIN, "colleague") else []:
                _congratulate(diary, other.name, day, own, draw, wishes)


def _congratulate(
    diary: Diary, other: str, day: date, own: bool, draw: random.Random, wishes: list[dict[str, object]]
) -> None:
    wish = draw.choice(wishes)
    steps = wish["steps"]
    assert isinstance(steps, list)
    at = clock(day, draw.randint(7, 12), draw.randint(0, 59))
    facts = diary.slots(draw, at)
    subject = fill(str(wish["subject"]), facts, draw)
    cause = None
    for number, step in enumerate(steps):
        cause = diary.note(
            "message", at, cause, mine=own == (number == 1), other=other, copies=[], subject=subject,
            text=diary.speech.say(str(step), facts, draw), first=number == 0, circle="",
        )  # fmt: skip
        at += timedelta(hours=draw.randint(1, 9))


def _letters(diary: Diary, firm: str) -> None:
    draw = diary.chance("news", firm)
    at = clock(diary.first + timedelta(days=draw.randint(1, 12)), draw.randint(5, 9), draw.randint(0, 59))
    step = draw.choice((10, 14, 21))
    stories = keys("round", "story")
    while at < diary.now:
        parts = []
        for name in draw.sample(stories, draw.randint(3, 4)):
            facts = {**diary.slots(draw, at), "firm": firm, "who": draw.choice(texts("round", "strangers"))}
            head = diary.speech.any_of(texts("round", "story", name, "head"), facts, draw)
            parts.append(f"{head}\n{diary.speech.any_of(texts('round', 'story', name, 'text'), facts, draw)}")
        intro = diary.speech.any_of(texts("service", "news", "intro"), diary.slots(draw, at), draw)
        diary.note(
            "news", at, firm=firm, parts=parts, intro=intro, outro=draw.choice(texts("service", "news", "outro"))
        )
        if "Library" in firm and draw.random() < 0.6:
            _loan(diary, firm, at + timedelta(days=3, hours=2), draw)
        at += timedelta(days=step + draw.randint(-2, 2))


def _loan(diary: Diary, firm: str, at: datetime, draw: random.Random) -> None:
    books = draw.sample(texts("round", "books"), draw.randint(1, 3))
    due = at.date() + timedelta(days=3)
    loan = diary.note("loan", at, firm=firm, books=books, due=due)
    diary.note(
        "todo",
        at + timedelta(hours=2),
        loan,
        title=f"Return books ({len(books)}) to the {firm}",
        due=due,
        tag="errands",
    )


def _channel(diary: Diary, circle: Circle) -> None:
    """Tell what is said in the channel of a circle: a few lines on some days."""
    draw = diary.chance("chat", circle.name)
    people = [
        name.split()[0].lower() if name.split()[0] not in ("Prof.", "Dr.") else name.split()[-1].lower()
        for name in circle.members
    ]
    me = diary.owner.contact.first.lower()
    for day in days(diary.first, diary.last, 1):
        if draw.random() > (0.24 if circle.kind == "work" else 0.13) or (circle.kind == "work" and day.weekday() > 4):
            continue
        at = clock(day, draw.randint(8, 17), draw.randint(0, 59))
        talk = draw.choice(tables("round", "chat"))
        steps = talk["lines"]
        assert isinstance(steps, list)
        slots = diary.slots(draw, at, circle)
        voices = draw.sample([*people, me], min(len(people) + 1, 3))
        lines = []
        for number, step in enumerate(steps):
            lines.append([voices[number % min(2, len(voices))], choose(str(step), draw).format_map(slots), at])
            at += timedelta(seconds=draw.randint(8, 400))
        if at < diary.now:
            diary.note("chat", at, channel=circle.channel, lines=lines)
