"""Tasks on the clocks of the world in GNOME Clocks."""

from __future__ import annotations

import shlex

from proctor.suites.parts.ways import by_shell
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss, Way
from proctor.tasks.template import template
from proctor.vocabulary.apps.gnome_clocks.setup import City, clocks_setting

DIALOG = "Add a New World Clock"
# With the weather station by which Clocks tells places of the same name apart.
PLACES: tuple[tuple[City, str, str], ...] = (
    ("Melbourne", "Australia", "YMML"),
    ("Cairo", "Egypt", "HECA"),
    ("Auckland", "New Zealand", "NZAA"),
    ("Nairobi", "Kenya", "HKJK"),
    ("Toronto", "Canada", "CYTZ"),
    ("Oslo", "Norway", "ENGM"),
)


def add_clock(city: str, country: str, button: str = "Add") -> tuple[Call, ...]:
    """Look a city up and add its clock."""
    return (
        hand.press("ctrl+n"),
        hand.await_window(DIALOG),
        hand.type(city),
        hand.click(country, role="label", window=DIALOG),
        hand.click(button, role="push button", window=DIALOG, nth=-1),
        hand.await_window(DIALOG, gone=True),
    )


@template(apps=("gnome-clocks",), level=2, demand="System/Personalization/Profile")
def clock_of_a_friend(draw: Draw) -> Draft:
    """A world clock is added for the city a friend has moved to."""
    namesake = draw.random() < 0.5
    city, country, station = draw.choice(PLACES[:2] if namesake else PLACES[2:])
    other, land, code = draw.choice([place for place in PLACES[2:] if place[0] != city])
    friend = draw.person().split()[0]
    wrong = add_clock(city, "United States") if namesake else add_clock(*_third(draw, city, other))
    return Draft(
        instruction=f"{friend} has moved to {city}, {country}. Can you add a world clock for it in Clocks, so "
        "I know when I can call? Keep the one I have.",
        paraphrases=(f"In GNOME Clocks, add {city} ({country}) to the world clocks.",),
        setup=(make.world_clocks([other]), make.launch(["gnome-clocks"], window="Clocks")),
        check=expect.world_clocks_are(see.world_clocks(), {city: station, other: code}),
        solution=add_clock(city, country),
        near_misses=(
            NearMiss(name="another city", moves=wrong),
            NearMiss(name="cancelled", moves=add_clock(city, country, "Cancel")),
        ),
        other_ways=(
            _set("by the command line", [other, city]),
            _set("by the command line, the new one first", [city, other]),
        ),
        cheats=(
            _set("the other one taken away", [city]),
            _set("every city there is", [place[0] for place in PLACES]),
            _set("the one there is twice", [other, other]),
        ),
    )


def _set(name: str, cities: list[City]) -> Way:
    """Return a way that gives Clocks its cities by its setting."""
    return by_shell(name, f"gsettings set org.gnome.clocks world-clocks {shlex.quote(clocks_setting(cities))}")


def _third(draw: Draw, *used: str) -> tuple[str, str]:
    place = draw.choice([each for each in PLACES[2:] if each[0] not in used])
    return place[0], place[1]
