"""What lies on a desk: letters, files, dates, cards, bookings; each knows the event it shows."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime

from proctor.worlds.model import Contact, Life


@dataclass(frozen=True)
class Enclosure:
    """A file that comes with a mail."""

    name: str
    data: bytes
    type: str


@dataclass(frozen=True)
class Mail:
    """One mail, sent or received."""

    event: str
    at: datetime
    sender: str
    """As it stands in the head: `Name <address>`."""
    to: str
    subject: str
    text: str
    folder: str
    cc: str = ""
    answers: str = ""
    """The event whose mail it answers."""
    enclosures: tuple[Enclosure, ...] = ()
    read: bool = True
    starred: bool = False
    automatic: bool = False

    @property
    def id(self) -> str:
        """Its Message-ID without brackets."""
        return message_id(self.event, self.sender)


@dataclass(frozen=True)
class CalendarLine:
    """One entry of a calendar."""

    event: str
    calendar: str
    start: datetime | date
    end: datetime | date
    """For whole days, the day after the last."""
    summary: str
    place: str = ""
    text: str = ""
    people: tuple[str, ...] = ()
    known: datetime | None = None
    changes: int = 0


@dataclass(frozen=True)
class Sheaf:
    """One file of the home folder."""

    event: str
    path: str
    at: datetime
    data: bytes


@dataclass(frozen=True)
class Booking:
    """One line of the account."""

    event: str
    at: datetime
    amount: float
    payee: str
    memo: str
    category: str


@dataclass(frozen=True)
class Errand:
    """One line of the list of things to do."""

    event: str
    title: str
    due: date
    tag: str
    done: bool


@dataclass(frozen=True)
class Said:
    """One line in a channel."""

    event: str
    at: datetime
    channel: str
    who: str
    text: str


@dataclass(frozen=True)
class PageSeen:
    """One page that was looked at."""

    event: str
    at: datetime
    url: str
    title: str


@dataclass
class LaidDesk:
    """Everything on a desk."""

    life: Life
    mails: list[Mail] = field(default_factory=list)
    entries: list[CalendarLine] = field(default_factory=list)
    files: list[Sheaf] = field(default_factory=list)
    cards: list[Contact] = field(default_factory=list)
    bookings: list[Booking] = field(default_factory=list)
    opening: float = 0.0
    """What was on the account in the beginning."""
    errands: list[Errand] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)
    seen: list[PageSeen] = field(default_factory=list)
    bookmarks: list[tuple[str, str, str]] = field(default_factory=list)
    """Title, address and folder."""

    def file(self, path: str) -> Sheaf:
        """Return the file at a path."""
        return next(each for each in self.files if each.path == path)


def message_id(event: str, sender: str) -> str:
    """Return the Message-ID of the mail that shows an event."""
    return f"{event}@{sender.rpartition('@')[2].rstrip('>')}"
