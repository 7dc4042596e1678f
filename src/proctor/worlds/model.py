"""What a life is made of: people, firms, places, and events; and what of it lies on a desk."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

Facts = dict[str, object]

TODAY = date(2026, 3, 12)
"""The day on which every life stands still: the clock of tasks begins there."""
YEARS = 2
"""How long a life is told."""


@dataclass(frozen=True)
class Habits:
    """How somebody writes."""

    register: str
    """`formal`, `plain` or `casual`."""
    greeting: str
    farewell: str
    typos: float = 0.0
    """Share of words with a slip in them."""
    lower: bool = False
    """Whether sentences begin small."""
    length: int = 2
    """How much is added around the matter: 0 nothing, 3 a lot."""


@dataclass(frozen=True)
class Contact:
    """Somebody the owner knows, or a firm."""

    name: str
    address: str
    role: str
    habits: Habits
    phone: str = ""
    street: str = ""
    town: str = ""
    born: date | None = None
    since: date = date(2024, 1, 1)
    """From when on they write to each other."""
    automatic: bool = False
    """Whether its mails are written by a machine."""

    @property
    def first(self) -> str:
        """How friends call them."""
        words = self.name.split()
        return words[1] if words[0] in ("Prof.", "Dr.") and len(words) > 2 else words[0]

    @property
    def last(self) -> str:
        """Their surname."""
        return self.name.split()[-1]


@dataclass(frozen=True)
class Town:
    """A place on the map of the invented coast."""

    name: str
    latitude: float
    longitude: float
    hotel: str
    sight: str


@dataclass(frozen=True)
class Circle:
    """People who meet regularly about something: a team, a course, a club."""

    name: str
    kind: str
    """`work` or `club`."""
    channel: str
    place: str
    members: tuple[str, ...]
    weekday: int
    hour: int
    minute: int
    duration: int
    every: int
    """Days between two meetings."""
    minutes: str
    """How minutes are kept: the ending of their files, or nothing."""
    clients: tuple[str, ...]
    projects: tuple[str, ...]
    things: tuple[str, ...]


@dataclass(frozen=True)
class Trip:
    """A journey that is planned."""

    start: date
    days: int
    town: str
    kind: str

    @property
    def end(self) -> date:
        """The last day."""
        return self.start + timedelta(days=self.days - 1)


@dataclass(frozen=True)
class Preference:
    """What somebody likes and never says; it shows in facts of events."""

    key: str
    what: str
    tag: str
    value: str


@dataclass(frozen=True)
class DeskOwner:
    """The person whose desk it is."""

    key: str
    contact: Contact
    about: str
    employer: str
    salary: float
    support: tuple[str, float]
    """Who else gives something every month, and how much."""
    rent: float
    landlord: str
    dish: str
    hobby: str
    child: str
    trade: str
    news: tuple[str, ...]
    shops: tuple[str, ...]
    bills: tuple[str, ...]
    care: tuple[str, ...]
    topics: tuple[str, ...]
    code: tuple[str, ...]
    wants: tuple[str, ...]
    contacts: tuple[Contact, ...]
    circles: tuple[Circle, ...]
    trips: tuple[Trip, ...]
    preferences: tuple[Preference, ...]

    @property
    def name(self) -> str:
        """Their whole name."""
        return self.contact.name

    def prefers(self, tag: str) -> str:
        """Return what they take where there is a choice, or nothing."""
        return next((each.value for each in self.preferences if each.tag == tag), "")

    def of_roles(self, *roles: str) -> list[Contact]:
        """Return the people of some roles."""
        return [each for each in self.contacts if each.role in roles]


@dataclass(frozen=True)
class LifeEvent:
    """Something that happened, with everything that is known of it."""

    id: str
    kind: str
    at: datetime
    """When it came to the desk."""
    facts: Facts
    cause: str = ""
    """The event it came from."""
    plant: str = ""
    """The contradiction it is a side of."""

    def text(self, fact: str) -> str:
        """Return a fact as text; nothing where it is unknown."""
        return str(self.facts.get(fact, ""))

    def number(self, fact: str) -> float:
        """Return a fact that is a number."""
        value = self.facts[fact]
        assert isinstance(value, int | float)
        return value

    def moment(self, fact: str) -> datetime:
        """Return a fact that is a point in time."""
        value = self.facts[fact]
        assert isinstance(value, datetime)
        return value

    def names(self, fact: str) -> list[str]:
        """Return a fact that is a list of texts."""
        value = self.facts.get(fact, ())
        assert isinstance(value, list | tuple)
        return [str(each) for each in value]


@dataclass(frozen=True)
class PlantSide:
    """One side of a contradiction: where it stands, and what stands there."""

    where: str
    """A reference: `mail:ID`, `file:PATH`, `calendar:UID`, `contact:NAME`, `bank:ID`, `chat:CHANNEL`, `todo:TITLE`."""
    says: str


@dataclass(frozen=True)
class Plant:
    """A contradiction, or a fact that is out of date: always both sides."""

    id: str
    what: str
    old: PlantSide
    new: PlantSide
    right: str
    """`old` or `new`."""
    why: str


@dataclass(frozen=True, eq=False)
class Life:
    """A whole life as it was told: the events in their order."""

    owner: DeskOwner
    seed: int
    first: date
    last: date
    events: tuple[LifeEvent, ...]
    trips: tuple[Trip, ...] = field(default=())
