"""The people whose desks there are, one file each."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from datetime import date
from functools import cache
from pathlib import Path

from proctor.errors import UnknownName
from proctor.worlds.chance import chance
from proctor.worlds.model import Circle, Contact, DeskOwner, Habits, Preference, Town, Trip
from proctor.worlds.prose.banks import texts

HERE = Path(__file__).parent
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
HOUSES = ("postbox.example", "inkmail.example", "fastpost.example")
MACHINE = Habits("formal", "Dear", "", length=0)
AT_WORK = ("boss", "colleague", "apprentice", "bookkeeper", "chair", "teacher")


def names() -> list[str]:
    """Return the names of all people."""
    return sorted(path.stem for path in HERE.glob("*.toml"))


def load(name: str) -> DeskOwner:
    """Return the person of this name."""
    if name not in names():
        raise UnknownName("world", name, names())
    told = tomllib.loads((HERE / f"{name}.toml").read_text())
    firms_here = firms()
    employer = firms_here.get(told["employer"])
    domain = employer.address.partition("@")[2] if employer else told["address"].partition("@")[2]
    people = [_contact(row, told["town"], domain) for row in told["contacts"]]
    wanted = [told["employer"], *told["news"], *told["shops"], *told["bills"], *told["care"]]
    known = [firms_here[each] for each in [*wanted, "Coastline Railways", "Meridian Bank"] if each]
    habits = _habits(told["habits"], told.get("typos", 0.0), told.get("lower", False), told.get("length", 2))
    return DeskOwner(
        key=name,
        contact=Contact(
            told["name"], told["address"], "owner", habits, _phone(told["name"]), told["street"], told["town"],
            told["born"],
        ),
        about=told["about"], employer=told["employer"], salary=told["salary"],
        support=(told.get("supporter", ""), told.get("support", 0.0)), rent=told["rent"],
        landlord=told["landlord"], dish=told["dish"], hobby=told["hobby"], child=told["child"],
        trade=told.get("trade", ""), news=tuple(told["news"]), shops=tuple(told["shops"]), bills=tuple(told["bills"]),
        care=tuple(told["care"]), topics=tuple(told["topics"]), code=tuple(told["code"]), wants=tuple(told["wants"]),
        contacts=(*people, *dict.fromkeys(known)), circles=tuple(_circle(each) for each in told["circle"]),
        trips=tuple(_trip(each) for each in told["trips"]),
        preferences=tuple(Preference(**each) for each in told["preference"]),
    )  # fmt: skip


@cache
def firms() -> dict[str, Contact]:
    """Return the firms and offices of the coast by their names."""
    found = {}
    for row in texts("firms", "firms"):
        name, domain, role, street = _parts(row)
        place, _, town = street.rpartition(", ")
        sender = {"news": "letters", "bank": "service", "utility": "billing", "care": "desk"}.get(role, "office")
        found[name] = Contact(
            name, f"{sender}@{domain}", role, MACHINE, _phone(name), place or street, town, automatic=True
        )
    return found


@cache
def towns() -> dict[str, Town]:
    """Return the towns of the coast by their names."""
    rows = [_parts(row) for row in texts("firms", "towns")]
    return {row[0]: Town(row[0], float(row[1]), float(row[2]), row[3], row[4]) for row in rows}


def _contact(row: str, town: str, domain: str) -> Contact:
    name, role, habits, born = _parts(row)
    draw = chance("contact", name)
    plain = re.sub(r"^(prof|dr)\. ", "", name.lower()).replace(" ", ".")
    house = domain if role in AT_WORK else draw.choice(HOUSES)
    if role in ("client", "supplier"):
        house = f"{name.split()[-1].lower()}-{draw.choice(('works', 'partners', 'office'))}.example"
    street = (
        f"{draw.choice(('Elm', 'Tide', 'Orchard', 'Station', 'Canal', 'Hill'))} "
        f"{draw.choice(('Road', 'Street', 'Lane'))}"
    )
    slips = draw.choice((0.0, 0.0, 0.006, 0.012))
    casual = habits.startswith("casual")
    return Contact(
        name, f"{plain}@{house}", role,
        _habits(habits, slips if casual else 0.0, casual and draw.random() < 0.3, draw.randint(0, 2)),
        _phone(name), f"{street} {draw.randint(2, 96)}", town, date.fromisoformat(born),
    )  # fmt: skip


def _habits(text: str, typos: float, lower: bool, length: int) -> Habits:
    register, greeting, farewell = text.split(",")
    return Habits(register, greeting, farewell, typos, lower, length)


def _circle(told: dict[str, str | Sequence[str]]) -> Circle:
    day, clock, duration, every = str(told["meets"]).split()
    hour, _, minute = clock.partition(":")
    return Circle(
        str(told["name"]), str(told["kind"]), str(told["channel"]), str(told["place"]), tuple(told["members"]),
        DAYS.index(day), int(hour), int(minute), int(duration), int(every), str(told["minutes"]),
        tuple(told["clients"]), tuple(told["projects"]), tuple(told["things"]),
    )  # fmt: skip


def _trip(row: str) -> Trip:
    start, days, place = row.split(" ", 2)
    town = next(each for each in towns() if place.startswith(each))
    return Trip(date.fromisoformat(start), int(days), town, place.removeprefix(town).strip())


def _phone(name: str) -> str:
    draw = chance("phone", name)
    return f"0{draw.randint(31, 78)} 555 {draw.randint(1000, 9999)}"


def _parts(row: str) -> list[str]:
    return [part.strip() for part in row.split("|")]
