"""Settings of VLC."""

from __future__ import annotations

import re

from proctor.tasks.findings import PlainData
from proctor.vocabulary.desktop.parse_settings import settings_in


def vlc_pairs(data: bytes) -> dict[str, str]:
    """Return the settings in VLC's file that are set."""
    pairs = re.findall(r"^([a-z0-9-]+)=(.*)$", data.decode("utf-8", "replace"), re.MULTILINE)
    return {key: value.strip() for key, value in pairs}


def follow_vlc(seen: PlainData, _arguments: PlainData, model: PlainData) -> PlainData:
    """Return what `vlc_settings` would show where this is set."""
    held = settings_in(model, "/vlcrc")
    return {**seen, "settings": {name.rpartition("/")[2]: value for name, value in held.items()}}
