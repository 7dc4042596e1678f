"""Probes that ask media players what they play and how they are set up."""

from __future__ import annotations

from typing import Any, Literal

from proctor.apps.players.reading import playing
from proctor.tasks.finding import CannotSee
from proctor.tasks.reader.client import parsed
from proctor.tasks.scene import Scene
from proctor.tasks.shelves import PROBES


@PROBES.register
def player(scene: Scene, name: Literal["vlc", "rhythmbox"]) -> dict[str, Any]:
    """What a running player plays: its state, the file and its title."""
    status, metadata = _asked(scene, name, "PlaybackStatus"), _asked(scene, name, "Metadata")
    return parsed(f"what {name} says", playing, status, metadata, name)


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
