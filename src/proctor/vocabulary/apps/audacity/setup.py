"""Setup steps for Audacity: started without questions and without its slow search for effects."""

from __future__ import annotations

from pathlib import PurePosixPath

from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP

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


@SETUP.register_before_use
def audacity_at_hand(context: SetupContext) -> None:
    """Make Audacity start at once, without questions and without its effects written in Lisp."""
    context.command(["mv", AUDACITY_PLUGINS, f"{AUDACITY_PLUGINS}.away"], root=True)
    context.computer.write_file(".config/audacity/audacity.cfg", AUDACITY_SETTINGS.encode())


@SETUP.register
def open_in_audacity(context: SetupContext, path: str) -> None:
    """Open a recording in Audacity without its Lisp effects, each of which takes it a minute to test."""
    audacity_at_hand(context)
    context.computer.launch(["audacity", path], window=PurePosixPath(path).stem, timeout_sec=120)
