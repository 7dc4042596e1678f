"""Setup steps that open and close Rhythmbox."""

from __future__ import annotations

from proctor.computers.computer import Computer
from proctor.tasks.shelves import SETUP
from proctor.tasks.stage import Stage


@SETUP.register
def open_rhythmbox(stage: Stage, songs: int) -> None:
    """Open Rhythmbox and wait until it has found this many songs in the Music folder."""
    stage.computer.launch(["rhythmbox"], window="Rhythmbox", timeout_sec=60)
    count = stage.computer.locate(name=f"{songs} song", app="rhythmbox", role="label")
    busy = stage.computer.locate(name="Adding tracks", app="rhythmbox", role="label")
    stage.computer.wait_for(
        lambda _: count.exists and not busy.exists, what=f"Rhythmbox with {songs} songs", timeout_sec=60
    )
    stage.computer.settle()


@SETUP.register
def quit_rhythmbox(stage: Stage) -> None:
    """Have Rhythmbox end and write down everything, where it still runs."""

    def ended(computer: Computer) -> bool:
        return computer.run(["pgrep", "-x", "rhythmbox"]).code != 0

    if not ended(stage.computer):
        stage.command(["rhythmbox-client", "--quit"])
        stage.computer.wait_for(ended, what="the end of Rhythmbox", timeout_sec=20)
