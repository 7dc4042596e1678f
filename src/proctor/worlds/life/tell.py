"""Tells a whole life, from its seed."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from proctor.worlds.chance import chance
from proctor.worlds.life.circles import meet
from proctor.worlds.life.diary import Diary
from proctor.worlds.life.household import keep_house
from proctor.worlds.life.journeys import outings, travel
from proctor.worlds.life.papers import write_papers
from proctor.worlds.life.plants import plant
from proctor.worlds.life.rounds import come_round
from proctor.worlds.life.threads import correspond
from proctor.worlds.life.trade import work_for_customers
from proctor.worlds.model import TODAY, YEARS, DeskOwner, Life, Plant, Trip

DAYS = 365 * YEARS + 10


def tell(owner: DeskOwner, seed: int = 0, span: int = DAYS) -> tuple[Life, tuple[Plant, ...]]:
    """Tell the last days of somebody's life up to `TODAY`, and what is contradictory in it."""
    first = TODAY - timedelta(days=span)
    diary = Diary(owner, seed, first, TODAY)
    diary.trips = plan_trips(owner, seed, first, TODAY)
    meet(diary)
    travel(diary)
    work_for_customers(diary)
    come_round(diary)
    outings(diary)
    keep_house(diary)
    correspond(diary)
    write_papers(diary)
    plants = plant(diary)
    events = diary.events()
    known = {event.id for event in events}
    return Life(
        owner, seed, first, TODAY, tuple(e for e in events if not e.cause or e.cause in known), tuple(diary.trips)
    ), plants


def plan_trips(owner: DeskOwner, seed: int, first: date, last: date) -> list[Trip]:
    """Return the journeys of a life: those of its file, begun some days earlier or later by its seed.

    A life too short for any of them makes one of them within it.
    """
    draw = chance(owner.key, seed, "trips")
    shifted = [
        replace(trip, start=trip.start + timedelta(days=7 * draw.choice((-1, 0, 0, 1)) if seed else 0))
        for trip in owner.trips
    ]
    kept = [
        trip for trip in shifted if first + timedelta(days=46) <= trip.start and trip.end <= last - timedelta(days=9)
    ]
    if not kept:
        wanted = draw.choice(owner.trips)
        return [replace(wanted, start=last - timedelta(days=20), days=min(wanted.days, 4))]
    return kept
