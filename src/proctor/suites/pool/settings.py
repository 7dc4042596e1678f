"""Subtasks on alarms and clocks in GNOME Clocks, and on shortcuts of the desktop."""

from __future__ import annotations

from collections.abc import Mapping

from proctor.suites.core.clocks import DIALOG, PLACES
from proctor.suites.pool.doing import closed, started
from proctor.tasks.call import Call
from proctor.tasks.checks import expect
from proctor.tasks.draw import Draw
from proctor.tasks.graph.resource import Resource
from proctor.tasks.graph.subtask import Bound, Subtask, Work
from proctor.tasks.graph.theme import Theme
from proctor.tasks.moves import hand
from proctor.tasks.probes import see
from proctor.tasks.task import NearMiss

CLOCKS = "Clocks"
PATIENCE = 40.0
"""Seconds: Clocks answers slowly about where its buttons are."""


class SetAnAlarm(Subtask):
    """An alarm with a name is set."""

    app = "gnome-clocks"
    gives = {"alarm": "setting"}
    asks = (
        "set an alarm named {alarm} for {time} in GNOME Clocks, not repeated",
        "add an alarm in GNOME Clocks with the name {alarm} that rings once, at {time}",
    )
    steps = ("Start GNOME Clocks and go to Alarms.", "Add an alarm for {time} named {alarm}.", "Close GNOME Clocks.")
    demand = "System/Personalization/System Settings"

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        what = draw.choice(("Leave for", "Call about", "Pack for", "Get ready for"))
        name = f"{what} {theme.title} {draw.randint(2, 99)}"
        # Later than anybody will still be at work on the task.
        time = f"{draw.randint(14, 21)}:{draw.choice((5, 15, 25, 35, 45, 55)):02d}"
        return Bound(gives={"alarm": Resource("setting", name, [time])}, params={"time": time})

    def work(self, bound: Bound) -> Work:
        alarm, time = bound.gives["alarm"], bound.params["time"]
        hour, minute = time.split(":")

        def added(hour: str, minute: str, button: str = "Add") -> tuple[Call, ...]:
            return (
                *started("gnome-clocks", CLOCKS),
                hand.click("Alarms", role="page tab", window=CLOCKS, timeout_sec=PATIENCE),
                hand.press("ctrl+n"),
                hand.await_window("New Alarm"),
                hand.type(hour),
                hand.press("Tab"),
                hand.type(minute),
                hand.click("Name", role="label", window="New Alarm", nth=0, timeout_sec=PATIENCE),
                hand.type(alarm.value),
                hand.click(f"/{button}/", role="push button", window="New Alarm", timeout_sec=PATIENCE),
                hand.await_window("New Alarm", gone=True),
            )

        return Work(
            moves=(*added(hour, minute), *closed(CLOCKS)),
            check=expect.alarm_set(see.alarms(), alarm.value, time),
            near_misses=(
                NearMiss(name="an hour early", moves=added(str(int(hour) - 1), minute)),
                NearMiss(name="cancelled", moves=added(hour, minute, "Cancel")),
            ),
        )


class AddAWorldClock(Subtask):
    """The clock of a city is added."""

    app = "gnome-clocks"
    gives = {"clock": "setting"}
    asks = (
        "add a world clock for the city {clock} in GNOME Clocks",
        "make GNOME Clocks show the time of the city {clock} among its world clocks",
    )
    steps = ("Start GNOME Clocks.", "Add a world clock for the city {clock}.", "Close GNOME Clocks.")
    demand = "System/Personalization/Profile"

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        city, country, station = draw.choice(PLACES)
        return Bound(gives={"clock": Resource("setting", f"{city}, {country}", [station])})

    def work(self, bound: Bound) -> Work:
        clock = bound.gives["clock"]
        city, country = clock.value.split(", ")
        other = next(place for place in PLACES[2:] if place[0] != city)

        def added(city: str, country: str, button: str = "Add") -> tuple[Call, ...]:
            return (
                *started("gnome-clocks", CLOCKS),
                hand.press("ctrl+n"),
                hand.await_window(DIALOG),
                hand.type(city),
                hand.click(country, role="label", window=DIALOG, timeout_sec=PATIENCE),
                hand.click(button, role="push button", window=DIALOG, nth=-1, timeout_sec=PATIENCE),
                hand.await_window(DIALOG, gone=True),
            )

        return Work(
            moves=(*added(city, country), *closed(CLOCKS)),
            check=expect.world_clock_has(see.world_clocks(), city, clock.content[0]),
            near_misses=(
                NearMiss(name="another city", moves=added(other[0], other[1])),
                NearMiss(name="cancelled", moves=added(city, country, "Cancel")),
            ),
        )
