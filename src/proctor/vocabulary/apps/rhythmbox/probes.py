"""Probes that look at the lists and ratings of Rhythmbox."""

from __future__ import annotations

from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.apps.rhythmbox.parse import rhythmbox_list, rhythmbox_stars

RHYTHMBOX_LISTS = ".local/share/rhythmbox/playlists.xml"

RHYTHMBOX_LIBRARY = ".local/share/rhythmbox/rhythmdb.xml"


@PROBES.register_with(rhythmbox_list, whole="store")
def rhythmbox_playlist(context: ProbeContext, name: str) -> dict[str, object]:
    """The files on a list that was made in Rhythmbox, in order, by their full paths."""
    return parsed(RHYTHMBOX_LISTS, rhythmbox_list, context.read(RHYTHMBOX_LISTS), RHYTHMBOX_LISTS, name)


@PROBES.register_with(rhythmbox_stars, whole="store")
def rhythmbox_ratings(context: ProbeContext) -> dict[str, object]:
    """The stars that songs have in Rhythmbox, by the full paths of their files, if any."""
    ratings = parsed(RHYTHMBOX_LIBRARY, rhythmbox_stars, context.read(RHYTHMBOX_LIBRARY), RHYTHMBOX_LIBRARY)
    return {"path": "the library of Rhythmbox", "ratings": ratings}
