"""What media players keep and tell of themselves."""

from __future__ import annotations

import math
import re
from typing import Any
from urllib.parse import unquote

from proctor.tasks.finding import CannotSee
from proctor.tasks.guard import parse_xml


def playing(status: str, metadata: str, name: str) -> dict[str, Any]:
    """Return what a player says that it plays, from what its two properties print."""
    address = re.search(r"'xesam:url': <'((?:[^'\\]|\\.)*)'>", metadata)
    title = re.search(r"'xesam:title': <(?:'([^']*)'|\"([^\"]*)\")>", metadata)
    return {
        "player": name,
        "state": "".join(re.findall(r"Playing|Paused|Stopped", status)).lower(),
        "file": unquote(address[1]).removeprefix("file://") if address else "",
        "title": (title[1] or title[2] or "") if title else "",
    }


def vlc_pairs(data: bytes) -> dict[str, str]:
    """Return the settings in VLC's file that are set."""
    pairs = re.findall(r"^([a-z0-9-]+)=(.*)$", data.decode("utf-8", "replace"), re.MULTILINE)
    return {key: value.strip() for key, value in pairs}


def rhythmbox_list(data: bytes, path: str, name: str) -> dict[str, Any]:
    """Return the files on one of Rhythmbox's lists."""
    lists = parse_xml(data, path).iter("playlist")
    found = [each for each in lists if each.get("name") == name and each.get("type") == "static"]
    if not found:
        raise CannotSee("absent", f"Rhythmbox has no play list {name!r}")
    files = [unquote((place.text or "").removeprefix("file://")) for place in found[0].iter("location")]
    return {"path": f"the play list {name!r}", "files": files}


def rhythmbox_stars(data: bytes, path: str) -> dict[str, float]:
    """Return the stars of the songs in Rhythmbox's library, by the full paths of their files."""
    ratings: dict[str, float] = {}
    for entry in parse_xml(data, path).iter("entry"):
        said = entry.findtext("rating")
        if said and entry.get("type") == "song":
            try:
                stars = float(said)
            except ValueError as error:
                raise CannotSee("unreadable", f"{path} rates a song with {said[:40]!r}") from error
            if not math.isfinite(stars):
                raise CannotSee("unreadable", f"{path} rates a song with {said[:40]!r}")
            ratings[unquote((entry.findtext("location") or "").removeprefix("file://"))] = stars
    return ratings
