"""Meetings of teams, courses and clubs: they are announced, moved, held, and minutes are kept."""

from __future__ import annotations

import random
from datetime import date, datetime, timedelta

from proctor.worlds.chance import clock, in_words, working_day
from proctor.worlds.life.diary import Diary
from proctor.worlds.model import Circle, Facts, LifeEvent
from proctor.worlds.prose.banks import texts

AHEAD = 35
"""Days that are planned beyond the last one."""
MINUTES_SHARE = {7: 0.22, 14: 0.5}
"""How often minutes are kept, by the days between meetings; of rarer ones always."""
EARLY = (8, 15)


def meet(diary: Diary) -> None:
    """Tell the meetings of all circles."""
    for circle in diary.owner.circles:
        _series(diary, circle)
        if circle.kind == "work":
            _reviews(diary, circle)


def _series(diary: Diary, circle: Circle) -> None:
    draw = diary.chance("series", circle.name)
    day = diary.first + timedelta(days=(circle.weekday - diary.first.weekday()) % 7)
    quarter = 0
    while day <= diary.last + timedelta(days=AHEAD):
        start = clock(day, circle.hour, circle.minute)
        end = start + timedelta(minutes=circle.duration)
        if diary.free(start, end) and not _is_closed(day):
            diary.take(start, end)
            announced = circle.every >= 28 or day.year * 4 + day.month // 4 != quarter
            quarter = day.year * 4 + day.month // 4
            said = clock(day - timedelta(days=draw.randint(9, 15)), draw.randint(8, 18), draw.randint(0, 59))
            session = _session(diary, circle, circle.name, start, said, draw, announced)
            _after(diary, circle, session, draw)
        day += timedelta(days=circle.every)


def _reviews(diary: Diary, circle: Circle) -> None:
    """Tell the meetings about projects, each with an invitation of its own."""
    draw = diary.chance("reviews", circle.name)
    day = diary.first + timedelta(days=6)
    while day < diary.last - timedelta(days=2):
        slots = diary.slots(draw, clock(day, 9), circle)
        early = bool(diary.owner.prefers("moves")) and draw.random() < 0.12
        held = working_day(day + timedelta(days=draw.randint(4, 9)))
        start = clock(held, *EARLY) if early else diary.find_time(held, 60, (9, 11, 13, 14, 15, 16), draw)
        if not (early and not diary.free(start, start + timedelta(hours=1))):
            said = clock(day, draw.randint(9, 16), draw.randint(0, 59))
            title = f"{slots['project']}: {slots['thing']}"
            session = _session(diary, circle, title, start, said, draw, announced=True, review=True)
            if early:
                _ask_for_later(diary, session, draw)
            else:
                _after(diary, circle, session, draw)
        day += timedelta(days=draw.randint(7, 16))


def _session(
    diary: Diary, circle: Circle, title: str, start: datetime, said: datetime, draw: random.Random, announced: bool,
    review: bool = False,
) -> LifeEvent:  # fmt: skip
    others = list(circle.members)
    people = draw.sample(others, min(len(others), draw.randint(2, 3))) if review else others
    host = people[0] if draw.random() < 0.65 or not review else diary.owner.name
    length = 60 if review else circle.duration
    agenda = [diary.slots(draw, said, circle)["Thing"] for _ in range(draw.randint(2, 4))]
    return diary.note(
        "session", said, circle=circle.name, title=title, start=start, end=start + timedelta(minutes=length),
        place=circle.place, people=people, host=host, announced=announced, review=review,
        agenda=list(dict.fromkeys(agenda)),
    )  # fmt: skip


def _after(diary: Diary, circle: Circle, session: LifeEvent, draw: random.Random) -> None:
    """Move the meeting perhaps, and keep minutes of it."""
    start, end = session.moment("start"), session.moment("end")
    if session.facts["announced"] and draw.random() < 0.4 and session.text("host") != diary.owner.name:
        diary.note("session.answer", session.at + timedelta(hours=draw.randint(1, 20)), session)
    if draw.random() < 0.09:
        said = start - timedelta(days=draw.randint(1, 3), hours=draw.randint(0, 2))
        length = int((end - start).total_seconds() / 60)
        moved = diary.find_time(working_day(start.date() + timedelta(days=1)), length, (10, 11, 14, 15, 16), draw)
        reason = draw.choice(_REASONS)
        diary.note("session.moved", said, session, start=moved, end=moved + (end - start), reason=reason)
        start, end = moved, moved + (end - start)
    elif draw.random() < 0.03:
        diary.note("session.off", start - timedelta(hours=draw.randint(3, 30)), session, reason=draw.choice(_REASONS))
        return
    share = MINUTES_SHARE.get(circle.every, 1.0)
    kept = circle.minutes and (draw.random() < (0.5 if session.facts["review"] else share))
    if kept:
        _keep_minutes(diary, circle, session, (start, end), draw)


