"""A life holds together whatever its seed: causes come first, things add up, nobody is in two places."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from proctor.errors import UnknownName
from proctor.worlds.chance import working_day
from proctor.worlds.life.tell import plan_trips, tell
from proctor.worlds.model import TODAY, Life
from proctor.worlds.people.load import load, names, towns

PEOPLE = ("emeka", "harold", "nora", "priya", "signe")
SHORT = 60

lives = st.builds(lambda name, seed: tell(load(name), seed, SHORT)[0], st.sampled_from(PEOPLE), st.integers(0, 10**6))


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(lives)
def test_causes_come_before_what_they_cause(life: Life) -> None:
    when = {event.id: event.at for event in life.events}
    assert all(when[event.cause] <= event.at for event in life.events if event.cause)
    assert all(event.at.date() <= TODAY for event in life.events)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(lives)
def test_sums_are_sums_of_their_lines(life: Life) -> None:
    for event in life.events:
        if event.kind in ("bill", "order.billed", "invoice", "offer"):
            lines = event.facts["lines"]
            assert isinstance(lines, list)
            assert round(sum(line["sum"] for line in lines), 2) == event.number("net")
            assert round(event.number("net") + event.number("tax"), 2) == event.number("total")


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(lives)
def test_everybody_who_writes_is_known(life: Life) -> None:
    known = {contact.name for contact in life.owner.contacts}
    for event in life.events:
        if event.kind == "message":
            assert event.text("other") in known
            assert event.text("other") not in event.names("copies")


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(PEOPLE), st.integers(0, 10**6))
def test_the_same_seed_tells_the_same_life(name: str, seed: int) -> None:
    assert tell(load(name), seed, SHORT)[0].events == tell(load(name), seed, SHORT)[0].events


def test_another_seed_tells_another_life() -> None:
    assert tell(load("nora"), 1, SHORT)[0].events != tell(load("nora"), 2, SHORT)[0].events


@given(st.sampled_from(PEOPLE), st.integers(0, 10**6), st.integers(50, 740))
def test_every_life_has_a_journey_within_it(name: str, seed: int, span: int) -> None:
    first = TODAY - timedelta(days=span)
    trips = plan_trips(load(name), seed, first, TODAY)
    assert trips
    assert all(first <= trip.start <= trip.end < TODAY for trip in trips)


def test_there_are_five_people_and_their_files_are_whole() -> None:
    assert set(names()) == set(PEOPLE)
    for name in PEOPLE:
        owner = load(name)
        known = {contact.name for contact in owner.contacts}
        assert {member for circle in owner.circles for member in (*circle.members, *circle.clients)} <= known
        assert {trip.town for trip in owner.trips} <= set(towns())
        assert all(contact.address.endswith(".example") for contact in (owner.contact, *owner.contacts))
        assert len({contact.address for contact in owner.contacts}) == len(owner.contacts)


def test_a_name_that_nobody_has_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownName) as caught:
        load("norra")
    assert "nora" in caught.value.remedy


@given(st.dates(min_value=TODAY - timedelta(days=900), max_value=TODAY))
def test_a_working_day_is_no_weekend_and_soon(day: date) -> None:
    found = working_day(day)
    assert found.weekday() < 5
    assert timedelta(0) <= found - day < timedelta(days=7)
