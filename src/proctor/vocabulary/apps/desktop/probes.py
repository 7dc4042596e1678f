"""Probes that look at the wallpaper, and at the text that can be read on pictures."""

from __future__ import annotations

import base64

from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.desktop.parse_settings import xfconf_value
from proctor.vocabulary.desktop.probes.screen import read_lines
from proctor.vocabulary.desktop.probes.state import xfconf
from proctor.vocabulary.formats.pictures.parse import describe
from proctor.vocabulary.formats.pictures.parse_measures import plain_pixels
from proctor.vocabulary.formats.visible import Look

BACKDROP = "/backdrop/screen0/monitorVNC-0/workspace0"
NONE = "0"
"""How a desktop says that it shows no picture."""


@PROBES.register_with(xfconf_value, describe)
def wallpaper(context: ProbeContext) -> Look:
    """The picture that is set as wallpaper, as `picture` returns it; absent if there is none."""
    if xfconf(context, "xfce4-desktop", f"{BACKDROP}/image-style")["value"] == NONE:
        raise CannotSee("absent", "the desktop shows no wallpaper")
    path = xfconf(context, "xfce4-desktop", f"{BACKDROP}/last-image")["value"]
    if not isinstance(path, str) or not path:
        raise CannotSee("absent", "the desktop shows no wallpaper")
    return parsed(path, describe, path, context.read(path), None)


@PROBES.register_with(plain_pixels)
def picture_text(context: ProbeContext, path: str) -> Look:
    """What can be read on a picture in a file, line by line, read like `screen_text`."""
    width, height, pixels = parsed(path, plain_pixels, path, context.read(path))
    return {"path": path, "lines": list(read_lines(base64.b64decode(pixels), (width, height)))}
