"""Probes that ask media players what they play and how they are set up."""

from __future__ import annotations

import re
from typing import Any, Literal
from urllib.parse import unquote
from xml.etree import ElementTree

from proctor.tasks.finding import CannotSee
from proctor.tasks.scene import Scene
from proctor.tasks.shelves import PROBES

VLC_SETTINGS = ".config/vlc/vlcrc"
RHYTHMBOX_LISTS = ".local/share/rhythmbox/playlists.xml"
RHYTHMBOX_LIBRARY = ".local/share/rhythmbox/rhythmdb.xml"


@PROBES.register
def player(scene: Scene, name: Literal["vlc", "rhythmbox"]) -> dict[str, Any]:
    """What a running player plays: its state, the file and its title."""
    status = _asked(scene, name, "PlaybackStatus")
    metadata = _asked(scene, name, "Metadata")
    address = re.search(r"'xesam:url': <'((?:[^'\\]|\\.)*)'>", metadata)
    title = re.search(r"'xesam:title': <(?:'([^']*)'|\"([^\"]*)\")>", metadata)
    return {
        "player": name,
        "state": "".join(re.findall(r"Playing|Paused|Stopped", status)).lower(),
        "file": unquote(address[1]).removeprefix("file://") if address else "",
        "title": (title[1] or title[2] or "") if title else "",
    }


@PROBES.register
def vlc_settings(scene: Scene) -> dict[str, Any]:
    """The settings of VLC that differ from how it comes."""
    text = scene.read(VLC_SETTINGS, most=2**20).decode("utf-8", "replace")
    pairs = re.findall(r"^([a-z0-9-]+)=(.*)$", text, re.MULTILINE)
    return {"path": VLC_SETTINGS, "settings": {key: value.strip() for key, value in pairs}}


@PROBES.register
def rhythmbox_playlist(scene: Scene, name: str) -> dict[str, Any]:
    """The files on a list that was made in Rhythmbox, in order, by their full paths."""
    root = _xml(scene, RHYTHMBOX_LISTS)
    found = [each for each in root.iter("playlist") if each.get("name") == name and each.get("type") == "static"]
    if not found:
        raise CannotSee("absent", f"Rhythmbox has no play list {name!r}")
    files = [unquote((place.text or "").removeprefix("file://")) for place in found[0].iter("location")]
    return {"path": f"the play list {name!r}", "files": files}


@PROBES.register
def rhythmbox_ratings(scene: Scene) -> dict[str, Any]:
    """The stars that songs have in Rhythmbox, by the full paths of their files; songs without stars are left out."""
    ratings: dict[str, float] = {}
    for entry in _xml(scene, RHYTHMBOX_LIBRARY).iter("entry"):
        stars = entry.findtext("rating")
        if stars and entry.get("type") == "song":
            ratings[unquote((entry.findtext("location") or "").removeprefix("file://"))] = float(stars)
    return {"path": "the library of Rhythmbox", "ratings": ratings}


def _asked(scene: Scene, name: str, what: str) -> str:
    result = scene.computer.run(
        [
            "gdbus", "call", "--session", "--dest", f"org.mpris.MediaPlayer2.{name}",
            "--object-path", "/org/mpris/MediaPlayer2", "--method", "org.freedesktop.DBus.Properties.Get",
            "org.mpris.MediaPlayer2.Player", what,
        ],
        timeout_sec=10,
    )  # fmt: skip
    if result.code != 0:
        raise CannotSee("absent", f"{name} is not running")
    return result.stdout


def _xml(scene: Scene, path: str) -> ElementTree.Element:
    data = scene.read(path)
    if b"<!ENTITY" in data:
        raise CannotSee("refused", f"{path} declares entities")
    try:
        return ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        raise CannotSee("unreadable", f"{path} is not well-formed XML: {error}") from error
