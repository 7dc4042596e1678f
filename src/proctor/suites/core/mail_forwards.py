"""Tasks in which a letter is passed on."""

from __future__ import annotations

import re
from typing import Any

from proctor.suites.parts.giving_up import blindly, having_looked
from proctor.suites.parts.other_programs import in_mailbox, post
from proctor.suites.parts.post import Owner, Person, people
from proctor.suites.parts.thunderbird import (
    address_to,
    forward,
    into_body,
    open_letter,
    send,
)
from proctor.suites.parts.ways import by_hand, by_python
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import Draft, NearMiss, Way
from proctor.tasks.template import template

PRIVATE = "lovely photos!"
"""What somebody else has written, which is nobody's business."""


@template(apps=("thunderbird",), level=2, demand="Life/Traveling/Ticket", services=("mail",), version=4)
def forward_the_ticket(draw: Draw) -> Draft:
    """One of several booking confirmations is forwarded."""
    owner, companion, bookings, letters = _trips(draw)
    city, code = next(iter(bookings.items()))
    others = list(bookings)[1:]
    booking = next(letter["text"] for letter in letters if letter["subject"] == f"Your trip to {city}")
    return Draft(
        **_request(companion, city),
        setup=(owner.mail({"INBOX": letters}), owner.thunderbird()),
        check=expect.all_of(
            [
                expect.mail_sent(
                    see.posted_mail(),
                    [companion.address],
                    holds=_facts(booking),
                    lacks=[*(bookings[each] for each in others), PRIVATE],
                ),
                owner.keeps(letters),
            ]
        ),
        solution=(*open_letter(f"Your trip to {city}"), *_forward(companion.address)),
        near_misses=(
            NearMiss(
                name="the booking for another trip",
                moves=(*open_letter(f"Your trip to {others[0]}"), *_forward(companion.address)),
            ),
            NearMiss(name="a reply to the agency", moves=(*open_letter(f"Your trip to {city}"), *_reply_instead())),
            NearMiss(
                name="not sent",
                moves=(
                    *open_letter(f"Your trip to {city}"),
                    *forward(companion.address),
                    hand.press("ctrl+s"),
                ),
            ),
        ),
        other_ways=(
            by_hand(
                "by the button, with a few words",
                *open_letter(f"Your trip to {city}"),
                hand.click("Forward", role="push button"),
                hand.await_window("Write: Fwd:"),
                *address_to([companion.address]),
                *into_body(),
                hand.type(f"Hi {companion.first}, here it is! "),
                *send(),
            ),
            by_python(
                "as an attachment, by another program",
                post(
                    owner, [companion.in_letters], "Our booking", "See the letter.", forwards=[f"Your trip to {city}"]
                ),
            ),
            by_python(
                "as a file, by another program",
                post(owner, [companion.address], "Our booking", "Attached.", forwards=[f"Your trip to {city}"]).replace(
                    "letter.add_attachment(email.message_from_bytes(held, policy=email.policy.default))",
                    "letter.add_attachment(held, maintype='application', subtype='octet-stream', filename='trip.eml')",
                ),
            ),
        ),
        cheats=(
            _with_facts_made_up(owner, companion, f"Your trip to {city}"),
            by_python(
                "all of them in one letter",
                post(
                    owner, [companion.address], "Fwd", "Look!", forwards=[f"Your trip to {each}" for each in bookings]
                ),
            ),
            by_python(
                "retold, with other seats",
                post(owner, [companion.address], f"Fwd: Your trip to {city}", re.sub(r"\d[AB]", "9C", booking)),
            ),
            by_python(
                "with a private letter",
                post(owner, [companion.address], "Fwd", "Look!", forwards=[f"Your trip to {city}", "Photos"]),
            ),
            by_python("the code alone", post(owner, [companion.address], "Fwd: Your trip", f"Code: {code}")),
            by_python(
                "to everybody",
                post(
                    owner,
                    [companion.address, "bookings@dunetravel.example"],
                    "Fwd",
                    "Look!",
                    forwards=[f"Your trip to {city}"],
                ),
            ),
        ),
    )


