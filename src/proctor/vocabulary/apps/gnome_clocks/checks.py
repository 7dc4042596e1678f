"""Checks on alarms and the clocks of the world."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from proctor.tasks.findings import Finding, unless
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS


@CHECKS.register
def alarm_set(of: Seen, name: str, time: Annotated[str, Field(pattern=r"^\d\d:\d\d$")]) -> Finding:
    """There is exactly one alarm of this name; it is on, and rings once at a time like `07:45`."""
    found = [alarm for alarm in of["alarms"] if alarm["name"].strip().casefold() == name.casefold()]
    problems = [] if len(found) == 1 else [f"There are {len(found)} alarms '{name}', expected one."]
    for alarm in found if not problems else ():
        problems += [f"The alarm '{name}' is set to {alarm['time']}, expected {time}."] * (alarm["time"] != time)
        problems += [f"The alarm '{name}' is off."] * (not alarm["active"])
        problems += [f"The alarm '{name}' is repeated."] * bool(alarm["days"])
    return unless(problems)


@CHECKS.register
def world_clocks_are(of: Seen, cities: dict[str, str]) -> Finding:
    """The clocks show the time of exactly these cities, in any order.

    Each has the code of its weather station, which tells cities of the same name apart; empty where it does not matter.
    """
    problems = _clock_problems(of, cities)
    wanted = [city.casefold() for city in cities]
    for held in of["cities"]:
        if held["city"].casefold() not in wanted:
            problems.append(f"There should be no clock for {held['city']}.")
    return unless(problems)


@CHECKS.register
def world_clock_has(of: Seen, city: str, station: str = "") -> Finding:
    """There is a clock for this city, whatever others there are."""
    return unless(_clock_problems(of, {city: station}))


def _clock_problems(of: Any, cities: dict[str, str]) -> list[str]:
    problems = []
    for city, station in cities.items():
        found = [held["station"] for held in of["cities"] if held["city"].casefold() == city.casefold()]
        if not found:
            problems.append(f"There is no clock for {city}.")
        elif station and found != [station]:
            problems.append(f"The clock for {city} is for another place of that name: {', '.join(found)}.")
    return problems
