"""Probes that ask media players what they play and how they are set up."""

from __future__ import annotations

from typing import Any, Literal

from proctor.tasks.finding import CannotSee
from proctor.tasks.formats.players import playing, rhythmbox_list, rhythmbox_stars, vlc_pairs
from proctor.tasks.reader.client import parsed
from proctor.tasks.scene import Scene
from proctor.tasks.shelves import PROBES

VLC_SETTINGS = ".config/vlc/vlcrc"
RHYTHMBOX_LISTS = ".local/share/rhythmbox/playlists.xml"
RHYTHMBOX_LIBRARY = ".local/share/rhythmbox/rhythmdb.xml"


@PROBES.register
def player(scene: Scene, name: Literal["vlc", "rhythmbox"]) -> dict[str, Any]:
    """What a running player plays: its state, the file and its title."""
    status, metadata = _asked(scene, name, "PlaybackStatus"), _asked(scene, name, "Metadata")
    return parsed(f"what {name} says", playing, status, metadata, name)


@PROBES.register
def vlc_settings(scene: Scene) -> dict[str, Any]:
    """The settings of VLC that differ from how it comes."""
    data = scene.read(VLC_SETTINGS, most=2**20)
    return {"path": VLC_SETTINGS, "settings": parsed(VLC_SETTINGS, vlc_pairs, data)}


@PROBES.register
def rhythmbox_playlist(scene: Scene, name: str) -> dict[str, Any]:
    """The files on a list that was made in Rhythmbox, in order, by their full paths."""
    return parsed(RHYTHMBOX_LISTS, rhythmbox_list, scene.read(RHYTHMBOX_LISTS), RHYTHMBOX_LISTS, name)


@PROBES.register
def rhythmbox_ratings(scene: Scene) -> dict[str, Any]:
    """The stars that songs have in Rhythmbox, by the full paths of their files; songs without stars are left out."""
    ratings = parsed(RHYTHMBOX_LIBRARY, rhythmbox_stars, scene.read(RHYTHMBOX_LIBRARY), RHYTHMBOX_LIBRARY)
    return {"path": "the library of Rhythmbox", "ratings": ratings}


def _asked(scene: Scene, name: str, what: str) -> str:
    result = scene.run(
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
