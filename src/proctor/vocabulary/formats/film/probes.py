"""Probes that look at films and at lists of what to play."""

from __future__ import annotations

from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.formats.film.parse import playlist_files, watch


@PROBES.register_with(watch, whole="file")
def film(context: ProbeContext, path: str) -> dict[str, object]:
    """Details of a video: length, size, rate, streams, title, and the mean colour of each second."""
    return parsed(path, watch, path, context.read(path))


@PROBES.register_with(playlist_files, whole="file")
def playlist(context: ProbeContext, path: str) -> dict[str, object]:
    """The files on a playlist (M3U, PLS or XSPF), in order, by their full paths."""
    return parsed(path, playlist_files, context.read(path, most=2**20), path)
