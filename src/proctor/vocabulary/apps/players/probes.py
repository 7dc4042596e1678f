"""Probes that ask media players what they play and how they are set up."""

from __future__ import annotations

from typing import Literal

from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.apps.players.parse import player_state


@PROBES.register_with(player_state)
def player(context: ProbeContext, name: Literal["vlc", "rhythmbox"]) -> dict[str, object]:
    """What a running player plays: its state, the file and its title."""
    status, metadata = _ask_player(context, name, "PlaybackStatus"), _ask_player(context, name, "Metadata")
    return parsed(f"what {name} says", player_state, status, metadata, name)


def _ask_player(context: ProbeContext, name: str, what: str) -> str:
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
