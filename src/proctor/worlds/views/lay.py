"""Lays out a desk: everything that the events of a life left on it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from pathlib import PurePosixPath

from proctor.worlds.model import Life, LifeEvent
from proctor.worlds.people.load import towns
from proctor.worlds.views.dates import entries
from proctor.worlds.views.desk import Errand, LaidDesk, Said, Sheaf
from proctor.worlds.views.forms import PAPERS_OF_FIRMS, form
from proctor.worlds.views.jottings import Jottings
from proctor.worlds.views.mails import Postbox
from proctor.worlds.views.money import bookings, first_balance, statements
from proctor.worlds.views.pages import bookmarks, visits
from proctor.worlds.views.papers import Writing, write
from proctor.worlds.writers.scenes import photograph

CAMERAS = ("Kestral P4", "Lumora X20", "Fennix 7a", "Kestral Compact", "Lumora Go")
BY_HAND = ("note", "fact", "recipe", "code", "readings")
WRITTEN = ("minutes", "report", "manual", "letter", "offer", "slides", "costs", "budget", "expense", "tasks")

Progress = Callable[[str], None]


def lay(life: Life, progress: Progress = lambda _: None) -> LaidDesk:
    """Return the desk of a life."""
    desk = LaidDesk(life)
    progress("writing papers")
    desk.files += _papers(life)
    progress("taking photographs")
    desk.files += _photographs(life)
    progress("writing mails")
    desk.mails += Postbox(life, {each.path: each.data for each in desk.files}).write()
    desk.entries += entries(life)
    desk.cards += [contact for contact in life.owner.contacts]
    desk.bookings += bookings(life.events)
    desk.opening = first_balance(life)
    by_month = {event.at.date(): event.id for event in life.events if event.kind == "statement"}
    desk.files += [Sheaf(by_month.get(at.date(), ""), path, at, data) for path, (at, data) in statements(life).items()]
    desk.errands += [_errand(event, life) for event in life.events if event.kind == "todo"]
    desk.said += sorted(
        (line for event in life.events if event.kind == "chat" for line in _talk(event)), key=lambda said: said.at
    )
    desk.seen += visits(life)
    desk.bookmarks += bookmarks(life)
    return desk


def _papers(life: Life) -> list[Sheaf]:
    writing, jottings = Writing(life), Jottings(life)
    found: dict[str, Sheaf] = {}
    for event in life.events:
        if event.kind in PAPERS_OF_FIRMS:
            data = form(event, life)
        elif event.kind in WRITTEN:
            data = write(event, writing)
        elif event.kind in BY_HAND:
            data = jottings.write(event)
        else:
            continue
        # Written again on the same day, it takes the place of what was there.
        found[event.text("path")] = Sheaf(event.id, event.text("path"), event.at, data)
    return list(found.values())


def _photographs(life: Life) -> list[Sheaf]:
    camera = CAMERAS[sum(map(ord, life.owner.key)) % len(CAMERAS)]
    causes = {event.id: event for event in life.events}
    found = []
    for event in life.events:
        if event.kind != "photo":
            continue
        town = towns()[event.text("town")]
        data = photograph(
            event.text("scene"),
            int(event.number("seed")),
            event.at,
            town.name,
            event.number("latitude"),
            event.number("longitude"),
            camera,
        )
        found.append(
            Sheaf(
                event.id,
                f"Pictures/{event.at:%Y}/{_album(causes[event.cause])}/IMG_{event.at:%Y%m%d_%H%M%S}.jpg",
                event.at,
                data,
            )
        )
    return found


def _album(cause: LifeEvent) -> str:
    if cause.kind == "trip":
        start = cause.facts["start"]
        assert isinstance(start, date)
        return f"{start:%Y-%m-%d} {cause.text('town')}"
    return f"{cause.moment('start'):%Y-%m-%d} {PurePosixPath(cause.text('place').removeprefix('the ')).name}"


def _errand(event: LifeEvent, life: Life) -> Errand:
    due = event.facts["due"]
    assert isinstance(due, date)
    return Errand(
        event.id, event.text("title"), due, event.text("tag"), done=not event.facts.get("open") and due < life.last
    )


def _talk(event: LifeEvent) -> list[Said]:
    lines = event.facts["lines"]
    assert isinstance(lines, list)
    found = []
    for who, text, at in lines:
        assert isinstance(at, datetime)
        found.append(Said(event.id, at, event.text("channel"), str(who), str(text)))
    return found
