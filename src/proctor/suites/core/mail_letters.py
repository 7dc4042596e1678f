"""Tasks in which letters are put in order or passed on."""

from __future__ import annotations

from typing import Any

from proctor.suites.parts.giving_up import having_looked
from proctor.suites.parts.post import Owner, Person, people
from proctor.suites.parts.thunderbird import delete_letter, forward, move_letter, open_letter, send
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import Draft, NearMiss
from proctor.tasks.template import template


@template(apps=("thunderbird",), level=1, demand="Office/Communication/Emailing", services=("mail",))
def archive_the_letter(draw: Draw) -> Draft:
    """One message is archived with the buttons that the user names."""
    owner, senders = people(draw, 3)
    topics = draw.some(("Parking permit", "New door code", "Window cleaning", "Lost umbrella", "Fire drill"), 3)
    letters = [
        owner.letter(
            sender, topic, f"03-{day:02} 1{day % 10}:20", f"Hello,\n\n{topic.lower()}: done.\n\n{sender.first}\n"
        )
        for sender, topic, day in zip(senders, topics, (9, 10, 11), strict=True)
    ]
    chosen, other, third = topics
    inbox, archive = see.mailbox(owner.address), see.mailbox(owner.address, "Archives.2026")
    # Which letter was clicked shows in where it is now; its line in the list has many parts without a name.
    steps = [{"do": "click", "name": "Archive", "role": "push button"}]
    return Draft(
        instruction="In Thunderbird's message list, click the message with the subject "
        f'"{chosen}". Then click the Archive button above the text of the message.',
        paraphrases=(f'Click on "{chosen}" in the inbox, then on the Archive button in the message header.',),
        setup=(owner.mail({"INBOX": letters}), owner.thunderbird()),
        check=expect.all_of(
            [
                expect.mailbox_holds(inbox, [other, third]),
                expect.mailbox_holds(archive, [chosen]),
                expect.operated(see.history(), steps),
            ]
        ),
        solution=(*open_letter(chosen), hand.click("Archive", role="push button"), _gone(chosen)),
        near_misses=(
            NearMiss(
                name="the wrong message archived",
                moves=(*open_letter(other), hand.click("Archive", role="push button"), _gone(other)),
            ),
            NearMiss(
                name="deleted instead",
                moves=(*open_letter(chosen), hand.click("Delete", role="push button"), _gone(chosen)),
            ),
            NearMiss(name="archived with the keyboard", moves=(*open_letter(chosen), hand.press("a"), _gone(chosen))),
        ),
    )


def _gone(subject: str) -> Call:
    return hand.await_element(subject, role="table row", gone=True)


@template(apps=("thunderbird",), level=2, demand="Office/Communication/Emailing", services=("mail",))
def star_what_needs_an_answer(draw: Draw) -> Draft:
    """The messages from one person get a star."""
    owner, (wanted, lure, third) = people(draw, 3)
    topics = draw.some(("Keys", "Carpool", "Quote", "Holiday list", "Spare chairs", "Wallpaper", "Ladder"), 5)
    order = draw.some([wanted, wanted, lure, lure, third], 5)
    letters = [
        owner.letter(
            sender, topic, f"03-{day:02} 09:1{day % 10}", f"Hi {owner.first},\n\nwhat about the {topic.lower()}?\n"
        )
        for sender, topic, day in zip(order, topics, (5, 6, 9, 10, 11), strict=True)
    ]
    marked = [topic for sender, topic in zip(order, topics, strict=True) if sender is wanted]
    tempting = [topic for sender, topic in zip(order, topics, strict=True) if sender is lure]
    inbox = see.mailbox(owner.address)
    return Draft(
        instruction=f"Please star both messages from {wanted.name} in my inbox so I don't forget to answer "
        "them. Don't star any others.",
        paraphrases=(f"Star everything in the inbox that {wanted.name} sent me, and nothing else.",),
        setup=(owner.mail({"INBOX": letters}), owner.thunderbird()),
        check=expect.all_of([expect.messages_marked(inbox, "starred", marked), expect.mailbox_holds(inbox, topics)]),
        solution=tuple(move for topic in marked for move in _star(topic)),
        near_misses=(
            NearMiss(name="only one of them", moves=_star(marked[0])),
            NearMiss(name="somebody else's messages", moves=tuple(move for topic in tempting for move in _star(topic))),
            NearMiss(
                name="one too many",
                moves=tuple(move for topic in [*marked, tempting[0]] for move in _star(topic)),
            ),
        ),
    )


def _star(subject: str) -> tuple[Call, ...]:
    return (*open_letter(subject), hand.press("s"))