def _ask_for_later(diary: Diary, session: LifeEvent, draw: random.Random) -> None:
    old = session.moment("start")
    later = old.replace(hour=10, minute=30)
    while not diary.free(later, later + timedelta(hours=1)):
        later += timedelta(minutes=30)
    diary.take(later, later + timedelta(hours=1))
    said = session.at + timedelta(hours=draw.randint(1, 5), minutes=draw.randint(0, 50))
    diary.note("session.later", said, session, start=later, end=later + timedelta(hours=1), moves="10:30")


def _keep_minutes(
    diary: Diary, circle: Circle, session: LifeEvent, times: tuple[datetime, datetime], draw: random.Random
) -> None:
    start, end = times
    said = end + timedelta(hours=draw.randint(2, 40), minutes=draw.randint(0, 59))
    items = [_item(diary, circle, session, said, draw) for _ in range(draw.randint(3, 6))]
    owner = diary.owner.name
    absent = draw.choice(session.names("people")) if len(session.names("people")) > 3 and draw.random() < 0.4 else ""
    writer = owner if session.text("host") == owner or draw.random() < 0.3 else session.names("people")[-1]
    writer = owner if writer == absent else writer
    # A second one of the same name on a day gets a number, as people do it.
    name = f"{start:%Y-%m-%d} Minutes {_plain(session.text('title'))}"
    minutes = diary.note(
        "minutes", said, session, start=start, end=end, items=items, absent=absent, writer=writer,
        path=f"Documents/{_plain(circle.name)}/Minutes/{start:%Y}/{name}.{circle.minutes}",
    )  # fmt: skip
    for item in items:
        if item["who"] == owner:
            diary.note(
                "todo",
                said + timedelta(minutes=20),
                minutes,
                title=item["action"],
                due=item["until"],
                tag=_plain(circle.name).split()[0].lower(),
            )


def _item(diary: Diary, circle: Circle, session: LifeEvent, said: datetime, draw: random.Random) -> Facts:
    slots = diary.slots(draw, said, circle)
    slots["who"] = draw.choice(session.names("people")).split()[0]
    speech = diary.speech
    talk = [speech.any_of(texts("papers", "minutes", "discussion"), slots, draw)]
    others = {
        **diary.slots(draw, said, circle),
        "who": draw.choice(session.names("people")).split()[0],
        "thing": slots["thing"],
    }
    talk.append(speech.any_of(texts("papers", "minutes", "discussion"), others, draw))
    who = draw.choice([*session.names("people"), diary.owner.name])
    until = working_day(said.date() + timedelta(days=draw.randint(4, 16)))
    return {
        "title": slots["Thing"], "talk": talk, "decision": speech.any_of(texts("papers", "minutes", "decision"),
        slots, draw),
        "action": speech.any_of(texts("papers", "minutes", "action"), slots, draw), "who": who, "until": until,
        "until_text": in_words(until),
    }  # fmt: skip


_REASONS = (
    "the room is being painted", "half of us are ill", "the client asked for another time",
    "there is a fire drill in the house",
    "the figures are not ready yet", "of the strike of the trams", "I have to be at the dentist",
    "of a delivery that nobody else can take",
    "two of us are on the road", "the heating is off until noon",
)  # fmt: skip


def _is_closed(day: date) -> bool:
    """Tell whether nobody meets: between the years, and on the first of May."""
    return (day.month, day.day) >= (12, 22) or (day.month, day.day) <= (1, 3) or (day.month, day.day) == (5, 1)


def _plain(text: str) -> str:
    return "".join(letter if letter.isalnum() or letter in " -" else "" for letter in text).strip()
