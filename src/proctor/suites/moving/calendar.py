"""Tasks in which a letter arrives while something is being entered in the calendar."""

from __future__ import annotations

from datetime import timedelta

from proctor.suites.parts.news import happens, is_open, letter_arrives
from proctor.suites.parts.other_programs import enter
from proctor.suites.parts.post import MONDAY, Owner, day_in_numbers, day_in_words, event, people
from proctor.suites.parts.thunderbird import OPEN_CALENDAR, new_event, open_letter
from proctor.suites.parts.ways import by_hand, by_python
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import Admission, Draft, NearMiss
from proctor.tasks.template import template

DESCRIPTIONS = Admission(
    which="calendar(Home): *, there before: description: *",
    why="Side effects compare all calendars with what is in them, descriptions too; this is the view of one alone.",
)


def _enter(draw: Draw, moved: bool) -> Draft:
    owner, (host, other) = people(draw, 2)
    title, besides = draw.some(("Choir practice", "Parents' evening", "Book club", "Garden day"), 2)
    days = [MONDAY + timedelta(days=number) for number in draw.some(range(5), 4)]
    hours = draw.some(range(14, 20), 4)
    place, elsewhere = draw.some(("Town hall", "Old mill", "Library", "School"), 2)
    slots = list(zip(days, hours, strict=True))

    def says(what: str, number: int, where: str, more: str = "") -> str:
        day, hour = slots[number]
        return f"{what}: {day_in_words(day)}, {hour}:00 to {hour + 1}:00, {where}.{more}\n"

    letters = [
        owner.letter(other, besides, "03-11 18:00", says(besides, 1, elsewhere)),
        owner.letter(host, title, "03-12 08:15", says(title, 0, place)),
    ]
    late = " It can't be on the day I wrote first."
    news = (
        owner.letter(host, f"Changed: {title}", "03-12 09:31", says(title, 2, place, late), read=False)
        if moved
        else owner.letter(other, f"Changed: {besides}", "03-12 09:31", says(besides, 3, elsewhere, late), read=False)
    )
    begun = (*open_letter(title), *OPEN_CALENDAR)
    stand_up = event("Stand-up", MONDAY, "09:15", "09:30")
    agenda = see.calendar("Home")

    def enter_at(number: int) -> tuple[Call, ...]:
        day, hour = slots[number]
        return new_event(title, day_in_numbers(day), f"{hour}:00", f"{hour + 1}:00", place=place)

    def code(number: int) -> str:
        day, hour = slots[number]
        return enter(owner, "Home", title, day, f"{hour}:00", f"{hour + 1}:00", place)

    right = 2 if moved else 0
    day, hour = slots[right]
    noticed = (
        *begun,
        hand.press("ctrl+i"),
        hand.await_window("New Event:"),
        hand.await_element("Title:", role="entry", timeout_sec=40),
        hand.press("Escape"),
        hand.await_window("New Event:", gone=True),
    )
    both = (*begun, *enter_at(0), *enter_at(2)) if moved else (*noticed, *enter_at(0), *enter_at(3))
    return Draft(
        instruction=f"{host.name} has sent me an email about the {title.lower()}. Please put it in my calendar as "
        f'"{title}", with day, time and place.',
        paraphrases=(f'Add "{title}" to my calendar, with place and time as in {host.first}\'s email.',),
        setup=(
            owner.mail({"INBOX": letters}),
            owner.calendars({"Home": [stand_up]}),
            owner.thunderbird(calendars=("Home",)),
        ),
        events=(happens("a change by email", is_open("New Event:"), *letter_arrives(owner, news)),),
        check=expect.all_of(
            [
                expect.event_exists(
                    agenda, {**event(title, day, f"{hour}:00", f"{hour + 1}:00", place), "repeats": {}}
                ),
                expect.event_count(agenda, 2),
                owner.keeps([*letters, news]),
                expect.nothing_sent(see.posted_mail()),
            ]
        ),
        may_differ=(DESCRIPTIONS,),
        solution=(*begun, *enter_at(0)) if not moved else (*noticed, *enter_at(2)),
        near_misses=(
            (
                NearMiss(name="as it was at first", moves=(*begun, *enter_at(0))),
                NearMiss(name="entered anew, the first time left", moves=both),
            )
            if moved
            else (
                NearMiss(name="at the time of the other change", moves=(*noticed, *enter_at(3))),
                NearMiss(name="at both times", moves=both),
            )
        ),
        other_ways=(by_hand("by another program after a look", *noticed, hand.run_code(code(right), "python")),),
        cheats=(
            by_python("at every time", "".join(code(number) for number in range(4))),
            by_hand("both in one", *noticed, hand.run_code(_whole_week(owner, title, hour, place), "python")),
        ),
    )


def _whole_week(owner: Owner, title: str, hour: int, place: str) -> str:
    return enter(owner, "Home", title, MONDAY, f"{hour}:00", f"{hour + 1}:00", place, "RRULE:FREQ=DAILY;COUNT=5")


@template(apps=("thunderbird",), level=3, demand="Office/Schedule/Calendar", services=("mail", "calendar"))
def enter_the_evening(draw: Draw) -> Draft:
    """What is being entered in the calendar is moved to another day."""
    return _enter(draw, moved=True)


@template(
    apps=("thunderbird",),
    level=3,
    demand="Office/Schedule/Calendar",
    services=("mail", "calendar"),
    twin="enter-the-evening",
)
def enter_one_of_two_evenings(draw: Draw) -> Draft:
    """While something is being entered in the calendar, something else is moved."""
    return _enter(draw, moved=False)
