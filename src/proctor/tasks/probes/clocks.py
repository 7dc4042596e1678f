"""Probes that look at the clocks of the world."""

from __future__ import annotations

import re
from typing import Any

from proctor.errors import CheckError
from proctor.tasks.scene import Scene
from proctor.tasks.shelves import PROBES

ALARM = re.compile(r"\{'name': <(?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\")>([^{}]*)\}")
PLACE = re.compile(r"\(uint32 2, <\((?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"), '(\w*)'")


@PROBES.register
def world_clocks(scene: Scene) -> dict[str, Any]:
    """The cities that GNOME Clocks shows the time of, in its order, each with the code of its weather station."""
    result = scene.computer.run(["timeout", "5", "gsettings", "get", "org.gnome.clocks", "world-clocks"])
    if result.code != 0:
        raise CheckError(f"the clocks of the world cannot be read: {result.stderr.strip()}")
    return {"path": "Clocks", "cities": clock_cities(result.stdout)}


@PROBES.register
def alarms(scene: Scene) -> dict[str, Any]:
    """The alarms of GNOME Clocks: name, time such as `07:45`, whether they ring at all, and on how many days a week."""
    result = scene.computer.run(["timeout", "5", "gsettings", "get", "org.gnome.clocks", "alarms"])
    if result.code != 0:
        raise CheckError(f"the alarms cannot be read: {result.stderr.strip()}")
    return {"path": "Clocks", "alarms": clock_alarms(result.stdout)}


def clock_alarms(text: str) -> list[dict[str, Any]]:
    """Return the alarms in the setting that holds them."""
    return [_alarm(re.sub(r"\\(.)", r"\1", one or other), rest) for one, other, rest in ALARM.findall(text)]


def _alarm(name: str, rest: str) -> dict[str, Any]:
    hour, minute = (re.search(rf"'{unit}': <(\d+)>", rest) for unit in ("hour", "minute"))
    days = re.search(r"'days': <(?:@ai )?\[([^\]]*)\]>", rest)
    return {
        "name": name,
        "time": f"{int(hour[1]):02d}:{int(minute[1]):02d}" if hour and minute else "",
        "active": "'active': <true>" in rest,
        "days": len(days[1].split(",")) if days and days[1].strip() else 0,
    }


def clock_cities(text: str) -> list[dict[str, str]]:
    """Return the cities in the setting that holds the clocks."""
    return [
        {"city": re.sub(r"\\(.)", r"\1", one or other), "station": station}
        for one, other, station in PLACE.findall(text)
    ]