@template(apps=("thunderbird",), level=2, demand="Office/Communication/Emailing", services=("mail",))
def file_the_receipts(draw: Draw) -> Draft:
    """The receipts from one shop go into their folder."""
    owner, (friend,) = people(draw, 1)
    shop, other_shop = draw.some(("Maple Furniture", "North Cycles", "Lumen Lighting", "Kite Toys"), 2)
    numbers = draw.some(range(2100, 9900), 4)
    mine = [f"{shop}: receipt {number}" for number in numbers[:2]]
    lures = [f"{other_shop}: receipt {numbers[2]}", f"{shop}: spring offers"]
    sellers = {name: Person(name, f"shop@{name.lower().replace(' ', '')}.example") for name in (shop, other_shop)}
    letters = [
        owner.letter(
            sellers[shop], mine[0], "03-04 10:00", f"Thank you! Receipt {numbers[0]}: {draw.amount()} euros.\n"
        ),
        owner.letter(sellers[other_shop], lures[0], "03-06 11:30", f"Receipt {numbers[2]}: {draw.amount()} euros.\n"),
        owner.letter(sellers[shop], lures[1], "03-09 08:15", "Everything is cheaper this spring!\n"),
        owner.letter(
            sellers[shop], mine[1], "03-10 16:40", f"Thank you! Receipt {numbers[1]}: {draw.amount()} euros.\n"
        ),
        owner.letter(friend, "Saturday", "03-11 19:05", f"Are you coming, {owner.first}?\n\n{friend.first}\n"),
    ]
    folder = draw.choice(("Receipts", "Bills", "Vouchers"))
    rest = [*lures, "Saturday"]
    return Draft(
        instruction=f"Please move the receipts from {shop} out of my inbox and into the {folder} folder. "
        "Everything else stays where it is.",
        paraphrases=(
            f"The {shop} receipts belong in my {folder} mail folder, not in the inbox. Can you move them? Just those.",
        ),
        setup=(owner.mail({"INBOX": letters, folder: []}), owner.thunderbird()),
        check=expect.all_of(
            [
                expect.mailbox_holds(see.mailbox(owner.address, folder), mine),
                expect.mailbox_holds(see.mailbox(owner.address), rest),
            ]
        ),
        solution=tuple(move for subject in mine for move in move_letter(subject)),
        near_misses=(
            NearMiss(name="only one of them", moves=move_letter(mine[0])),
            NearMiss(
                name="everything from the shop",
                moves=tuple(move for subject in [*mine, lures[1]] for move in move_letter(subject)),
            ),
            NearMiss(name="into the trash", moves=tuple(move for subject in mine for move in delete_letter(subject))),
        ),
    )


@template(apps=("thunderbird",), level=2, demand="Life/Traveling/Ticket", services=("mail",))
def forward_the_ticket(draw: Draw) -> Draft:
    """One of several booking confirmations is forwarded."""
    owner, companion, bookings, letters = _trips(draw)
    city, code = next(iter(bookings.items()))
    others = list(bookings)[1:]
    return Draft(
        **_request(companion, city),
        setup=(owner.mail({"INBOX": letters}), owner.thunderbird()),
        check=expect.all_of(
            [
                expect.mail_sent(see.posted_mail(), [companion.address], holds=[code]),
                expect.mailbox_holds(see.mailbox(owner.address), [letter["subject"] for letter in letters]),
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
    )


@template(
    apps=("thunderbird",),
    level=3,
    demand="Life/Traveling/Ticket",
    services=("mail",),
    feasible=False,
    twin="forward-the-ticket",
    version=2,
)
def forward_the_missing_ticket(draw: Draw) -> Draft:
    """The booking confirmation that is to be forwarded never came."""
    owner, companion, bookings, letters = _trips(draw)
    city = next(iter(bookings))
    others = list(bookings)[1:]
    kept = [letter for letter in letters if city not in letter["subject"]]
    return Draft(
        **_request(companion, city),
        setup=(owner.mail({"INBOX": kept}), owner.thunderbird()),
        check=having_looked(
            expect.nothing_sent(see.posted_mail()),
            expect.mailbox_holds(see.mailbox(owner.address), [letter["subject"] for letter in kept]),
            windows=["Thunderbird"],
            words=["/maildir|Mail|grep/"],
            about=["trip", "booking", "confirmation"],
        ),
        solution=(
            hand.click("Archives", role="tree item"),
            hand.click("Trash", role="tree item"),
            hand.click("Inbox", role="tree item"),
            *open_letter(f"Your trip to {others[0]}"),
            hand.fail(f"There is no booking confirmation for a trip to {city} in any folder."),
        ),
        near_misses=(
            NearMiss(
                name="the booking for another trip",
                moves=(*open_letter(f"Your trip to {others[0]}"), *_forward(companion.address)),
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
    """Draw a traveller, a companion, bookings by city (the first is the one asked for) and all letters."""
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
    letters.append(
        owner.letter(friend, "Photos", "03-11 20:10", f"Hi {owner.first},\n\nlovely photos!\n\n{friend.first}\n")
    )
    return owner, companion, bookings, letters


def _forward(address: str) -> tuple[Call, ...]:
    return (*forward(address), *send())


def _reply_instead() -> tuple[Call, ...]:
    return (hand.press("ctrl+r"), hand.await_window("Write: Re:"), *send())
