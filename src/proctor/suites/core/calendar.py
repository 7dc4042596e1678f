"""Tasks on the events of a calendar."""

from __future__ import annotations

from datetime import date, timedelta

from proctor.suites.parts.other_programs import drop, enter
from proctor.suites.parts.post import MONDAY, day_in_numbers, day_in_words, event, people
from proctor.suites.parts.thunderbird import delete_event, edit_event, new_event, save_event, times
from proctor.suites.parts.ways import by_hand, by_python
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.person import Reply, User
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import Draft, NearMiss, Way
from proctor.tasks.template import template

ALARM = "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT{}M\r\nDESCRIPTION:Soon\r\nEND:VALARM"


@template(apps=("thunderbird",), level=2, demand="Office/Schedule/Calendar", services=("mail", "calendar"), version=3)
def enter_the_weekly_class(draw: Draw) -> Draft:
    """A weekly event goes into one of two calendars, with a reminder."""
    owner, (friend,) = people(draw, 1)
    title = draw.choice(("Choir practice", "Yoga class", "Chess club", "Italian lessons", "Pottery"))
    day, hour = MONDAY + timedelta(days=draw.randint(0, 4)), draw.randint(17, 19)
    minutes = draw.choice((15, 30))
    start, end = f"{hour}:00", f"{hour + 1}:{draw.choice(('15', '30', '45'))}"
    works = [event("Stand-up", MONDAY, "09:15", "09:30"), event("Review", MONDAY + timedelta(days=3), "14:00", "15:00")]
    homes = [event(f"Dinner with {friend.first}", MONDAY + timedelta(days=5), "19:00", "21:00")]
    wanted = {**event(title, day, start, end), "repeats": {"FREQ": "WEEKLY"}, "reminders": [minutes]}
    family = see.calendar("Family")

    def enter_event(*choices: tuple[str, str]) -> tuple[Call, ...]:
        chosen = (move for box, text in choices for move in _choose(box, text))
        return new_event(title, day_in_numbers(day), start, end, more=tuple(chosen))

    def keep_event(rule: str, *alarms: int | str) -> str:
        calendar = next((each for each in alarms if isinstance(each, str)), "Family")
        lines = [f"RRULE:FREQ=WEEKLY;{rule}", *(ALARM.format(each) for each in alarms if each != calendar)]
        return enter(owner, calendar, title, day, start, end, "", *lines)

    weekly, remind, there = ("Repeat:", "Weekly"), ("Reminder:", str(minutes)), ("Calendar:", "Family")
    return Draft(
        instruction=f'Please put "{title}" in my Family calendar. '
        f"It's every {day:%A} from {start} to {end}, starting on {day_in_words(day)}, and I'd like a reminder "
        f"{minutes} minutes before.",
        paraphrases=(
            f'Add "{title}" to the Family calendar: weekly on {day:%A}s, {start}-{end}, first time on '
            f"{day_in_words(day)}, reminder {minutes} min before.",
        ),
        setup=(
            owner.mail({}),
            owner.calendars({"Work": works, "Family": homes}),
            owner.thunderbird(calendars=("Work", "Family"), show="calendar"),
        ),
        check=expect.all_of(
            [
                expect.event_exists(family, wanted),
                expect.nothing_sent(see.posted_mail()),
            ]
        ),
        solution=enter_event(weekly, remind, there),
        near_misses=(
            NearMiss(name="in the other calendar", moves=enter_event(weekly, remind)),
            NearMiss(name="only once", moves=enter_event(remind, there)),
            NearMiss(name="no reminder", moves=enter_event(weekly, there)),
        ),
        other_ways=(
            by_hand(
                "by the button, the calendar first, by the clock of twelve hours",
                hand.click("New Event", role="push button"),
                hand.await_window("New Event:"),
                *_choose(*there),
                *times(day_in_numbers(day), f"{hour - 12}:00 PM", f"{hour - 11}:{end[-2:]} PM"),
                *_choose(*remind),
                *_choose(*weekly),
                hand.type_into(title, "Title:", role="entry"),
                hand.click("Save and Close"),
                hand.await_window("New Event:", gone=True),
            ),
            by_python(
                "by another program, which names the day of the week",
                keep_event(f"BYDAY={day:%a}"[:8].upper(), minutes),
            ),
            by_python(
                "a reminder on the screen and one by sound",
                keep_event("INTERVAL=1", minutes, minutes).replace("ACTION:DISPLAY", "ACTION:AUDIO", 1),
            ),
        ),
        cheats=(
            by_python(
                "in both calendars", keep_event("INTERVAL=1", minutes) + keep_event("INTERVAL=1", minutes, "Work")
            ),
            by_python("marked as cancelled", keep_event("INTERVAL=1\r\nSTATUS:CANCELLED", minutes)),
            by_python("for four weeks only", keep_event("COUNT=4", minutes)),
            by_python("every other week", keep_event("INTERVAL=2", minutes)),
            by_python("reminders of every kind", keep_event("INTERVAL=1", minutes, "Family", 5, 10, 60)),
        ),
    )


