"""Routine work on the desk of somebody's world: letters, papers, tables, entries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from proctor.home import HOME
from proctor.suites.parts import thunderbird
from proctor.suites.parts.other_programs import enter
from proctor.suites.parts.post import Owner, day_in_numbers
from proctor.suites.parts.programs import start_program
from proctor.tasks.call import Call
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Admission
from proctor.vocabulary.apps.thunderbird.setup import PROFILE
from proctor.vocabulary.services.world.setup import PASSWORD
from proctor.worlds.layers import sources_digest
from proctor.worlds.life.tell import tell
from proctor.worlds.model import Contact, Life, Plant
from proctor.worlds.people.load import load
from proctor.worlds.views.dates import CALENDARS

DIGEST_LETTERS = 12
LEDGER, BANK_ACCOUNT = "Documents/Money/household.xhb", "Meridian Bank"
"""The household book of every world, and the account in it."""
Moves = tuple[Call, ...]
PATIENCE_SEC = 60.0


@dataclass(frozen=True)
class WorldDesk:
    """Somebody's desktop, used for two years."""

    name: str
    """Of the world."""
    life: Life
    plants: tuple[Plant, ...]

    @property
    def owner(self) -> Contact:
        """Whose it is."""
        return self.life.owner.contact

    @property
    def account(self) -> Owner:
        """The owner, as ways by code want to have them."""
        return Owner(self.owner.name, self.owner.address, PASSWORD)

    def contact(self, name: str) -> Contact:
        """Return somebody they know, by their whole name."""
        return next(each for each in self.life.owner.contacts if each.name == name)

    def lay(self, letters: Sequence[dict[str, object]] = ()) -> Call:
        """Return the step that lays it on the desktop, with letters in the inbox besides."""
        return make.world(self.name, sources_digest()[:DIGEST_LETTERS], {"INBOX": list(letters)})

    def thunderbird(self, show: str = "mail") -> Call:
        """Return the step that opens its mail program."""
        return make.thunderbird(self.owner.address, PASSWORD, self.owner.name, list(CALENDARS), show)

    def letter(self, sender: Contact, subject: str, date: str, text: str, **more: object) -> dict[str, object]:
        """Return a letter to the owner; `date` is `03-11 14:05`."""
        day, time = date.split()
        people = {"from": f"{sender.name} <{sender.address}>", "to": f"{self.owner.name} <{self.owner.address}>"}
        return {**people, "subject": subject, "date": f"2026-{day}T{time}:00", "text": text, **more}

    def arrives(self, letter: dict[str, object]) -> tuple[Call, Call]:
        """Return the steps that deliver a letter and show that it came."""
        sender = str(letter["from"]).partition(" <")[0]
        said = make.notification("New email", f"{sender}: {letter['subject']}", 20.0)
        return make.mail_delivered(self.owner.address, [letter]), said

    @property
    def traces(self) -> tuple[str, ...]:
        """What may change whatever is done: the address book counts how often somebody is written to."""
        return (f"{PROFILE}/abook.sqlite",)

    def guards(self, people: Sequence[str]) -> tuple[Call, ...]:
        """Return the checks that no letter is lost, and that only these people are written to."""
        return expect.no_mail_lost(see.lost_mail()), expect.only_mail_to(see.posted_mail(), list(people))


@lru_cache(maxsize=8)
def desk_of(name: str) -> WorldDesk:
    """Return the desk of a world: what its author knows."""
    person, _, seed = name.partition("-")
    life, plants = tell(load(person), int(seed or 0))
    return WorldDesk(name, life, tuple(plants))


def sent_as_it_is(path: str) -> tuple[Admission, ...]:
    """Return what may differ where a letter brings a file as it lies on the desk."""
    why = "What was sent is compared with what lies there: whoever saves it once more has sent an older one."
    changes = ("packed again", "without its preview picture", "saved by another program at another time")
    return tuple(Admission(which=f"{path}: {change}", why=why) for change in changes)


def without_words(subject: str) -> Admission:
    """Return that a letter may bring a file without a word."""
    which = f"posted_mail(): letters: '{subject}': own: emptied"
    return Admission(which=which, why="A file that was asked for says all by itself.")


def find_letter(words: str, subject: str = "") -> Moves:
    """Filter the folder that is shown, and open the one letter that is left."""
    return (
        hand.press("ctrl+shift+k"),
        hand.press("ctrl+a"),
        hand.type(words),
        hand.click(subject or words, role="table row"),
        hand.await_element(subject or words, role="document web"),
    )


def to_folder(name: str) -> Moves:
    """Show another folder of the account."""
    return (hand.click(name, role="tree item"), hand.await_window(name))


def reply_here(text: str) -> Moves:
    """Answer the letter that is shown."""
    return thunderbird.reply(text)


def enter_event(title: str, day: date, start: str, end: str, place: str = "") -> Moves:
    """Enter an event in the calendar that is the usual one."""
    return (
        *thunderbird.OPEN_CALENDAR,
        *thunderbird.new_event(title, day_in_numbers(day), start, end, place=place),
        hand.click("Mail (Ctrl+1)", role="push button"),
        hand.await_window("/Inbox/"),
    )


def event_entered(desk: WorldDesk, calendar: str, title: str, day: date, start: str, end: str, place: str = "") -> Call:
    """Put an event into a calendar by code."""
    return hand.run_code(enter(desk.account, calendar, title, day, start, end, place), "python")


def open_book() -> Moves:
    """Open the household book."""
    return start_program(f'homebank "{HOME}/{LEDGER}"', "HomeBank", timeout_sec=PATIENCE_SEC)


def open_paper(path: str, program: str = "evince") -> Moves:
    """Open a PDF, look at it and close it again."""
    title = path.rpartition("/")[2]
    return (
        *start_program(f'{program} "{HOME}/{path}"', title),
        hand.press("alt+F4"),
        hand.await_window(title, gone=True),
    )


def open_table(path: str) -> Moves:
    """Open a spreadsheet."""
    title = path.rpartition("/")[2]
    return start_program(f'localc "{HOME}/{path}"', title, timeout_sec=PATIENCE_SEC)


def send_to(to: Sequence[str], subject: str, text: str, *, cc: Sequence[str] = (), files: Sequence[str] = ()) -> Moves:
    """Write a new letter with files, and send it."""
    copied = (
        hand.press("ctrl+shift+c"),
        *(move for address in cc for move in (hand.type(address), hand.press("Return"))),
    )
    attached = [move for path in files for move in thunderbird.attach(f"{HOME}/{path}")]
    return (
        *thunderbird.write(to, subject, text),
        *(copied if cc else ()),
        *attached,
        *thunderbird.send(),
    )
