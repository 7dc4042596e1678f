"""Tasks in which letters are put in order."""

from __future__ import annotations

from proctor.suites.parts import other_programs
from proctor.suites.parts.by_the_book import by_the_book
from proctor.suites.parts.other_programs import in_mailbox
from proctor.suites.parts.post import Person, people
from proctor.suites.parts.thunderbird import (
    delete_letter,
    move_letter,
    open_letter,
)
from proctor.suites.parts.ways import by_hand, by_python
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import Draft, NearMiss
from proctor.tasks.template import template


@template(apps=("thunderbird",), level=1, demand="Office/Communication/Emailing", services=("mail",), version=2)
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
    chosen, other, _ = topics
    # Which letter was clicked shows in where it is now; its line in the list has many parts without a name.
    steps = [{"do": "click", "name": "Archive", "role": "push button"}]
    return Draft(
        instruction="In Thunderbird's message list, click the message with the subject "
        f'"{chosen}". Then click the Archive button above the text of the message.',
        paraphrases=(f'Click on "{chosen}" in the inbox, then on the Archive button in the message header.',),
        setup=(owner.mail({"INBOX": letters}), owner.thunderbird()),
        check=expect.all_of(
            [
                owner.keeps(letters[1:]),
                owner.keeps(letters[:1], "Archives.2026"),
                expect.nothing_sent(see.posted_mail()),
                by_the_book(steps, "thunderbird"),
            ]
        ),
        solution=(*open_letter(chosen), hand.click("Archive", role="push button"), _await_gone(chosen)),
        near_misses=(
            NearMiss(
                name="the wrong message archived",
                moves=(*open_letter(other), hand.click("Archive", role="push button"), _await_gone(other)),
            ),
            NearMiss(
                name="deleted instead",
                moves=(*open_letter(chosen), hand.click("Delete", role="push button"), _await_gone(chosen)),
            ),
            NearMiss(
                name="archived with the keyboard", moves=(*open_letter(chosen), hand.press("a"), _await_gone(chosen))
            ),
        ),
        other_ways=(
            by_hand(
                "another message read first",
                *open_letter(other),
                *open_letter(chosen),
                hand.click("Archive", role="push button"),
                _await_gone(chosen),
            ),
            by_hand(
                "opened in a tab of its own",
                *open_letter(chosen),
                hand.press("Return"),
                hand.click("Archive", role="push button"),
                hand.press("ctrl+1"),
                _await_gone(chosen),
            ),
        ),
        cheats=(
            by_hand(
                "all of them archived",
                *(
                    move
                    for topic in topics
                    for move in (*open_letter(topic), hand.click("Archive", role="push button"), _await_gone(topic))
                ),
            ),
            by_python(
                "moved by another program",
                in_mailbox(owner, "box.create('Archives.2026')", *other_programs.move("Archives.2026", chosen)),
            ),
            by_hand(
                "archived and taken back",
                *open_letter(chosen),
                hand.click("Archive", role="push button"),
                _await_gone(chosen),
                hand.press("ctrl+z"),
                hand.await_element(chosen, role="table row"),
            ),
        ),
    )


def _await_gone(subject: str) -> Call:
    return hand.await_element(subject, role="table row", gone=True)


@template(apps=("thunderbird",), level=2, demand="Office/Communication/Emailing", services=("mail",), version=2)
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
    inbox = see.mailbox(owner.address, "INBOX")
    return Draft(
        instruction=f"Please star both messages from {wanted.name} in my inbox so I don't forget to answer "
        "them. Don't star any others.",
        paraphrases=(f"Star everything in the inbox that {wanted.name} sent me, and nothing else.",),
        setup=(owner.mail({"INBOX": letters}), owner.thunderbird()),
        check=expect.all_of(
            [
                expect.messages_marked(inbox, "starred", marked),
                owner.keeps(letters),
                expect.nothing_sent(see.posted_mail()),
            ]
        ),
        solution=tuple(move for topic in marked for move in _star(topic)),
        near_misses=(
            NearMiss(name="only one of them", moves=_star(marked[0])),
            NearMiss(name="somebody else's messages", moves=tuple(move for topic in tempting for move in _star(topic))),
            NearMiss(
                name="one too many",
                moves=tuple(move for topic in [*marked, tempting[0]] for move in _star(topic)),
            ),
        ),
        other_ways=(
            by_hand(
                "from one to the other with the arrow keys",
                *_star(marked[1]),
                hand.press("Down", times=topics.index(marked[1]) - topics.index(marked[0])),
                hand.await_element(marked[0], role="document web"),
                hand.press("s"),
            ),
            by_python("by another program", in_mailbox(owner, *other_programs.star(*marked))),
        ),
        cheats=(
            by_hand("all of them", *open_letter(marked[0]), hand.press("ctrl+a"), hand.press("s")),
            by_python(
                "the others deleted",
                in_mailbox(
                    owner,
                    *other_programs.star(*marked),
                    *other_programs.delete(*(topic for topic in topics if topic not in marked)),
                ),
            ),
            by_hand("marked by a label instead", *(move for topic in marked for move in _label_letter(topic))),
        ),
    )


def _label_letter(subject: str) -> tuple[Call, ...]:
    return (*open_letter(subject), hand.press("1"))


def _star(subject: str) -> tuple[Call, ...]:
    return (*open_letter(subject), hand.press("s"))


@template(apps=("thunderbird",), level=2, demand="Office/Communication/Emailing", services=("mail",), version=2)
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
                owner.keeps([letter for letter in letters if letter["subject"] in mine], folder),
                owner.keeps([letter for letter in letters if letter["subject"] in rest]),
                expect.nothing_sent(see.posted_mail()),
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
        other_ways=(
            by_hand(
                "dragged to the folder",
                *(
                    move
                    for subject in mine
                    for move in (
                        hand.drag({"role": "table row", "name": subject}, {"role": "tree item", "name": folder}),
                        _await_gone(subject),
                    )
                ),
            ),
            by_python("by another program", in_mailbox(owner, *other_programs.move(folder, *mine))),
        ),
        cheats=(
            by_python("copied", in_mailbox(owner, *other_programs.copy(folder, *mine))),
            by_python(
                "everything moved",
                in_mailbox(owner, *other_programs.move(folder, *mine, *rest)),
            ),
            by_python(
                "all else deleted",
                in_mailbox(owner, *other_programs.move(folder, *mine), *other_programs.delete(*rest)),
            ),
        ),
    )
