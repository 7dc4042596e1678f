"""Setup steps that open applications for pictures and sound, past what they ask or search at their first start."""

from __future__ import annotations

from pathlib import PurePosixPath

from proctor.computers.computer import Computer
from proctor.home import absolute
from proctor.tasks.shelves import SETUP
from proctor.tasks.stage import Stage

DRAWING_SETTINGS = {"last-version": "'1.0.2'", "maximized": "true", "show-labels": "true"}
AUDACITY_SETTINGS = """NewPrefsInitialized=1
PrefsVersion=1.1.1r1
[GUI]
ShowSplashScreen=0
[Version]
Major=3
Minor=2
Micro=4
"""
AUDACITY_PLUGINS = "/usr/share/audacity/plug-ins"
VLC_SETTINGS = """[core]
metadata-network-access=0
aout=adummy
[qt]
qt-privacy-ask=0
qt-updates-notif=0
qt-error-dialogs=0
"""


@SETUP.register
def open_in_drawing(stage: Stage, path: str) -> None:
    """Open a picture in Drawing, maximised, with the names of its tools."""
    for key, value in DRAWING_SETTINGS.items():
        stage.command(["gsettings", "set", "com.github.maoschanz.drawing", key, value])
    stage.computer.launch(["drawing", path], window="Drawing", timeout_sec=60)


@SETUP.register
def audacity_at_hand(stage: Stage) -> None:
    """Have Audacity start at once and without questions; its effects written in Lisp are put away."""
    stage.command(["mv", AUDACITY_PLUGINS, f"{AUDACITY_PLUGINS}.away"], root=True)
    stage.computer.write_file(".config/audacity/audacity.cfg", AUDACITY_SETTINGS.encode())


@SETUP.register
def vlc_at_hand(stage: Stage) -> None:
    """Have VLC play without a sound card, and without complaining of that."""
    stage.computer.write_file(".config/vlc/vlcrc", VLC_SETTINGS.encode())


@SETUP.register
def open_in_audacity(stage: Stage, path: str) -> None:
    """Open a recording in Audacity; its effects written in Lisp are put away, because it tries each for a minute."""
    audacity_at_hand(stage)
    stage.computer.launch(["audacity", path], window=PurePosixPath(path).stem, timeout_sec=120)


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


@SETUP.register
def writing_ended(stage: Stage, path: str) -> None:
    """Wait until no application holds a file open any more, as after an export that goes on for a while."""
    holders = ["find", "/proc", "-mindepth", "3", "-maxdepth", "3", "-path", "*/fd/*", "-lname", absolute(path)]

    def closed(computer: Computer) -> bool:
        # Processes that end meanwhile make it complain; what it printed is what counts.
        return not computer.run(holders, root=True).stdout.strip()

    stage.computer.wait_for(closed, what=f"the end of writing {path}", timeout_sec=30)
