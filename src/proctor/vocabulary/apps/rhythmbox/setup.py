"""Setup steps that open and close Rhythmbox."""

from __future__ import annotations

from proctor.computers.computer import Computer
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP


@SETUP.register_before_use
def open_rhythmbox(context: SetupContext, songs: int) -> None:
    """Open Rhythmbox and wait until it has found this many songs in the Music folder."""
    context.computer.launch(["rhythmbox"], window="Rhythmbox", timeout_sec=60)
    count = context.computer.locate(name=f"{songs} song", app="rhythmbox", role="label")
    busy = context.computer.locate(name="Adding tracks", app="rhythmbox", role="label")
    context.computer.wait_for(
        lambda _: count.exists and not busy.exists, what=f"Rhythmbox with {songs} songs", timeout_sec=60
    )
    context.computer.settle()


@SETUP.register
def quit_rhythmbox(context: SetupContext) -> None:
    """End Rhythmbox, if it is still running, so that it saves everything."""

    def has_ended(computer: Computer) -> bool:
        return computer.run(["pgrep", "-x", "rhythmbox"]).code != 0

    if not has_ended(context.computer):
        context.command(["rhythmbox-client", "--quit"])
        context.computer.wait_for(has_ended, what="the end of Rhythmbox", timeout_sec=20)
