"""Setup steps for VLC."""

from __future__ import annotations

from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP

VLC_SETTINGS = """[core]
metadata-network-access=0
aout=adummy
[qt]
qt-privacy-ask=0
qt-updates-notif=0
qt-error-dialogs=0
"""


@SETUP.register_before_use
def vlc_at_hand(context: SetupContext) -> None:
    """Let VLC play without a sound card, and without complaining about it."""
    context.computer.write_file(".config/vlc/vlcrc", VLC_SETTINGS.encode())
