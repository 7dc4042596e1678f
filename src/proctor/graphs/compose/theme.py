"""What a composed task is about: one occasion, person or project that runs through all of it."""

from __future__ import annotations

from dataclasses import dataclass

from proctor.tasks.draw import Draw

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


@dataclass(frozen=True, slots=True)
class Theme:
    """An occasion in a place, and somebody who takes care of it."""

    occasion: str
    place: str
    person: str
    year: int

    @classmethod
    def draw(cls, draw: Draw) -> Theme:
        """Draw one."""
        return cls(draw.choice(OCCASIONS), draw.choice(PLACES), draw.person(), 2026)

    @property
    def title(self) -> str:
        """What people call it: `the Harwood bake sale`."""
        return f"the {self.place} {self.occasion}"

    @property
    def slug(self) -> str:
        """The beginning of its file names: `harwood-bake-sale`."""
        return f"{self.place}-{self.occasion}".lower().replace(" ", "-").replace("é", "e")
