"""Probes that ask media players what they play and how they are set up."""

from __future__ import annotations

from typing import Any, Literal

from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.apps.players.parse import playing


@PROBES.register_with(playing)
def player(context: ProbeContext, name: Literal["vlc", "rhythmbox"]) -> dict[str, Any]:
    """What a running player plays: its state, the file and its title."""
    status, metadata = _asked(context, name, "PlaybackStatus"), _asked(context, name, "Metadata")
    return parsed(f"what {name} says", playing, status, metadata, name)


def _asked(context: ProbeContext, name: str, what: str) -> str:
    result = context.run(
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
