"""Probes that look at what the desktop shows behind all windows."""

from __future__ import annotations

from typing import Any

from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.desktop.parse_settings import xfconf_value
from proctor.vocabulary.desktop.probes.state import xfconf
from proctor.vocabulary.formats.pictures.parse import describe

BACKDROP = "/backdrop/screen0/monitorVNC-0/workspace0"
NONE = "0"
"""How a desktop says that it shows no picture."""


@PROBES.register_with(xfconf_value, describe)
def wallpaper(context: ProbeContext) -> dict[str, Any]:
    """The picture that is set as wallpaper, as `picture` tells it; absent where none is shown."""
    if xfconf(context, "xfce4-desktop", f"{BACKDROP}/image-style")["value"] == NONE:
        raise CannotSee("absent", "the desktop shows no wallpaper")
    path = xfconf(context, "xfce4-desktop", f"{BACKDROP}/last-image")["value"]
    if not isinstance(path, str) or not path:
        raise CannotSee("absent", "the desktop shows no wallpaper")
    return parsed(path, describe, path, context.read(path), None)
