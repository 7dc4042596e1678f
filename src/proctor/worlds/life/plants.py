"""Contradictions and facts out of date, put in on purpose: always both sides, one of them right."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from proctor.worlds.chance import in_words, money, working_day
from proctor.worlds.life import debts
from proctor.worlds.life.diary import Diary
from proctor.worlds.life.stale import Planter, future, iban, past
from proctor.worlds.model import Contact, Plant, PlantSide
from proctor.worlds.prose.banks import tables
from proctor.worlds.prose.speak import choose, fill


def plant(diary: Diary) -> tuple[Plant, ...]:
    """Put all contradictions into a life and return them."""
    planter = Planter(diary)
    for number, fact in enumerate(tables("plants", "fact")):
        _changed_fact(planter, number, fact)
    for each in (
        _new_number, _moved_house, _left_firm, _false_account, _moved_session, _other_room, _moved_appointment,
        debts.unpaid, debts.paid_already, _two_offers, _later_deadline, debts.higher_rent, debts.charged_twice,
        _earlier_train,
        _final_that_is_not, _done_already, _wrong_birthday, _two_hours,
    ):  # fmt: skip
        each(planter, diary.chance("plant", each.__name__))
    return tuple(planter.plants)


def _changed_fact(planter: Planter, number: int, fact: dict[str, object]) -> None:
    draw = planter.diary.chance("plant", str(fact["what"]))
    digits = draw.sample(range(2, 10), 4)
    values = fact["values"]
    assert isinstance(values, list)
    old = str(values[0]).format(n=digits[0], m=digits[1])
    new = str(values[1]).format(n=digits[2], m=digits[3])
    who = draw.choice(planter.near)
    noted, told = planter.early(draw), planter.late(draw)
    text = fill(str(fact["text"]).replace("{value}", "\0"), {}, draw).replace("\0", new)
    line = str(fact["line"]).format(value=old, who=who.first)
    note = planter.note(str(fact["note"]), line, noted)
    mail = planter.mail(who, told, str(fact["subject"]), text)
    what = str(fact["what"])
    planter.pair(
        what,
        PlantSide(f"file:{note.text('path')}", old),
        PlantSide(f"mail:{mail.id}", new),
        "new",
        f"{who.name} wrote it on {in_words(told.date())}, after the note.",
    )


def _new_number(planter: Planter, draw: random.Random) -> None:
    who = draw.choice(planter.near)
    new = f"0{draw.randint(31, 78)} 777 {draw.randint(1000, 9999)}"
    told = planter.late(draw)
    text = choose(
        f"[Short notice|Only a line]: I have a new number, {new}. The old one [is dead from today|ends this "
        f"week]. [Please change it|Would you change it in your book]?",
        draw,
    )
    mail = planter.mail(who, told, "New number", text)
    planter.pair(
        f"the telephone number of {who.name}",
        PlantSide(f"contact:{who.name}", who.phone),
        PlantSide(f"mail:{mail.id}", new),
        "new",
        "The card was never changed.",
    )


def _moved_house(planter: Planter, draw: random.Random) -> None:
    who = draw.choice([each for each in planter.near if each.role not in ("partner", "flatmate")])
    new = f"{draw.choice(('Birch', 'Ferry', 'Barn', 'Weaver'))} Row {draw.randint(3, 60)}"
    told = planter.late(draw)
    text = choose(
        f"[We have moved|I have moved]! The new address is {new}, {who.town}. [Come and see the view|The "
        f"kettle is already unpacked]. Post still goes to {who.street} until the end of the month.",
        draw,
    )
    mail = planter.mail(who, told, "We have moved", text)
    planter.pair(
        f"the address of {who.name}",
        PlantSide(f"contact:{who.name}", who.street),
        PlantSide(f"mail:{mail.id}", new),
        "new",
        "The month in which post was sent on is over.",
    )


def _left_firm(planter: Planter, draw: random.Random) -> None:
    who = draw.choice(planter.diary.owner.of_roles("client"))
    heir = draw.choice(("Nadja Ferrell", "Simon Acker", "Louise Batho", "Viktor Amsel"))
    address = f"{heir.lower().replace(' ', '.')}@{who.address.partition('@')[2]}"
    told = planter.late(draw)
    text = (
        f"At the end of this month I leave for something new. From then on please write to {heir}, "
        f"{address}; {heir.split()[0]} knows everything that is open between us. Thank you for the good years."
    )
    mail = planter.mail(who, told, "Goodbye, and who comes after me", text)
    planter.pair(
        f"whom to write to in place of {who.name}",
        PlantSide(f"contact:{who.name}", who.address),
        PlantSide(f"mail:{mail.id}", address),
        "new",
        f"{who.name} has left.",
    )


def _false_account(planter: Planter, draw: random.Random) -> None:
    invoice = draw.choice(past(planter.diary, "bill"))
    firm = invoice.text("firm")
    false = iban(f"false {firm}")
    domain = next(each.address for each in planter.diary.owner.contacts if each.name == firm).partition("@")[2]
    sender = Contact(
        firm,
        f"accounts@{domain.replace('.example', '-billing.example')}",
        "scam",
        planter.diary.owner.contact.habits,
        automatic=True,
    )
    text = (
        f"Dear customer,\n\nour bank has changed. Please pay all open and future bills only to {false} "
        f"from now on, and confirm by answering this mail.\n\n{firm}"
    )
    mail = planter.diary.note(
        "notice",
        planter.late(draw),
        plant="yes",
        sender=sender.address,
        name=firm,
        subject="Important: our new bank account",
        text=text,
    )
    planter.pair(
        f"the account of {firm}",
        PlantSide(f"file:{invoice.text('path')}", iban(firm)),
        PlantSide(f"mail:{mail.id}", false),
        "old",
        f"The mail comes from {sender.address}, which is not the firm's address; its later bills still name "
        f"the old account.",
    )


def _moved_session(planter: Planter, draw: random.Random) -> None:
    session = draw.choice(future(planter.diary, "session"))
    start = session.moment("start")
    moved = planter.diary.find_time(working_day(start.date() + timedelta(days=2)), 60, (11, 14, 15), draw)
    host = next(each for each in planter.diary.owner.contacts if each.name in session.names("people"))
    said = planter.diary.now - timedelta(hours=draw.randint(3, 14))
    text = (
        f"I am sorry to do this so late: {session.text('title')} cannot be on {in_words(start.date())}. We "
        f"meet on {in_words(moved.date())} at {moved:%H:%M} instead, same place."
    )
    mail = planter.mail(host, said, f"{session.text('title')}: another day", text)
    planter.pair(
        f"when {session.text('title')} is",
        PlantSide(f"calendar:{session.id}", f"{start:%Y-%m-%d %H:%M}"),
        PlantSide(f"mail:{mail.id}", f"{moved:%H:%M}"),
        "new",
        "The calendar was not changed after the mail.",
    )


def _other_room(planter: Planter, draw: random.Random) -> None:
    session = draw.choice(future(planter.diary, "session"))
    new = draw.choice(("Annexe, room 4", "Old canteen", "Reading room, ground floor"))
    host = next(each for each in reversed(planter.diary.owner.contacts) if each.name in session.names("people"))
    said = planter.diary.now - timedelta(hours=draw.randint(15, 40))
    text = (
        f"For once {session.text('title')} on {in_words(session.moment('start').date())} is in another "
        f"place: {new}. The usual one is taken. Same time as always."
    )
    mail = planter.mail(host, said, f"{session.text('title')}: another room", text)
    planter.pair(
        f"where {session.text('title')} is",
        PlantSide(f"calendar:{session.id}", session.text("place")),
        PlantSide(f"mail:{mail.id}", new),
        "new",
        "The invitation was not changed.",
    )


def _moved_appointment(planter: Planter, draw: random.Random) -> None:
    firm = draw.choice(planter.diary.owner.care)
    start = planter.diary.find_time(
        working_day(planter.diary.last + timedelta(days=draw.randint(9, 16))), 45, (9, 11, 15), draw
    )
    said = planter.diary.now - timedelta(days=draw.randint(14, 20))
    visit = planter.diary.note(
        "appointment",
        said,
        firm=firm,
        what="talk about the results",
        start=start,
        end=start + timedelta(minutes=45),
        bring="your insurance card",
    )
    moved = planter.diary.find_time(working_day(start.date() + timedelta(days=1)), 45, (8, 14, 16), draw)
    told = planter.diary.now - timedelta(days=2, hours=draw.randint(1, 9))
    change = planter.diary.note(
        "appointment.moved",
        told,
        visit,
        plant="yes",
        firm=firm,
        what="talk about the results",
        old=start,
        start=moved,
        end=moved + timedelta(minutes=45),
    )
    planter.pair(
        f"the appointment at {firm}",
        PlantSide(f"calendar:{visit.id}", f"{start:%Y-%m-%d %H:%M}"),
        PlantSide(f"mail:{change.id}", f"{moved:%H:%M}"),
        "new",
        "The practice moved it; nobody put that into the calendar.",
    )


def _two_offers(planter: Planter, draw: random.Random) -> None:
    first, second = sorted(round(draw.uniform(900, 2900), 0) for _ in range(2))
    at, who = planter.early(draw), draw.choice(planter.near)
    old = planter.note("offers", f"Painter, first offer: {money(second)} with the hall", at)
    text = (
        f"The painter has [been|looked] again. Without the hall it is {money(first)}, and that is what I "
        f"[agreed to|signed] for both of us. [Please forget the first paper|The first offer is void]."
    )
    mail = planter.mail(who, planter.late(draw), "The painter", choose(text, draw))
    planter.pair(
        "what the painter costs",
        PlantSide(f"file:{old.text('path')}", money(second)),
        PlantSide(f"mail:{mail.id}", money(first)),
        "new",
        "The second offer was signed.",
    )


def _later_deadline(planter: Planter, draw: random.Random) -> None:
    minutes = past(planter.diary, "minutes")[-3:]
    if not minutes:
        return
    event = draw.choice(minutes)
    items = event.facts["items"]
    assert isinstance(items, list)
    item = items[0]
    later = working_day(item["until"] + timedelta(days=9))
    session = next(each for each in planter.diary.events() if each.id == event.cause)
    host = next(each for each in planter.diary.owner.contacts if each.name in session.names("people"))
    text = (
        f'One change to the minutes of {in_words(event.moment("start").date())}: "{item["action"]}" has '
        f"time until {in_words(later)}. The date in the minutes no longer counts."
    )
    mail = planter.mail(
        host,
        max(event.at + timedelta(hours=5), planter.diary.now - timedelta(days=9)),
        f"Minutes {session.text('title')}: more time",
        text,
    )
    planter.pair(
        f"until when: {item['action']}",
        PlantSide(f"file:{event.text('path')}", item["until_text"]),
        PlantSide(f"mail:{mail.id}", in_words(later)),
        "new",
        f"{host.name} wrote it after the minutes.",
    )


def _earlier_train(planter: Planter, draw: random.Random) -> None:
    ticket = draw.choice(past(planter.diary, "ticket"))
    leaves: datetime = ticket.moment("leaves")
    earlier = leaves - timedelta(minutes=draw.choice((9, 14, 22)))
    text = (
        f"Dear {planter.diary.owner.name},\n\nbecause of work on the line your train "
        f"{ticket.text('train')} on {in_words(leaves.date())} leaves at {earlier:%H:%M}, earlier than your "
        f"ticket ({ticket.text('code')}) says. Your seat stays the same.\n\n{ticket.text('firm')}"
    )
    mail = planter.service(
        ticket.text("firm"), leaves - timedelta(days=2, hours=3), f"Change of your journey {ticket.text('code')}", text
    )
    planter.pair(
        f"when train {ticket.text('train')} leaves",
        PlantSide(f"file:{ticket.text('path')}", f"{leaves:%H:%M}"),
        PlantSide(f"mail:{mail.id}", f"{earlier:%H:%M}"),
        "new",
        "The railway changed it after the ticket was printed.",
    )


def _final_that_is_not(planter: Planter, draw: random.Random) -> None:
    sums = sorted(draw.sample(range(410, 990), 2))
    at = planter.early(draw)
    right = planter.note("party budget", f"Sum: {sums[1] * 10} euros", at)
    wrong = planter.note("party budget final", f"Sum: {sums[0] * 10} euros", at + timedelta(days=3))
    who = draw.choice(planter.near)
    text = (
        f"About the two lists: the one called final was [my try|an attempt] with fewer guests and is "
        f"wrong. [Use|Please take] the other one, {sums[1] * 10} euros."
    )
    planter.mail(who, at + timedelta(days=5), "The two lists", choose(text, draw))
    planter.pair(
        "which budget for the party counts",
        PlantSide(f"file:{right.text('path')}", f"{sums[1] * 10} euros"),
        PlantSide(f"file:{wrong.text('path')}", f"{sums[0] * 10} euros"),
        "old",
        f"{who.name} wrote that the one called final is wrong.",
    )


def _done_already(planter: Planter, draw: random.Random) -> None:
    who = draw.choice(planter.near)
    title = draw.choice(
        ("Send the key back", "Transfer the share for the present", "Post the signed form", "Bring back the ladder")
    )
    at = planter.diary.now - timedelta(days=draw.randint(12, 16))
    todo = planter.diary.note(
        "todo", at, title=title, due=planter.diary.last - timedelta(days=3), tag="errands", open=True
    )
    done = choose(
        f"[Done|Just so that you know]: {title[:1].lower()}{title[1:]}, that is off my list, I did it [this "
        f"morning|on the way to work]. [Tell me when it has arrived|Thank you for your patience].",
        draw,
    )
    mail = planter.diary.note(
        "message",
        at + timedelta(days=6),
        plant="yes",
        mine=True,
        other=who.name,
        copies=[],
        subject=title,
        text=done,
        first=True,
        circle="",
    )
    planter.pair(
        f'whether "{title}" is done',
        PlantSide(f"todo:{todo.id}", title),
        PlantSide(f"mail:{mail.id}", f"{title[:1].lower()}{title[1:]}"),
        "new",
        "It was never ticked off on the list.",
    )


def _wrong_birthday(planter: Planter, draw: random.Random) -> None:
    who = draw.choice([each for each in planter.near if each.born and each.role not in ("partner", "mother")])
    assert who.born
    right = who.born + timedelta(days=2)
    text = (
        f"[Funny|You know], every year your wishes come two days early! My birthday is on {right.day} "
        f"{right:%B}, not before. [I like it, it makes it longer|No harm done]."
    )
    mail = planter.mail(who, planter.late(draw), "When I was born", choose(text, draw))
    planter.pair(
        f"the birthday of {who.name}",
        PlantSide(f"contact:{who.name}", f"{who.born:%Y-%m-%d}"),
        PlantSide(f"mail:{mail.id}", f"{right.day} {right:%B}"),
        "new",
        f"{who.first} should know.",
    )


def _two_hours(planter: Planter, draw: random.Random) -> None:
    owner, diary = planter.diary.owner, planter.diary
    circle = owner.circles[-1]
    day = working_day(diary.last + timedelta(days=5))
    host = next(each for each in owner.contacts if each.name == circle.members[0])
    said = diary.now - timedelta(hours=20)
    text = (
        f"Before the real meeting a few of us look at {circle.things[0]} on {in_words(day)}, at 18:45. "
        f"[Bring what you have|Nothing to prepare]."
    )
    mail = planter.mail(
        host, said, f"{circle.things[0][:1].upper()}{circle.things[0][1:]}, {in_words(day)}", choose(text, draw)
    )
    other = circle.members[-1].split()[0].lower()
    line = f"{circle.things[0]} on {day:%A} at 18:15, right?"
    chat = diary.note(
        "chat",
        said + timedelta(hours=3),
        plant="yes",
        channel=circle.channel,
        lines=[[other, line, said + timedelta(hours=3)]],
    )
    planter.pair(
        f"when {circle.things[0]} is looked at on {in_words(day)}",
        PlantSide(f"mail:{mail.id}", "18:45"),
        PlantSide(f"chat:{chat.id}", "18:15"),
        "old",
        f"{host.name} invites; the other only asked, and nobody answered.",
    )
