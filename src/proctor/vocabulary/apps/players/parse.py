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
