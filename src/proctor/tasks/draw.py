"""The seeded generator behind templates: everything that varies between seeds is drawn from it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date, timedelta
from typing import TypeVar

Item = TypeVar("Item")

FIRST_NAMES = (
    "Amara", "Bruno", "Chiara", "Dimitri", "Elif", "Farid", "Greta", "Hassan", "Ines", "Jonas", "Keiko", "Lucia",
    "Mateo", "Nadia", "Oskar", "Priya", "Quentin", "Rosa", "Samir", "Tilda", "Uma", "Viktor", "Wanda", "Yusuf",
)  # fmt: skip
LAST_NAMES = (
    "Almeida", "Berger", "Castillo", "Dahl", "Eriksen", "Ferrari", "Gruber", "Haddad", "Ivanova", "Jansen", "Kowalski",
    "Lindgren", "Moreau", "Nakamura", "Okafor", "Petrov", "Quinn", "Rossi", "Schmidt", "Tanaka", "Ueda", "Varga",
    "Weber", "Yilmaz",
)  # fmt: skip
CITIES = (
    "Athens", "Bergen", "Cork", "Dresden", "Evora", "Florence", "Ghent", "Hamburg", "Innsbruck", "Jena", "Krakow",
    "Lisbon", "Malmo", "Nantes", "Oslo", "Porto", "Riga", "Seville", "Turin", "Utrecht", "Vilnius", "Zagreb",
)  # fmt: skip
COMPANIES = (
    "Alder Books", "Beacon Foods", "Cobalt Design", "Dune Travel", "Ember Bakery", "Fern Garden Centre", "Gale Sports",
    "Harbour Coffee", "Iris Optics", "Juniper Press", "Kite Toys", "Lumen Lighting", "Maple Furniture", "North Cycles",
)  # fmt: skip


class Draw(random.Random):
    """A random generator with the things that tasks are about.

    Seeded by a text, the same on every machine.
    """

    def __init__(self, seed: str) -> None:
        super().__init__(seed)

    def some(self, items: Sequence[Item], count: int) -> list[Item]:
        """Return this many different items, in random order."""
        return self.sample(list(items), count)

    def person(self) -> str:
        """Return a full name."""
        return f"{self.choice(FIRST_NAMES)} {self.choice(LAST_NAMES)}"

    def people(self, count: int) -> list[str]:
        """Return full names, all first names and last names different."""
        names = zip(self.some(FIRST_NAMES, count), self.some(LAST_NAMES, count), strict=True)
        return [f"{first} {last}" for first, last in names]

    def city(self) -> str:
        """Return the name of a city."""
        return self.choice(CITIES)

    def company(self) -> str:
        """Return the name of a company."""
        return self.choice(COMPANIES)

    def amount(self, least: float = 5, most: float = 500) -> float:
        """Return a price with two decimals that never ends in a zero, so that it is written one way only."""
        cents = self.randint(int(least * 100), int(most * 100))
        return (cents + 1 if cents % 10 == 0 else cents) / 100

    def day(self, first: date, last: date) -> date:
        """Return a day between two, both included."""
        return first + timedelta(days=self.randint(0, (last - first).days))
