"""What a composed task is about: one occasion, person or project that runs through all of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from proctor.errors import SpecError
from proctor.tasks.draw import Draw

_WAY = re.compile(
    r" (?:by mail|not to miss|told|noted|known|due|at hand|passed on|compared|reported|remembered|checked|announced"
    r"|(?:on|in|for|as) (?:the |a )?[a-z ]+)$"
)
"""What a part says of the way a thing takes, which its title need not say."""

OCCASIONS = (
    "harbour fair", "school concert", "garden party", "book club", "charity run", "open day", "film evening",
    "allotment meeting", "street market", "choir weekend", "hiking trip", "repair café", "science week",
    "village feast", "chess tournament", "poetry reading", "house move", "photo exhibition", "bake sale",
    "sailing course",
)  # fmt: skip
PLACES = (
    "Ashford", "Brookmere", "Caldwell", "Dunmore", "Eastlake", "Fernhill", "Glenrock", "Harwood", "Ivybridge",
    "Kestrel",
)  # fmt: skip
TABLES = ("bookings", "expenses", "stock", "tickets")
"""What the tables of any occasion may be about."""
NAMES = {
    "places": (*PLACES, "Larkfield", "Millbrook", "Norwood", "Oakhurst", "Penrith", "Redcliff", "Stonebridge",
               "Thornbury", "Westbury", "Yarmouth"),
    "families": ("Abbott", "Berger", "Carrasco", "Dahl", "Eriksen", "Fontaine", "Gruber", "Haddad", "Ivanova", "Jansen",
                 "Kowalski", "Lindgren", "Moreau", "Novak", "Okafor", "Petrov", "Rossi", "Schmidt", "Tanaka", "Weber"),
    "months": ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
               "November", "December"),
    "products": ("Lantern", "Quillpad", "Brightdesk", "Tidewater", "Pinecone", "Foxglove", "Marigold", "Halyard",
                 "Copperline", "Skylark", "Juniper", "Windrose", "Saltbox", "Threshold", "Kingfisher", "Almanac"),
    "subjects": ("Spanish", "Italian", "Portuguese", "Norwegian", "Greek", "Polish", "Turkish", "Dutch", "Swedish",
                 "Irish", "Czech", "Finnish"),
    "bands": ("Rookery", "Paper Kites", "Low Tide", "Night Ferry", "Blue Hour", "Stray Chords", "Copper Foxes",
              "Half Moon", "Silver Birch", "Old Pier", "Tin Whistle", "Harvest Six"),
}  # fmt: skip
"""Names that occasions go by."""


@dataclass(frozen=True, slots=True)
class Theme:
    """An occasion that goes by a name, the place where it is, and somebody who takes care of it."""

    occasion: str
    place: str
    person: str
    year: int
    name: str = ""
    """What it goes by, where that is not the place."""
    remarks: tuple[str, ...] = field(default=(), compare=False)
    """Lines that fit it, with placeholders for a time, a day, a number, a person and the place."""
    table: str = field(default="", compare=False)
    """What its tables are about."""
    part: str = field(default="", compare=False)
    """What is being made, so that it is named after that."""
    hints: Mapping[str, tuple[str, ...]] = field(default_factory=dict, compare=False)
    """What its goal says of single parameters of what is being made."""

    @classmethod
    def draw(cls, draw: Draw) -> Theme:
        """Draw one."""
        occasion, place, person = draw.choice(OCCASIONS), draw.choice(PLACES), draw.person()
        return cls(occasion, place, person, 2026, table=draw.choice(TABLES))

    @property
    def title(self) -> str:
        """What people call it: `the Harwood bake sale`."""
        return f"the {self.name or self.place} {self.occasion}"

    @property
    def slug(self) -> str:
        """The beginning of its file names: `harwood-bake-sale`."""
        return (self.name or f"{self.place}-{self.occasion}").lower().replace(" ", "-").replace("é", "e")

    def with_part(self, part: str, hints: Mapping[str, tuple[str, ...]] | None = None) -> Theme:
        """Return the same where something is made that has a name of its own."""
        return replace(self, part=part, hints=hints or {})

    def with_dates(self) -> Theme:
        """Return the same with those remarks alone that say when something is."""
        told = tuple(line for line in self.remarks if any(word in line for word in ("{time}", "{day}", "{date}")))
        return replace(self, remarks=told)

    def path(self, folder: str, ending: str) -> str:
        """Return the path of what is being made."""
        return f"{folder}/{self.slug}-{self.part.removesuffix(' by mail').replace(' ', '-')}{ending}"

    @property
    def heading(self) -> str:
        """What is being made, as a title."""
        return self.entitle(self.matter)

    @property
    def matter(self) -> str:
        """What is being made, without the way that it takes."""
        return _WAY.sub("", self.part)

    def entitle(self, what: str) -> str:
        """Return the title of something, such as `Harwood: price list`."""
        return f"{self.name}: {what}" if self.name else f"{what.capitalize()} for {self.title}"

    def remark(self, draw: Draw, otherwise: Sequence[str], parameter: str = "line") -> str:
        """Draw a line that fits, or one of others where none is known."""
        return fill_line(draw.choice(self.hints.get(parameter) or self.remarks or tuple(otherwise)), draw, self)

    def hint(self, parameter: str, draw: Draw, otherwise: str) -> str:
        """Draw what the goal says of a parameter; return something else where it says nothing."""
        named = self.hints.get(parameter)
        return fill_line(draw.choice(named), draw, self) if named else otherwise

    def among(self, parameter: str, draw: Draw, options: Iterable[str]) -> str:
        """Draw one of some options, of those that the goal names if it names any.

        Raises:
            SpecError: None of those it names is among them.
        """
        named = self.hints.get(parameter)
        fitting = [option for option in options if named is None or option in named]
        if not fitting:
            raise SpecError(f"{parameter} cannot be {' or '.join(named or ())}", remedy="let the goal name another")
        return draw.choice(fitting)


def fill_line(pattern: str, draw: Draw, theme: Theme) -> str:
    """Put times, days, numbers and names in the places of a line, each drawn anew."""
    drawn: dict[str, Callable[[], str]] = {
        "time": lambda: f"{draw.randint(8, 19)}:{draw.choice(('05', '15', '30', '45'))}",
        "day": lambda: draw.choice(("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")),
        "date": lambda: f"{draw.randint(2, 28)} {draw.choice(('April', 'May', 'June', 'July', 'September'))}",
        "n": lambda: str(draw.randint(2, 30)),
        "few": lambda: str(draw.randint(2, 6)),
        "euros": lambda: str(5 * draw.randint(8, 60)),
        "person": draw.person,
        "owner": lambda: theme.person,
        "place": lambda: theme.place,
        "title": lambda: theme.title,
        "name": lambda: theme.name or theme.place,
    }
    for name, make in drawn.items():
        if f"{{{name}}}" in pattern:
            pattern = pattern.replace(f"{{{name}}}", make())
    return pattern
