"""Tasks in which a letter arrives while another one is being written."""

from __future__ import annotations

from datetime import date

from proctor.suites.parts.news import happens, is_open, letter_arrives
from proctor.suites.parts.post import MONDAY, people
from proctor.suites.parts.thunderbird import address_to, into_body, open_letter, reply, send
from proctor.suites.parts.ways import by_hand
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import Draft, NearMiss
from proctor.tasks.template import template

OFFER = "offer.1@example"
GOODS = ("lamps", "chairs", "shelves", "curtains", "carpets", "benches")
PATIENCE_SEC = 60.0
"""How long the mail program may take to show what has arrived."""


def _arrival(subject: str) -> Call:
    return hand.await_element(subject, role="table row", timeout_sec=PATIENCE_SEC)


def _offer(draw: Draw, moved: bool) -> Draft:
    owner, (seller, other) = people(draw, 2)
    goods, others = draw.some(GOODS, 2)
    first, second = draw.some(range(210, 890, 7), 2)
    right, different = first + draw.randint(12, 39), second + draw.randint(12, 39)
    subject, besides, correction = f"Offer for the {goods}", f"Offer for the {others}", "Correction of our offer"

    def offers(what: str, price: int, who: str) -> str:
        return (
            f"Dear {owner.first},\n\nthe {what} come to {price} euros with delivery. Shall we reserve them?\n\n{who}\n"
        )

    letters = [
        owner.letter(other, besides, "03-11 16:20", offers(others, second, other.first), id="offer.2@example"),
        owner.letter(seller, subject, "03-12 08:50", offers(goods, first, seller.first), id=OFFER),
    ]
    who, what, price = (seller, goods, right) if moved else (other, others, different)
    news = owner.letter(
        who,
        correction,
        "03-12 09:31",
        f"Dear {owner.first},\n\nI'm sorry, I added that up wrongly: the {what} come to {price} euros with delivery. "
        f"Please go by this price.\n\n{who.first}\n",
        read=False,
    )
    answer = right if moved else first
    wrong = [str(each) for each in (first, right, second, different) if each != answer]
    begun = (*open_letter(subject), hand.press("ctrl+r"), hand.await_window("Write: Re:"), *into_body())
    noticed = (*begun, _arrival(correction))

    def order(price: int) -> tuple[Call, ...]:
        return (hand.type(f"Yes, please reserve the {goods} for {price} euros."), *send())

    return Draft(
        instruction=f"{seller.name} has emailed me an offer for {goods}. Please reply to that email that I take them, "
        "and confirm the price.",
        paraphrases=(
            f"I'm taking the {goods} that {seller.first} offers. Reply to the offer to accept it, with the price in "
            "euros.",
        ),
        setup=(owner.mail({"INBOX": letters}), owner.thunderbird()),
        events=(happens(f"{who.first} corrects an offer", is_open("Write: Re:"), *letter_arrives(owner, news)),),
        check=expect.all_of(
            [
                expect.replied_to(see.posted_mail(), OFFER, [seller.address], [str(answer)], wrong),
                owner.keeps([*letters, news]),
            ]
        ),
        solution=(*noticed, *order(answer)),
        near_misses=(
            (
                NearMiss(name="the price of the first letter", moves=(*begun, *order(first))),
                NearMiss(
                    name="corrected in a second answer",
                    moves=(*noticed, *order(first), *reply(f"I meant {right} euros, of course.")),
                ),
            )
            if moved
            else (
                NearMiss(name="the price of the other letter", moves=(*noticed, *order(different))),
                NearMiss(name="not sent", moves=(*noticed, *order(first)[:1])),
            )
        ),
        other_ways=(
            by_hand(
                "begun again after reading what came, below what is quoted",
                *noticed,
                hand.press("ctrl+w"),
                hand.await_window("Write:", gone=True),
                *open_letter(correction),
                *open_letter(subject),
                *reply(f"I'll take them for €{answer}.00, thank you!", below=True),
            ),
        ),
        cheats=(
            by_hand(
                "both prices",
                *noticed,
                hand.type(f"I take them for {wrong[0]} euros, or {answer} euros."),
                *send(),
            ),
            by_hand("whatever it costs", *noticed, hand.type("I take them, whatever they cost."), *send()),
        ),
    )


@template(apps=("thunderbird",), level=3, demand="Office/Communication/Emailing", services=("mail",))
def accept_the_offer(draw: Draw) -> Draft:
    """The price of an offer is corrected while it is being accepted."""
    return _offer(draw, moved=True)


