"""Probes that look at the clocks of the world."""

from __future__ import annotations

from collections.abc import Mapping

from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelf import Follows
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.apps.gnome_clocks.parse import clock_alarms, clock_cities, follow_alarms, follow_cities
from proctor.vocabulary.desktop.parse_settings import gsettings_value
from proctor.vocabulary.desktop.probes.state import read_setting


def _of_clocks(_given: Mapping[str, object]) -> dict[str, object]:
    return {"app": "gnome-clocks"}


@PROBES.register_with(clock_cities, gsettings_value, follows=Follows("application_settings", follow_cities, _of_clocks))
def world_clocks(context: ProbeContext) -> dict[str, object]:
    """The cities that GNOME Clocks shows, in its order, each with the code of its weather station."""
    return {"path": "Clocks", "cities": parsed("Clocks", clock_cities, _read_setting(context, "world-clocks"))}


@PROBES.register_with(clock_alarms, gsettings_value, follows=Follows("application_settings", follow_alarms, _of_clocks))
def alarms(context: ProbeContext) -> dict[str, object]:
    """The alarms of GNOME Clocks: name, time such as `07:45`, whether they are on, days of the week."""
    return {"path": "Clocks", "alarms": parsed("Clocks", clock_alarms, _read_setting(context, "alarms"))}


def _read_setting(context: ProbeContext, key: str) -> str:
    return read_setting(context, "org.gnome.clocks", key)
