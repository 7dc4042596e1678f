"""What media players keep and tell of themselves."""

from __future__ import annotations

import re
from urllib.parse import unquote


def player_state(status: str, metadata: str, name: str) -> dict[str, object]:
    """Return what a player says that it plays, from what its two properties print."""
    address = re.search(r"'xesam:url': <'((?:[^'\\]|\\.)*)'>", metadata)
    title = re.search(r"'xesam:title': <(?:'([^']*)'|\"([^\"]*)\")>", metadata)
    return {
        "player": name,
        "state": "".join(re.findall(r"Playing|Paused|Stopped", status)).lower(),
        "file": unquote(address[1]).removeprefix("file://") if address else "",
        "title": (title[1] or title[2] or "") if title else "",
    }


def playback(status: object, metadata: object, name: str) -> dict[str, object]:
    """Return what a player says that it plays, from its two properties as D-Bus gives them."""
    held = {key: getattr(value, "value", None) for key, value in metadata.items()} if isinstance(metadata, dict) else {}
    address, title = held.get("xesam:url"), held.get("xesam:title")
    return {
        "player": name,
        "state": status.lower() if status in ("Playing", "Paused", "Stopped") and isinstance(status, str) else "",
        "file": unquote(address).removeprefix("file://") if isinstance(address, str) else "",
        "title": title if isinstance(title, str) else "",
    }
