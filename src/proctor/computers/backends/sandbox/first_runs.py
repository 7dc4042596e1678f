"""First-run questions, answered beforehand: tips, welcomes and privacy dialogs have no part in a task."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from proctor.computers.backends.sandbox.style import TEMPLATES
from proctor.home import HOME


@dataclass(frozen=True, kw_only=True, slots=True)
class Answers:
    """The answers for one application."""

    program: str
    """A file that tells whether an image has the application."""
    path: str
    """Where the application looks for them."""
    template: str
    """The file in `templates/` that holds them."""


ANSWERS = (
    Answers(
        program="/usr/bin/libreoffice",
        path=f"{HOME}/.config/libreoffice/4/user/registrymodifications.xcu",
        template="libreoffice.xcu",
    ),
    Answers(program="/usr/bin/chromium", path="/etc/chromium.d/proctor", template="chromium.sh"),
    # Otherwise it asks for ten seconds whether one wants to sign in, and takes that back by itself.
    Answers(program="/usr/bin/chromium", path="/etc/chromium/policies/managed/proctor.json", template="chromium.json"),
    Answers(program="/usr/bin/firefox-esr", path="/etc/firefox/policies/policies.json", template="firefox.json"),
    Answers(program="/usr/bin/vlc", path=f"{HOME}/.config/vlc/vlcrc", template="vlcrc"),
    # Without it a document opens in whichever program was installed last.
    Answers(program="/usr/bin/mousepad", path="/etc/xdg/mimeapps.list", template="mimeapps.list"),
)


def files(rootfs: Path) -> dict[str, bytes]:
    """Return the answers for the applications that an image has, by absolute path."""
    # Not `exists`: a link that is absolute inside leads elsewhere here.
    present = [each for each in ANSWERS if os.path.lexists(f"{rootfs}{each.program}")]
    return {each.path: (TEMPLATES / each.template).read_bytes() for each in present}
