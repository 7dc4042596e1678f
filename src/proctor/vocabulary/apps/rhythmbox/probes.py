"""Probes that look at the lists and ratings of Rhythmbox."""

from __future__ import annotations

from collections.abc import Mapping

from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelf import Follows
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.apps.rhythmbox.parse import (
    follow_list,
    rhythmbox_list,
    rhythmbox_lists,
    rhythmbox_made,
    rhythmbox_songs,
    rhythmbox_stars,
)

RHYTHMBOX_LISTS = ".local/share/rhythmbox/playlists.xml"

RHYTHMBOX_LIBRARY = ".local/share/rhythmbox/rhythmdb.xml"


def _every_list(_given: Mapping[str, object]) -> dict[str, object]:
    return {}


@PROBES.register_with(rhythmbox_list, follows=Follows("rhythmbox_playlists", follow_list, _every_list))
def rhythmbox_playlist(context: ProbeContext, name: str) -> dict[str, object]:
    """The files on a playlist made in Rhythmbox, in order, by their full paths."""
    return parsed(RHYTHMBOX_LISTS, rhythmbox_list, context.read(RHYTHMBOX_LISTS), RHYTHMBOX_LISTS, name)


@PROBES.register_with(rhythmbox_made, whole="store")
def rhythmbox_playlists(context: ProbeContext) -> dict[str, object]:
    """Every playlist made in Rhythmbox: its kind, its files in order, and its rules."""
    held = context.read_beside(RHYTHMBOX_LISTS)
    lists = parsed(RHYTHMBOX_LISTS, rhythmbox_made, held, RHYTHMBOX_LISTS) if held else []
    return {"path": "Rhythmbox", "lists": lists}


@PROBES.register_with(rhythmbox_stars, whole="store")
def rhythmbox_ratings(context: ProbeContext) -> dict[str, object]:
    """The ratings of songs in Rhythmbox, if any, by the full paths of their files."""
    ratings = parsed(RHYTHMBOX_LIBRARY, rhythmbox_stars, context.read(RHYTHMBOX_LIBRARY), RHYTHMBOX_LIBRARY)
    return {"path": "the library of Rhythmbox", "ratings": ratings}


@PROBES.register_with(rhythmbox_lists, rhythmbox_songs, whole="store")
def rhythmbox(context: ProbeContext) -> dict[str, object]:
    """Everything Rhythmbox stores: every playlist, and the library with ratings and tags.

    What has not been written yet is empty.
    """
    held = {path: context.read_beside(path) for path in (RHYTHMBOX_LISTS, RHYTHMBOX_LIBRARY)}
    lists, library = held[RHYTHMBOX_LISTS], held[RHYTHMBOX_LIBRARY]
    return {
        "path": "Rhythmbox",
        "lists": parsed(RHYTHMBOX_LISTS, rhythmbox_lists, lists, RHYTHMBOX_LISTS) if lists else [],
        "library": parsed(RHYTHMBOX_LIBRARY, rhythmbox_songs, library, RHYTHMBOX_LIBRARY) if library else [],
    }
