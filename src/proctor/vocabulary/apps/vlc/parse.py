"""Settings of VLC."""

from __future__ import annotations

import re


def vlc_pairs(data: bytes) -> dict[str, str]:
    """Return the settings in VLC's file that are set."""
    pairs = re.findall(r"^([a-z0-9-]+)=(.*)$", data.decode("utf-8", "replace"), re.MULTILINE)
    return {key: value.strip() for key, value in pairs}
