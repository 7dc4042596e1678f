"""Probes that look at how VLC is set up."""

from __future__ import annotations

from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.apps.vlc.parse import vlc_pairs

VLC_SETTINGS = ".config/vlc/vlcrc"


@PROBES.register_with(vlc_pairs, whole="settings")
def vlc_settings(context: ProbeContext) -> dict[str, object]:
    """The settings of VLC that differ from how it comes."""
    data = context.read(VLC_SETTINGS, most=2**20)
    return {"path": VLC_SETTINGS, "settings": parsed(VLC_SETTINGS, vlc_pairs, data)}
