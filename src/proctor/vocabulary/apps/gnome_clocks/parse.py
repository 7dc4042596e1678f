"""Alarms and cities of GNOME Clocks, as the settings of the desktop hold them."""

from __future__ import annotations

import re

from proctor.tasks.findings import PlainData
from proctor.vocabulary.desktop.parse_settings import DATABASE, settings_in

_TEXT = r"(?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\")"
NAME = re.compile(rf"'name': <{_TEXT}>")
ALARM = re.compile(r"\{((?:[^{}'\"]|'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")*)\}")
"""What it holds may come in any order."""

PLACE = re.compile(r"\(uint32 2, <\((?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"), '(\w*)'")

MINUTES = ("snooze_minutes", "ring_minutes")


def clock_alarms(text: str) -> list[dict[str, object]]:
    """Return the alarms in the setting that holds them."""
    return [_alarm(held) for held in ALARM.findall(text) if NAME.search(held)]


def _alarm(held: str) -> dict[str, object]:
    found = NAME.search(held)
    assert found is not None, "only alarms with a name are read"
    name, rest = re.sub(r"\\(.)", r"\1", found[1] or found[2] or ""), NAME.sub("", held)
    hour, minute = (re.search(rf"'{unit}': <(\d+)>", rest) for unit in ("hour", "minute"))
    days = re.search(r"'days': <(?:@ai )?\[([^\]]*)\]>", rest)
    return {
        "name": name,
        "time": f"{int(hour[1]):02d}:{int(minute[1]):02d}" if hour and minute else "",
        "active": "'active': <true>" in rest,
        "days": len(days[1].split(",")) if days and days[1].strip() else 0,
        "on": sorted(day.strip() for day in days[1].split(",") if day.strip()) if days else [],
        **{key: int(told[1]) for key in MINUTES if (told := re.search(rf"'{key}': <(\d{{1,6}})>", rest))},
    }


def clock_cities(text: str) -> list[dict[str, str]]:
    """Return the cities in the setting that holds the clocks."""
    return [
        {"city": re.sub(r"\\(.)", r"\1", one or other), "station": station}
        for one, other, station in PLACE.findall(text)
    ]


def follow_alarms(seen: PlainData, _arguments: PlainData, model: PlainData) -> PlainData:
    """Return what `alarms` would show where this is set."""
    return {**seen, "alarms": clock_alarms(_set_to(model, "alarms"))}


def follow_cities(seen: PlainData, _arguments: PlainData, model: PlainData) -> PlainData:
    """Return what `world_clocks` would show where this is set."""
    return {**seen, "cities": clock_cities(_set_to(model, "world-clocks"))}


def _set_to(model: PlainData, key: str) -> str:
    return str(settings_in(model, DATABASE).get(f"/org/gnome/clocks/{key}", ""))