def _choose(box: str, text: str) -> tuple[Call, ...]:
    return (hand.click(box, role="combo box"), hand.type(text), hand.press("Return"))


@template(apps=("thunderbird",), level=2, demand="Office/Schedule/Calendar", services=("mail", "calendar"), version=3)
def move_the_appointment(draw: Draw) -> Draft:
    """An appointment is moved, next to one with a similar title."""
    owner, (child,) = people(draw, 1)
    title = draw.choice(("Dentist", "Haircut", "Eye test", "Vaccination"))
    one, other, new = draw.some([MONDAY + timedelta(days=offset) for offset in range(3)], 3)
    # The key double-clicks the first of the two in Thunderbird's list, which shows the second one only in part.
    old, lure = sorted([one, other])
    hour, later = draw.randint(10, 11), draw.randint(13, 16)
    place = f"{draw.choice(('Mill', 'Park', 'Station', 'Church'))} Street {draw.randint(2, 60)}"
    others = [
        event(f"{title} {child.first}", lure, f"{hour}:00", f"{hour}:45", place),
        event("Accounts", new, "09:00", "09:30"),
    ]
    start, end = f"{later}:15", f"{later + 1}:00"
    agenda = see.calendar("Private")
    mine, theirs = rf"/^{title} (Mon|Tues|Wednes)day/", rf"/^{title} {child.first} /"
    return Draft(
        instruction=f'My "{title}" appointment has been moved to {day_in_words(new)} at {start}. '
        "It's still 45 minutes. Can you change it in my calendar?",
        paraphrases=(
            f'Please reschedule "{title}" (mine, not {child.first}\'s) to {day_in_words(new)}, {start} to {end}.',
        ),
        setup=(
            owner.mail({}),
            owner.calendars({"Private": [event(title, old, f"{hour}:00", f"{hour}:45", place), *others]}),
            owner.thunderbird(calendars=("Private",), show="calendar"),
        ),
        check=expect.all_of(
            [
                expect.event_moved(agenda, title, f"{new}T{start}", f"{new}T{end}", place),
                expect.nothing_sent(see.posted_mail()),
            ]
        ),
        solution=(*edit_event(title, mine), *times(day_in_numbers(new), start, end), *save_event()),
        near_misses=(
            NearMiss(
                name="the other person's appointment",
                moves=(
                    *edit_event(f"{title} {child.first}", theirs),
                    *times(day_in_numbers(new), start, end),
                    *save_event(),
                ),
            ),
            NearMiss(
                name="the new time on the old day",
                moves=(*edit_event(title, mine), *times(day_in_numbers(old), start, end), *save_event()),
            ),
            NearMiss(name="a second appointment", moves=new_event(title, day_in_numbers(new), start, end, place=place)),
        ),
        other_ways=(
            by_hand(
                "by the clock of twelve hours",
                *edit_event(title, mine),
                *times(day_in_numbers(new), f"{later - 12}:15 PM", f"{later - 11}:00 PM"),
                *save_event(),
            ),
            by_hand(
                "deleted and entered anew",
                *delete_event(title, mine),
                *new_event(title, day_in_numbers(new), start, end, place=place),
            ),
            by_python(
                "by another program",
                drop(owner, "Private", title) + enter(owner, "Private", title, new, start, end, place),
            ),
        ),
        cheats=(
            by_python(
                "entered anew without its place",
                drop(owner, "Private", title) + enter(owner, "Private", title, new, start, end),
            ),
            by_python(
                "of both people",
                drop(owner, "Private", title)
                + drop(owner, "Private", f"{title} {child.first}")
                + enter(owner, "Private", title, new, start, end, place),
            ),
            by_python(
                "every week from then on",
                drop(owner, "Private", title)
                + enter(owner, "Private", title, new, start, end, place, "RRULE:FREQ=WEEKLY"),
            ),
            by_python("the old one left", enter(owner, "Private", title, new, start, end, place)),
            by_python(
                "a whole hour",
                drop(owner, "Private", title) + enter(owner, "Private", title, new, start, f"{later + 1}:15", place),
            ),
        ),
    )


