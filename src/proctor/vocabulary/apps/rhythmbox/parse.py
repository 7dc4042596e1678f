"""Lists and ratings of Rhythmbox."""

from __future__ import annotations

import math
from urllib.parse import unquote
from xml.etree import ElementTree

from proctor.tasks.findings import CannotSee, PlainData
from proctor.vocabulary.formats.guarded_xml import parse_xml

RULES = ("conjunction", "disjunction")
KEPT = ("song", "iradio", "podcast-feed")
VOLATILE = frozenset(
    {"play-count", "last-played", "first-seen", "last-seen", "mtime", "file-size", "mountpoint", "hidden", "media-type",
     "bitrate", "replaygain-track-gain", "replaygain-track-peak", "status", "post-time", "lastpost-time", "duration"}
)  # fmt: skip
"""What changes by playing a song, or by looking at its file again."""
MOST_RULE = 4_000


def rhythmbox_list(data: bytes, path: str, name: str) -> dict[str, object]:
    """Return the files on one of Rhythmbox's lists."""
    lists = parse_xml(data, path).iter("playlist")
    found = [each for each in lists if each.get("name") == name and each.get("type") == "static"]
    if not found:
        raise CannotSee("absent", f"Rhythmbox has no play list {name!r}")
    if len(found) > 1:
        raise CannotSee("refused", f"Rhythmbox has {len(found)} play lists {name!r}, of which one is meant")
    files = [_file(place.text) for place in found[0].iter("location")]
    return {"path": f"the play list {name!r}", "files": files}


def rhythmbox_lists(data: bytes, path: str) -> list[dict[str, object]]:
    """Return every list of Rhythmbox: its kind, its files in order, and its rules."""
    return [
        {
            "name": each.get("name", ""),
            "kind": each.get("type", ""),
            "files": [_file(place.text) for place in each.iter("location")],
            "rules": [ElementTree.tostring(part, "unicode").strip()[:MOST_RULE] for part in each if part.tag in RULES],
            "sorted": [each.get(key, "") for key in ("sort-key", "sort-direction", "limit", "limit-count")],
        }
        for each in parse_xml(data, path).iter("playlist")
    ]


OF_ITS_OWN = {"My Top Rated", "Play Queue", "Recently Added", "Recently Played"}
"""Lists that Rhythmbox makes when it first runs."""


def rhythmbox_made(data: bytes, path: str) -> list[dict[str, object]]:
    """Return every list of Rhythmbox that somebody made."""
    every = rhythmbox_lists(data, path)
    return [each for each in every if each["kind"] == "static" or each["files"] or each["name"] not in OF_ITS_OWN]


def follow_list(seen: PlainData, arguments: PlainData, model: PlainData) -> PlainData:
    """Return what `rhythmbox_playlist` would show where Rhythmbox has these lists."""
    files = (each["files"] for each in model["lists"] if each["name"] == arguments["name"])
    return {**seen, "files": next(files, [])}


def rhythmbox_songs(data: bytes, path: str) -> list[dict[str, str]]:
    """Return what Rhythmbox has in its library, without how often and when it was played."""
    found = []
    for entry in parse_xml(data, path).iter("entry"):
        if entry.get("type") in KEPT:
            told = {part.tag: (part.text or "").strip() for part in entry if part.tag not in VOLATILE}
            address = told.pop("location", "")
            found.append({"path": _file(address), "kind": entry.get("type", ""), **told})
    return found


def _file(address: str | None) -> str:
    return unquote((address or "").removeprefix("file://"))


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
            ratings[_file(entry.findtext("location"))] = stars
    return ratings
