"""Probes that ask media players what they play and how they are set up."""

from __future__ import annotations

from typing import Literal

from proctor.errors import ComputerError, ComputerLost, HostError
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.apps.players.parse import playback, player_state
from proctor.vocabulary.desktop.probes.state import teller_path

OBJECT, INTERFACE = "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Player"


@PROBES.register_live(player_state)
def player(context: ProbeContext, name: Literal["vlc", "rhythmbox"]) -> dict[str, object]:
    """What a running player is playing: its state, the file and its title.

    It counts only when the player's own program says so, where the computer can tell.
    """
    if context.computer.parts.programs is None:
        says = _ask_player(context, name, "PlaybackStatus")
        return parsed(f"what {name} says", player_state, says, _ask_player(context, name, "Metadata"), name)
    try:
        found, teller = context.computer.parts.programs.bus_values(
            f"org.mpris.MediaPlayer2.{name}", OBJECT, INTERFACE, "PlaybackStatus", "Metadata"
        )
    except (ComputerLost, HostError):
        raise
    except ComputerError as error:
        raise CannotSee("unreadable", f"{name} cannot be asked: {error.message}") from error
    if teller is None:
        raise CannotSee("absent", f"{name} is not running")
    if not (teller.of_image and teller.agents and teller.path == f"/usr/bin/{name}"):
        raise CannotSee("refused", f"what answers as {name} is {teller.path}")
    status, metadata = found
    return {**playback(status, metadata, name), "live": teller_path(teller)}


def _ask_player(context: ProbeContext, name: str, what: str) -> str:
    result = context.run(
        [
            "gdbus", "call", "--session", "--dest", f"org.mpris.MediaPlayer2.{name}",
            "--object-path", OBJECT, "--method", "org.freedesktop.DBus.Properties.Get",
            INTERFACE, what,
        ],
        timeout_sec=10,
    )  # fmt: skip
    if result.code != 0:
        raise CannotSee("absent", f"{name} is not running")
    return result.stdout
