"""Tasks in which letters say what belongs in the calendar."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from proctor.suites.parts.other_programs import delete, drop, enter, in_mailbox, post
from proctor.suites.parts.post import MONDAY, Owner, Person, day_in_numbers, day_in_words, event, people
from proctor.suites.parts.thunderbird import OPEN_CALENDAR, new_event, open_letter, reply
from proctor.suites.parts.ways import by_hand, by_python
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import Draft, NearMiss, Way
from proctor.tasks.template import template

WEEK = tuple(MONDAY + timedelta(days=offset) for offset in range(5))
OFFERS = "When shall we talk?"
OTHERS_TOO = (
    "any other day|any other time|any of them|any of the others|any of these|any of the three|all of them work|"
    "all of them are|all three work|all three are|the others as well|the other two as well|the others too"
)
"""What accepts more than one."""


@template(
    apps=("thunderbird",), level=3, demand="Office/Communication/Meeting", services=("mail", "calendar"), version=4
)
def the_meeting_was_changed(draw: Draw) -> Draft:
    """An invitation is followed by a correction under another subject."""
    owner, (host, colleague) = people(draw, 2)
    title = draw.choice(("Budget round", "Kick-off", "Site visit", "Hiring talk"))
    old, new = draw.some(WEEK, 2)
    hour, later = draw.randint(10, 11), draw.randint(13, 16)
    room, other_room = draw.some(("Room 12", "Room 27", "Library", "Canteen", "Room 31"), 2)
    at = f"{day_in_words(old)}, {hour}:00 to {hour + 1}:00"
    begin = f'Dear all,\n\nthe meeting "{title}" takes place on {at}. Place: {room}.'
    change = (
        f"Sorry everybody, something came up that day. We meet on {day_in_words(new)} instead, "
        f"{later}:30 to {later + 1}:30. New place: {other_room}."
    )
    letters = [
        owner.letter(host, f"Invitation: {title}", "03-10 09:40", f"{begin}\n\n{host.first}\n"),
        owner.letter(colleague, "Coffee machine", "03-10 15:00", "The coffee machine works again.\n"),
        owner.letter(host, "Change of plans", "03-11 16:25", f"{change}\n\n{host.first}\n", read=False),
    ]
    others = [event("Stand-up", MONDAY, "09:15", "09:30")]
    agenda = see.calendar("Work")
    start, end = f"{later}:30", f"{later + 1}:30"
    right = new_event(title, day_in_numbers(new), start, end, place=other_room)
    outdated = new_event(title, day_in_numbers(old), f"{hour}:00", f"{hour + 1}:00", place=room)
    halfway = new_event(title, day_in_numbers(new), start, end, place=room)
    first, second = open_letter(f"Invitation: {title}"), open_letter("Change of plans")
    return Draft(
        instruction=f'{host.name} emailed me an invitation to a meeting, "{title}". Please put it in my '
        "calendar with the title, time and place.",
        paraphrases=(f'Can you add "{title}" to my calendar, including the place? {host.first} emailed me about it.',),
        setup=(
            owner.mail({"INBOX": letters}),
            owner.calendars({"Work": others}),
            owner.thunderbird(calendars=("Work",)),
        ),
        check=expect.all_of(
            [
                expect.event_exists(agenda, {**event(title, new, start, end, other_room), "repeats": {}}),
                owner.keeps(letters),
                expect.nothing_sent(see.posted_mail()),
            ]
        ),
        solution=(*first, *second, *OPEN_CALENDAR, *right),
        near_misses=(
            NearMiss(name="as announced at first", moves=(*first, *OPEN_CALENDAR, *outdated)),
            NearMiss(name="the new time in the old room", moves=(*second, *OPEN_CALENDAR, *halfway)),
        ),
        other_ways=(
            by_hand(
                "by the clock of twelve hours",
                *second,
                *OPEN_CALENDAR,
                *new_event(title, day_in_numbers(new), f"{later - 12}:30 PM", f"{later - 11}:30 PM", place=other_room),
            ),
            by_python(
                "by another program, with who invites",
                enter(owner, "Work", title, new, start, end, other_room, f"DESCRIPTION:{host.name} invites"),
            ),
        ),
        cheats=(
            by_python(
                "as announced and as changed",
                enter(owner, "Work", title, old, f"{hour}:00", f"{hour + 1}:00", room)
                + enter(owner, "Work", title, new, start, end, other_room),
            ),
            by_python("both places", enter(owner, "Work", title, new, start, end, f"{room} {other_room}")),
            by_python(
                "every day of the week",
                enter(owner, "Work", title, WEEK[0], start, end, other_room, "RRULE:FREQ=DAILY;COUNT=5"),
            ),
            by_python(
                "entered, and the letters deleted",
                enter(owner, "Work", title, new, start, end, other_room)
                + in_mailbox(owner, *delete(*(letter["subject"] for letter in letters))),
            ),
        ),
    )


@template(
    apps=("thunderbird",), level=3, demand="Office/Communication/Meeting", services=("mail", "calendar"), version=6
)
def accept_the_free_time(draw: Draw) -> Draft:
    """Of three suggested times only one is free; it is accepted by email and entered in the calendar."""
    owner, (guest, other) = people(draw, 2)
    slots = [(day, draw.randint(10, 15)) for day in sorted(draw.some(WEEK[:4], 3))]
    (day, hour), taken, busy = _agenda(draw, slots, other)
    title, offer = f"Talk with {guest.first}", _offer(owner, guest, slots)
    agenda = see.calendar("Work")
    names = {each: _names_of_day(each, number) for number, (each, _) in enumerate(slots)}
    declined = [*(names[other] for other, _ in slots if other != day), *_when_else(day, hour), OTHERS_TOO]

    def by_programs(name: str, text: str, *, html: bool = False, before: str = "") -> Way:
        sent = post(owner, [guest.address], f"Re: {OFFERS}", text, answers="offers.1@example", html=html)
        return by_python(name, sent + before + enter(owner, "Work", title, day, f"{hour}:00", f"{hour + 1}:00"))

    def accept(day: date, hour: int) -> tuple[Call, ...]:
        return (*open_letter(OFFERS), *reply(f"{day_in_words(day)} at {hour}:00 is fine. See you then!"))

    def enter_event(day: date, hour: int) -> tuple[Call, ...]:
        return (*OPEN_CALENDAR, *new_event(title, day_in_numbers(day), f"{hour}:00", f"{hour + 1}:00"))

    return Draft(
        instruction=f"{guest.name} has proposed three dates for a one-hour talk. Please reply and accept the "
        f'one that\'s free in my calendar, and add the talk at that time as "{title}".',
        paraphrases=(
            f"See which of {guest.first}'s three suggestions is free in my calendar, reply to accept that one, "
            f'and put "{title}" (one hour) in the calendar.',
        ),
        setup=(
            owner.mail({"INBOX": [offer]}),
            owner.calendars({"Work": busy}),
            owner.thunderbird(calendars=("Work",)),
        ),
        check=expect.all_of(
            [
                expect.replied_to(
                    see.posted_mail(), "offers.1@example", [guest.address], never=declined, accepts=[names[day]]
                ),
                expect.event_exists(agenda, {**event(title, day, f"{hour}:00", f"{hour + 1}:00"), "repeats": {}}),
                owner.keeps([offer]),
            ]
        ),
        solution=(*accept(day, hour), *enter_event(day, hour)),
        near_misses=(
            NearMiss(name="a time that is taken", moves=(*accept(*taken), *enter_event(*taken))),
            NearMiss(name="replied and not entered", moves=accept(day, hour)),
            NearMiss(name="entered and not replied", moves=enter_event(day, hour)),
        ),
        other_ways=(
            by_programs(
                "by other programs, the others declined, by the clock of twelve hours",
                f"Thanks for your suggestions! {day:%A}, {clock(hour)}, please. I am busy at the other times.",
            ),
            by_programs(
                "by other programs, in a page that quotes",
                f"<p>Let's meet on March {day.day}, {hour}:00 to {hour + 1}:00.</p>"
                f"<blockquote><pre>{offer['text']}</pre></blockquote>",
                html=True,
            ),
            by_programs(
                "against the others", f"{day:%A} at {hour}:00 suits me, I'm tied up on {_other_days(slots, day)}."
            ),
            by_programs(
                "by other programs, with reasons",
                f"Since I have an audit and a training at the other times, {day.day}.{day.month}. at {hour}:00 "
                "would be best.",
            ),
            by_hand(
                "below what is quoted",
                *enter_event(day, hour),
                hand.click("Mail (Ctrl+1)", role="push button"),
                *open_letter(OFFERS),
                *reply(f"{day:%A} at {clock(hour)} suits me. I can't do the others.", below=True),
            ),
        ),
        cheats=(
            by_programs(
                "all three accepted", "Yes: " + " or ".join(f"{day_in_words(each)} at {at}:00" for each, at in slots)
            ),
            by_programs("left open", f"{day_in_words(day)} at {hour}:00 is fine, or whichever you prefer."),
            by_programs("not decided", f"{day_in_words(day)} at {hour}:00 might be fine. Not sure yet."),
            by_programs("the day declined", f"{day:%A} is bad for me."),
            by_programs("the right day at another time", f"{day_in_words(day)} at {hour + 4}:00 is fine."),
            by_programs(
                "the calendar cleared for it",
                f"{day_in_words(day)} at {hour}:00 is fine.",
                before="".join(drop(owner, "Work", each["summary"]) for each in busy),
            ),
        ),
    )


Slot = tuple[date, int]


def _when_else(day: date, hour: int) -> list[str]:
    """Return the days and times that would be wrong, but for when the talk ends."""
    days = [f"{each} {day:%B}" for each in range(1, 32) if each != day.day]
    ends = (hour, hour + 1)
    # Four o'clock may be either, so that at night only hours count that no clock shows for the talk.
    night = [each for each in (*range(7), *range(21, 24)) if each % 12 not in (end % 12 for end in ends)]
    hours = [f"{each}:00" for each in (*range(7, 21), *night) if each not in ends]
    return [*days, *hours, *(f"{hour}:{minute:02}" for minute in range(5, 60, 5))]


def clock(hour: int) -> str:
    """Return an hour by the clock of twelve hours."""
    return f"{hour} am" if hour < 12 else f"{(hour - 1) % 12 + 1} pm"


def _names_of_day(day: date, number: int) -> str:
    """Return the ways to name a day of the week, also by the number of what was suggested."""
    short = {"Tue": "Tues", "Wed": "Weds", "Thu": "Thurs"}.get(f"{day:%a}", f"{day:%a}")
    nth = ("first", "second", "third")[number]
    numbered = "|".join(f"{nth} {word}" for word in ("one", "option", "suggestion", "slot", "proposal", "date"))
    return f"{day:%A}|{day:%a}|{short}|{day.day} {day:%B}|{day.day}th|{numbered}|option {number + 1}"


def _other_days(slots: list[Slot], day: date) -> str:
    return " and ".join(f"{other:%A}" for other, _ in slots if other != day)


def _agenda(draw: Draw, slots: list[Slot], other: Person) -> tuple[Slot, Slot, list[dict[str, Any]]]:
    """Fill a calendar so that one slot is free; return that one, one that is taken, and the events."""
    free, *taken = draw.some(slots, len(slots))
    words = draw.some(("Training", "Audit", "Workshop"), len(taken))
    busy = [event(word, day, f"{hour - 1:02}:30", f"{hour}:30") for word, (day, hour) in zip(words, taken, strict=True)]
    # On the free day there is something too, but not at that time.
    busy.append(event(f"Coffee with {other.first}", free[0], f"{free[1] + 1}:30", f"{free[1] + 2}:15"))
    return free, taken[0], busy


def _offer(owner: Owner, guest: Person, slots: list[Slot]) -> dict[str, Any]:
    lines = "".join(f"- {day_in_words(day)}, {hour}:00\n" for day, hour in slots)
    text = (
        f"Dear {owner.first},\n\nan hour should be enough for us. I could do any of these:\n\n{lines}\n"
        f"Which one suits you?\n\n{guest.first}\n"
    )
    return owner.letter(guest, OFFERS, "03-11 18:05", text, id="offers.1@example", read=False)