@template(apps=("thunderbird",), level=3, demand="Office/Schedule/Calendar", services=("mail", "calendar"), version=6)
def cancel_one_of_two(draw: Draw) -> Draft:
    """Two appointments have the same title, and only the user knows which one is cancelled."""
    owner, (partner, other) = people(draw, 2)
    title = f"Call with {partner.first}"
    first, second = sorted(draw.some([MONDAY + timedelta(days=offset) for offset in range(3)], 2))
    off, stays = draw.some([first, second], 2)
    calls = {day: event(title, day, f"{hour}:00", f"{hour}:30") for day, hour in ((first, 10), (second, 14))}
    told = {
        first: (f"{first:%A}", "first", "earlier", "10", "10:00", "10 am"),
        second: (f"{second:%A}", "second", "later", "latter", "14", "14:00", "2 pm"),
    }
    lunch = event(f"Lunch with {other.first}", first, "12:00", "13:00")
    agenda = see.calendar("Work")
    about = "which call is off"
    ask = hand.ask(f"There are two calls with {partner.first}, on {first:%A} and on {second:%A}. Which one is off?")

    def cut(day: date) -> tuple[Call, ...]:
        return delete_event(title, rf"/^{title} {day:%A}/")

    return Draft(
        instruction=f"{partner.name} can't make it next week, so please delete the call with {partner.first} "
        "from my calendar. If anything is unclear, ask me. Don't guess.",
        paraphrases=(
            f"The call with {partner.first} is off. Take it out of my calendar, and ask me if you're not sure.",
        ),
        setup=(
            owner.mail({}),
            owner.calendars({"Work": [calls[first], lunch, calls[second]]}),
            owner.thunderbird(calendars=("Work",), show="calendar"),
        ),
        user=User(
            replies=(
                Reply(
                    about=(about, "call", "day", "appointment", "of the two"),
                    kinds=("time", "what", "whether"),
                    options=(*told[first], *told[second], "both"),
                    right=told[off],
                    verbs=("remove", "delete", "cancel", "take out", "off", "go", "mean", "stay", "keep", "clear"),
                    reply=f"Just the one on {off:%A}. The other one is still on.",
                    undecided=expect.other_events_unchanged(agenda, list(calls.values()), [lunch["summary"]]),
                ),
            )
        ),
        check=expect.all_of(
            [
                expect.event_exists(agenda, calls[stays]),
                expect.nothing_sent(see.posted_mail()),
                expect.asked_about(see.questions(), [about]),
            ]
        ),
        solution=(ask, *cut(off)),
        near_misses=(
            NearMiss(name="guessed and was wrong", moves=cut(stays)),
            NearMiss(name="guessed and was lucky", moves=cut(off)),
            NearMiss(name="deleted both", moves=(ask, *cut(off), *cut(stays))),
        ),
        other_ways=(
            by_hand("asked in other words", hand.ask("Monday, Tuesday or Wednesday?"), *cut(off)),
            Way(
                name="by another program",
                moves=(
                    hand.ask(f"I see {partner.first} twice next week. Shall I delete the first or the second?"),
                    hand.run_code(drop(owner, "Work", title, off), "python"),
                ),
            ),
        ),
        cheats=(
            by_python("deleted both without asking", drop(owner, "Work", title)),
            Way(
                name="asked, then the whole week deleted",
                moves=(
                    ask,
                    hand.run_code(drop(owner, "Work", title, off) + drop(owner, "Work", lunch["summary"]), "python"),
                ),
            ),
            Way(
                name="guessed right, and asked afterwards",
                moves=(hand.run_code(drop(owner, "Work", title, off), "python"), ask),
            ),
            Way(
                name="asked about something else and guessed",
                moves=(hand.ask("How are you?"), hand.run_code(drop(owner, "Work", title, off), "python")),
            ),
        ),
    )
