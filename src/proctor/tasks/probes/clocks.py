"""Probes that look at the clocks of the world."""

from __future__ import annotations

import re
from typing import Any

from proctor.errors import CheckError
from proctor.tasks.scene import Scene
from proctor.tasks.shelves import PROBES

PLACE = re.compile(r"\(uint32 2, <\((?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"), '(\w*)'")


@PROBES.register
def world_clocks(scene: Scene) -> dict[str, Any]:
    """The cities that GNOME Clocks shows the time of, in its order, each with the code of its weather station."""
    result = scene.computer.run(["timeout", "5", "gsettings", "get", "org.gnome.clocks", "world-clocks"])
    if result.code != 0:
        raise CheckError(f"the clocks of the world cannot be read: {result.stderr.strip()}")
    return {"path": "Clocks", "cities": clock_cities(result.stdout)}


def clock_cities(text: str) -> list[dict[str, str]]:
    """Return the cities in the setting that holds the clocks."""
    return [
        {"city": re.sub(r"\\(.)", r"\1", one or other), "station": station}
        for one, other, station in PLACE.findall(text)
    ]