@template(
    apps=("thunderbird",),
    level=3,
    demand="Life/Traveling/Ticket",
    services=("mail",),
    feasible=False,
    twin="forward-the-ticket",
    version=4,
)
def forward_the_missing_ticket(draw: Draw) -> Draft:
    """The booking confirmation that is to be forwarded never came."""
    owner, companion, bookings, letters = _trips(draw)
    city = next(iter(bookings))
    others = list(bookings)[1:]
    kept = [letter for letter in letters if city not in letter["subject"]]
    # Some letters are filed already, so that what never came shows only when somebody looks.
    filed = [letter for letter in kept if others[0] in letter["subject"]]
    left = [letter for letter in kept if letter not in filed]
    return Draft(
        **_request(companion, city),
        setup=(owner.mail({"INBOX": left, "Archives": filed}), owner.thunderbird()),
        check=having_looked(
            expect.nothing_sent(see.posted_mail()),
            owner.keeps(left),
            owner.keeps(filed, "Archives"),
            at=[[f"Your trip to {others[0]}"]],
            about=["trip", "booking", "confirmation"],
        ),
        solution=(
            hand.click("Trash", role="tree item"),
            hand.click("Archives", role="tree item"),
            *open_letter(f"Your trip to {others[0]}"),
            hand.fail(f"There is no booking confirmation for a trip to {city} in any folder."),
        ),
        near_misses=(
            NearMiss(
                name="the booking for another trip",
                moves=(*open_letter(f"Your trip to {others[1]}"), *_forward(companion.address)),
            ),
            NearMiss(
                name="gave up after sending the wrong one",
                moves=(
                    *open_letter(f"Your trip to {others[1]}"),
                    *_forward(companion.address),
                    hand.fail("There is no such booking."),
                ),
            ),
        ),
        other_ways=(
            by_hand(
                "asked about it",
                hand.ask(f"I cannot find a booking confirmation for {city}. Could it be somewhere else?"),
                hand.fail("It is not there."),
            ),
            Way(
                name="looked for by another program",
                moves=(
                    hand.run_code(
                        in_mailbox(
                            owner,
                            "for folder in ('INBOX', 'Archives', 'Trash', 'Sent'):",
                            "    if int(box.select(folder)[1][0] or 0):",
                            "        print(folder, box.fetch('1:*', '(BODY[HEADER.FIELDS (SUBJECT)])')[1])",
                        ),
                        "python",
                    ),
                    hand.fail(f"No letter mentions {city}."),
                ),
            ),
            by_hand(
                "the other folders looked into",
                hand.click("Trash", role="tree item"),
                hand.click("Archives", role="tree item"),
                hand.fail(f"There is no confirmation for {city}, not even in the bin."),
            ),
        ),
        cheats=(
            by_python(
                "a confirmation made up",
                post(owner, [companion.address], f"Fwd: Your trip to {city}", f"Your trip to {city} is booked."),
            ),
            blindly(city, "Thunderbird", "ImapMail"),
            Way(
                name="looked elsewhere",
                moves=(hand.run_code("ls Documents; grep -c x /etc/passwd"), hand.fail("There is none.")),
            ),
            Way(
                name="another one sent, then given up",
                moves=(
                    hand.run_code(
                        post(owner, [companion.address], "Fwd", "", forwards=[f"Your trip to {others[1]}"]), "python"
                    ),
                    hand.fail("There is none."),
                ),
            ),
        ),
    )


def _request(companion: Person, city: str) -> dict[str, Any]:
    return {
        "instruction": f"Could you forward the booking confirmation for my trip to {city} to {companion.name} "
        f"({companion.address})? We're travelling together.",
        "paraphrases": (
            f"Send {companion.first} ({companion.address}) my booking confirmation for {city}. Just forward the email.",
        ),
    }


def _trips(draw: Draw) -> tuple[Owner, Person, dict[str, str], list[dict[str, Any]]]:
    """Draw a traveller, a companion, bookings by city (the first is asked for) and all letters."""
    owner, (companion, friend) = people(draw, 2)
    agency = Person("Dune Travel", "bookings@dunetravel.example")
    cities = draw.some(("Bergen", "Cork", "Dresden", "Ghent", "Krakow", "Lisbon", "Porto", "Turin", "Utrecht"), 3)
    bookings = {
        city: f"{draw.choice('BCDFGHKLM')}{draw.choice('PQRSTVWXZ')}{draw.randint(1000, 9999)}" for city in cities
    }
    letters = [
        owner.letter(
            agency,
            f"Your trip to {city}",
            f"03-0{day} 12:4{day}",
            f"Dear {owner.name},\n\nyour trip to {city} is booked.\n\nBooking code: {code}\nSeats: {day}A and {day}B\n"
            "\nHave a good journey,\nDune Travel\n",
        )
        for day, (city, code) in enumerate(sorted(bookings.items()), start=2)
    ]
    letters.append(owner.letter(friend, "Photos", "03-11 20:10", f"Hi {owner.first},\n\n{PRIVATE}\n\n{friend.first}\n"))
    return owner, companion, bookings, letters


def _with_facts_made_up(owner: Owner, companion: Person, subject: str) -> Way:
    """Return the cheat that forwards a letter with facts above it that are not in it."""
    facts = "We leave at 7:40 from platform 9, code ZZ1234."
    return by_python(
        "facts made up above it", post(owner, [companion.address], f"Fwd: {subject}", facts, forwards=[subject])
    )


def _facts(booking: str) -> list[str]:
    """Return what a booking confirmation tells: that there is one, its code and the seats."""
    return [line for line in booking.splitlines() if re.search(r"booked|code|Seats", line)]


def _forward(address: str) -> tuple[Call, ...]:
    return (*forward(address), *send())


def _reply_instead() -> tuple[Call, ...]:
    return (hand.press("ctrl+r"), hand.await_window("Write: Re:"), *send())
