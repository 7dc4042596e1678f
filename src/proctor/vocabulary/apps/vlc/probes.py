"""Probes that look at how VLC is set up."""

from __future__ import annotations

from collections.abc import Mapping

from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelf import Follows
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.apps.vlc.parse import follow_vlc, vlc_pairs

VLC_SETTINGS = ".config/vlc/vlcrc"


def _of_vlc(_given: Mapping[str, object]) -> dict[str, object]:
    return {"app": "vlc"}


@PROBES.register_with(vlc_pairs, follows=Follows("application_settings", follow_vlc, _of_vlc))
def vlc_settings(context: ProbeContext) -> dict[str, object]:
    """The settings of VLC that differ from its defaults."""
    data = context.read(VLC_SETTINGS, most=2**20)
    return {"path": VLC_SETTINGS, "settings": parsed(VLC_SETTINGS, vlc_pairs, data)}
