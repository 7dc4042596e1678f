"""Subtasks on alarms in GNOME Clocks."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import ClassVar

from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.subtask import Bound, Subtask, Work
from proctor.graphs.compose.theme import Theme
from proctor.suites.parts.programs import close_window, lines_of, start_program
from proctor.suites.parts.ways import by_shell
from proctor.suites.pool.notes import READING, plain_lines, read_text
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import NearMiss, Way

CLOCKS = "Clocks"
PATIENCE = 40.0
"""Seconds: Clocks answers slowly about where its buttons are."""


class SetAnAlarm(Subtask):
    """An alarm is set whose name says what a text is about."""

    app = "gnome-clocks"
    takes = {"source": "text_file"}
    gives = {"alarm": "setting"}
    asks = (
        "set a non-repeating alarm for {time} in GNOME Clocks with the name {alarm} followed by a space and "
        "the first line of {source}",
        "add a one-time alarm at {time} in GNOME Clocks, named {alarm} plus a space and the first line of {source}",
    )
    brief = "set a GNOME Clocks alarm for {time} named {alarm} plus a space and the first line of {source}"
    steps: ClassVar[tuple[str, ...]] = (
        "Open {source} in Mousepad and read its first line.",
        "Start GNOME Clocks and go to Alarms.",
        "Add an alarm for {time} whose name is {alarm}, a space and that line.",
        "Close GNOME Clocks.",
    )
    demand = "System/Personalization/System Settings"
    version = 2

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        first, *_ = plain_lines(lines_of(takes["source"]))
        alarm = f"{draw.choice(('Leave', 'Call', 'Pack', 'Check'))} {draw.randint(2, 99)}"
        if theme.part:
            alarm = f"{theme.matter[:1].upper()}{theme.matter[1:]}"
        # Later than anybody will still be at work on the task.
        time = f"{draw.randint(14, 21)}:{draw.choice((5, 15, 25, 35, 45, 55)):02d}"
        setting = Resource("setting", alarm, [f"{alarm} {first}", time])
        return Bound(takes=takes, gives={"alarm": setting}, params={"time": time})

    def work(self, bound: Bound) -> Work:
        alarm, time = bound.gives["alarm"], bound.params["time"]
        hour, minute = time.split(":")
        name = alarm.content[0]

        def add_alarm(hour: str, minute: str, name: str) -> tuple[Call, ...]:
            return (
                *start_program("gnome-clocks", CLOCKS),
                hand.await_element("Alarms", role="label", window=CLOCKS, timeout_sec=PATIENCE),
                # By its key: what lies under the pointer there is told apart wrongly.
                hand.press("alt+2"),
                hand.press("ctrl+n"),
                hand.await_window("New Alarm"),
                hand.type(hour),
                hand.press("Tab"),
                hand.type(minute),
                hand.click("Name", role="label", window="New Alarm", nth=0, timeout_sec=PATIENCE),
                hand.type(name),
                hand.click("/Add/", role="push button", window="New Alarm", timeout_sec=PATIENCE),
                hand.await_window("New Alarm", gone=True),
            )

        reading = read_text(bound.takes["source"]) if "source" in bound.takes else ()
        tempting = alarm.value if alarm.value != name else name.rpartition(" ")[0] or "Alarm"
        return Work(
            moves=(*reading, *add_alarm(hour, minute, name), *close_window(CLOCKS)),
            check=expect.alarm_set(see.alarms(), name, time),
            near_misses=(
                NearMiss(name="an hour early", moves=add_alarm(str(int(hour) - 1), minute, name)),
                NearMiss(name="with half of its name", moves=add_alarm(hour, minute, tempting)),
            ),
            other_ways=(
                _set("by the command line", _alarm(name, time)),
                _set(
                    "by the command line, beside another one", _alarm("Tea", "16:01"), _alarm(name, time, first="hour")
                ),
            ),
            cheats=(
                _set("every hour", *(_alarm(name, f"{each:02d}:{minute}") for each in range(24))),
                _set("switched off", _alarm(name, time, active="false")),
                _set("every day", _alarm(name, time, days="[1, 2, 3, 4, 5, 6, 7]")),
                _set("the time in its name", _alarm(f"{name} {time}", "07:00")),
            ),
            expected=READING,
        )


class SetAPlainAlarm(SetAnAlarm):
    """An alarm is set whose time and name are told."""

    version = 1
    takes = {}
    asks = (
        "set a non-repeating alarm for {time} in GNOME Clocks with the name {alarm}",
        "add a one-time alarm at {time} in GNOME Clocks, named {alarm}",
    )
    brief = "set a GNOME Clocks alarm for {time} named {alarm}"
    steps = (
        "Start GNOME Clocks and go to Alarms.",
        "Add an alarm for {time} whose name is {alarm}.",
        "Close GNOME Clocks.",
    )

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        line = theme.remark(draw, ("Leave for {place}", "Call {person}", "Check the oven", "Fetch the parcel"), "alarm")
        time = f"{draw.randint(14, 21)}:{draw.choice((5, 15, 25, 35, 45, 55)):02d}"
        return Bound(gives={"alarm": Resource("setting", line, [line, time])}, params={"time": time})


def _set(name: str, *alarms: str) -> Way:
    """Return a way that gives Clocks its alarms by its setting."""
    return by_shell(name, f"gsettings set org.gnome.clocks alarms {shlex.quote(f'[{chr(44).join(alarms)}]')}")


def _alarm(name: str, time: str, *, active: str = "true", days: str = "@ai []", first: str = "name") -> str:
    """Return an alarm as the setting holds it; what comes first in it does not matter."""
    hour, minute = map(int, time.split(":"))
    held = {
        "name": json.dumps(name),
        "id": f"'{name.encode().hex()[:16]}{hour:02d}{minute:02d}'",
        "active": active,
        "hour": str(hour),
        "minute": str(minute),
        "days": days,
        "snooze_minutes": "10",
        "ring_minutes": "5",
    }
    ordered = {first: held[first], **held}
    return "{" + ", ".join(f"'{key}': <{value}>" for key, value in ordered.items()) + "}"
