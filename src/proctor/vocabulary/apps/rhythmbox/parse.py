"""Lists and ratings of Rhythmbox."""

from __future__ import annotations

import math
from urllib.parse import unquote

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.guarded_xml import parse_xml


def rhythmbox_list(data: bytes, path: str, name: str) -> dict[str, object]:
    """Return the files on one of Rhythmbox's lists."""
    lists = parse_xml(data, path).iter("playlist")
    found = [each for each in lists if each.get("name") == name and each.get("type") == "static"]
    if not found:
        raise CannotSee("absent", f"Rhythmbox has no play list {name!r}")
    if len(found) > 1:
        raise CannotSee("refused", f"Rhythmbox has {len(found)} play lists {name!r}, of which one is meant")
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
