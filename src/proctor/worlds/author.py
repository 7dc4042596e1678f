"""What only the author knows: events, what shows them, contradictions, and likes never said."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import date, datetime

from proctor.worlds.model import Facts, Life, LifeEvent, Plant, Preference
from proctor.worlds.views.desk import LaidDesk

LEAST_EVIDENCE = 3
"""How often a preference must show."""


@dataclass(frozen=True)
class Trait:
    """A preference, with where it shows."""

    preference: Preference
    evidence: tuple[str, ...]
    """References, one for each event that shows it."""


def references(desk: LaidDesk) -> dict[str, list[str]]:
    """Return what shows each event, as references."""
    found: dict[str, list[str]] = defaultdict(list)
    kinds: list[tuple[str, Iterable[tuple[str, str]]]] = [
        ("file", ((each.event, each.path) for each in desk.files)),
        ("mail", ((each.event, each.event) for each in desk.mails)),
        ("calendar", ((each.event, each.event) for each in desk.entries)),
        ("bank", ((each.event, each.event) for each in desk.bookings)),
        ("todo", ((each.event, each.event) for each in desk.errands)),
        ("chat", ((each.event, each.event) for each in desk.said)),
        ("page", ((each.event, each.url) for each in desk.seen if each.event)),
    ]
    for kind, shown in kinds:
        for event, name in dict.fromkeys(shown):
            found[event].append(f"{kind}:{name}")
    return dict(found)


def traits(desk: LaidDesk) -> list[Trait]:
    """Return the preferences of the owner with their evidence."""
    shown = references(desk)
    found = []
    for preference in desk.life.owner.preferences:
        events = [each for each in desk.life.events if str(each.facts.get(preference.tag, "")) == preference.value]
        found.append(Trait(preference, tuple(shown[each.id][0] for each in events if each.id in shown)))
    return found


def author_data(desk: LaidDesk, plants: Iterable[Plant]) -> dict[str, object]:
    """Return all of it as plain data."""
    shown = references(desk)
    return {
        "owner": {"name": desk.life.owner.name, "about": desk.life.owner.about,
        "address": desk.life.owner.contact.address},
        "from": desk.life.first.isoformat(), "to": desk.life.last.isoformat(), "seed": desk.life.seed,
        "people": [{"name": each.name, "address": each.address, "role": each.role,
        "since": each.since.isoformat()} for each in desk.cards],
        "preferences": [{**asdict(each.preference), "evidence": list(each.evidence)} for each in traits(desk)],
        "plants": [asdict(each) for each in plants],
        "events": [{**_event(each), "shown": shown.get(each.id, [])} for each in desk.life.events],
    }  # fmt: skip


def is_short(life: Life) -> bool:
    """Tell whether a life is too short for everything to show often."""
    return (life.last - life.first).days < 300


def _event(event: LifeEvent) -> dict[str, object]:
    plain = {
        "id": event.id,
        "kind": event.kind,
        "at": event.at.isoformat(),
        "cause": event.cause,
        "facts": _plain(event.facts),
    }
    return {**plain, "plant": event.plant} if event.plant else plain


def _plain(value: object) -> object:
    if isinstance(value, dict):
        facts: Facts = value
        return {name: _plain(each) for name, each in facts.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value.isoformat() if isinstance(value, date | datetime) else value
