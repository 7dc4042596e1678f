"""Checks on books, bookmarks, clocks of the world and the results of code."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, JsonValue

from proctor.tasks.finding import Finding, unless
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS

Page = Annotated[int, Field(ge=1)]


@CHECKS.register
def bookmarks_are(of: Seen, pages: list[Page]) -> Finding:
    """A document has bookmarks on exactly these pages, however they are titled."""
    held = [mark["page"] for mark in of["bookmarks"]]
    problems = [f"{of['path']} has no bookmark on page {page}." for page in pages if page not in held]
    problems += [f"{of['path']} should have no bookmark on page {page}." for page in held if page not in pages]
    return unless(problems)


@CHECKS.register
def bookmark_titled(of: Seen, page: Page, title: str) -> Finding:
    """The bookmark on a page has this title, whatever the case."""
    held = [mark["title"] for mark in of["bookmarks"] if mark["page"] == page]
    if not held:
        return unless([f"{of['path']} has no bookmark on page {page}."])
    same = any(each.casefold() == title.casefold() for each in held)
    return unless([] if same else [f"The bookmark on page {page} is called '{held[0]}', expected '{title}'."])


@CHECKS.register
def book_is(of: Seen, title: str | None = None, author: str | None = None, chapters: int | None = None) -> Finding:
    """An e-book has this title, this author and this many chapters, where given."""
    wanted = {"title": title, "author": author}
    problems = [
        f"The {name} of {of['path']} is '{of[name]}', expected '{value}'."
        for name, value in wanted.items()
        if value is not None and of[name].casefold() != value.casefold()
    ]
    if chapters is not None and len(of["chapters"]) != chapters:
        problems.append(f"{of['path']} has {len(of['chapters'])} chapters, expected {chapters}.")
    return unless(problems)


@CHECKS.register
def alarm_set(of: Seen, name: str, time: Annotated[str, Field(pattern=r"^\d\d:\d\d$")]) -> Finding:
    """There is exactly one alarm of this name; it is on, and rings once at this time, such as `07:45`."""
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


@CHECKS.register
def returns(of: Seen, values: list[JsonValue], tolerance: Annotated[float, Field(ge=0)] = 1e-6) -> Finding:
    """A function returns these values for its cases, in order; numbers may differ by the tolerance."""
    if len(values) != len(of["results"]):
        return unless([f"There are {len(of['results'])} results, expected {len(values)}."])
    problems = []
    for case, result, value in zip(of["cases"], of["results"], values, strict=True):
        call = f"{of['function']}({', '.join(map(repr, case))})"
        if "error" in result:
            problems.append(f"{call} fails with {result['error']}.")
        elif not _same(result["value"], value, tolerance):
            problems.append(f"{call} returns {result['value']!r}, expected {value!r}.")
    return unless(problems)


def _same(found: Any, wanted: Any, tolerance: float) -> bool:
    if isinstance(wanted, bool) or isinstance(found, bool):
        return found is wanted
    if isinstance(wanted, int | float) and isinstance(found, int | float):
        return abs(found - wanted) <= tolerance
    return bool(found == wanted)