@template(
    apps=("thunderbird",),
    level=3,
    demand="Office/Communication/Emailing",
    services=("mail",),
    twin="accept-the-offer",
)
def accept_one_of_two_offers(draw: Draw) -> Draft:
    """The price of another offer is corrected while one is being accepted."""
    return _offer(draw, moved=False)


def _invite(draw: Draw, moved: bool) -> Draft:
    owner, (host, guest) = people(draw, 2)
    title, besides = draw.some(("Budget round", "Kick-off", "Site visit", "Hiring talk"), 2)
    days = [MONDAY.replace(day=16 + offset) for offset in draw.some(range(5), 4)]
    hours = draw.some(range(9, 17), 4)
    room, other_room = draw.some(("Room 12", "Room 27", "Room 31", "Room 45"), 2)
    slots = list(zip(days, hours, strict=True))

    def announces(what: str, slot: tuple[date, int], where: str, again: str = "") -> str:
        day, hour = slot
        return f"Dear all,\n\n{what} {again}takes place on {day:%A %-d %B} at {hour}:00, {where}.\n\n{host.first}\n"

    letters = [
        owner.letter(host, besides, "03-11 15:10", announces(besides, slots[1], other_room)),
        owner.letter(host, title, "03-12 08:40", announces(title, slots[0], room)),
    ]
    what, new, where = (title, slots[2], room) if moved else (besides, slots[3], other_room)
    news = owner.letter(host, f"New time: {what}", "03-12 09:31", announces(what, new, where, "now "), read=False)
    day, hour = slots[2] if moved else slots[0]
    wrong = [*(f"{each:%A}" for each in days if each != day), *(f"{each}:00" for each in hours if each != hour)]
    begun = (
        *open_letter(title),
        hand.press("ctrl+n"),
        hand.await_window("Write:"),
        *address_to([guest.address]),
        hand.type_into(f"Invitation: {title}", "Subject", role="entry", window="Write:"),
        *into_body(),
    )
    noticed = (*begun, _arrival(f"New time: {what}"))

    def tell(slot: tuple[date, int]) -> tuple[Call, ...]:
        text = f"Please join us: {title}, {slot[0]:%A %-d %B}, {slot[1]}:00, {room}."
        return (hand.type(text), *send())

    return Draft(
        instruction=f"Please invite {guest.name} ({guest.address}) by email to the “{title}” of {host.name}, with day, "
        f"time and room. {host.first} has sent me the details.",
        paraphrases=(
            f"Write an email to {guest.address} that invites {guest.first} to {host.first}'s “{title}”: which day, "
            "what time, which room. It's in my mail.",
        ),
        setup=(owner.mail({"INBOX": letters}), owner.thunderbird()),
        events=(happens(f"{what} is moved", is_open("Write:"), *letter_arrives(owner, news)),),
        check=expect.all_of(
            [
                expect.mail_sent(
                    see.posted_mail(),
                    [guest.address],
                    says=[f"{day:%A}|{day.day} {day:%B}", f"{hour}:00", room],
                    never=[*wrong, other_room],
                ),
                owner.keeps([*letters, news]),
            ]
        ),
        solution=(*noticed, *tell((day, hour))),
        near_misses=(
            (
                NearMiss(name="as it was at first", moves=(*begun, *tell(slots[0]))),
                NearMiss(name="the new time on the old day", moves=(*noticed, *tell((slots[0][0], hour)))),
            )
            if moved
            else (
                NearMiss(name="at the other meeting's new time", moves=(*noticed, *tell(slots[3]))),
                NearMiss(name="not sent", moves=(*noticed, *tell(slots[0])[:1])),
            )
        ),
        other_ways=(
            by_hand(
                "in a letter of its own lines",
                *noticed,
                hand.type(
                    f"Dear {guest.first},\nyou are invited:\nDay: {day.day} {day:%B}\nTime: {hour}:00\nPlace: {room}\n"
                ),
                *send(),
            ),
        ),
        cheats=(
            by_hand(
                "both times",
                *noticed,
                hand.type(f"{title}, {room}: {slots[0][0]:%A}, {slots[0][1]}:00, or {new[0]:%A}, {new[1]}:00."),
                *send(),
            ),
        ),
    )


@template(apps=("thunderbird",), level=3, demand="Office/Communication/Meeting", services=("mail",))
def invite_to_the_meeting(draw: Draw) -> Draft:
    """A meeting is moved while somebody is being invited to it."""
    return _invite(draw, moved=True)


@template(
    apps=("thunderbird",),
    level=3,
    demand="Office/Communication/Meeting",
    services=("mail",),
    twin="invite-to-the-meeting",
)
def invite_to_one_of_two_meetings(draw: Draw) -> Draft:
    """Another meeting is moved while somebody is being invited to one."""
    return _invite(draw, moved=False)
