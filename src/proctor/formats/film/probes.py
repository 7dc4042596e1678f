"""Probes that look at films and at lists of what to play."""

from __future__ import annotations

from typing import Any

from proctor.formats.film.reading import playlist_files, watch
from proctor.tasks.reader.client import parsed
from proctor.tasks.scene import Scene
from proctor.tasks.shelves import PROBES


@PROBES.register
def film(scene: Scene, path: str) -> dict[str, Any]:
    """What a film is: length, size, rate, streams, title, and the mean colour of each second."""
    return parsed(path, watch, path, scene.read(path))


@PROBES.register
def playlist(scene: Scene, path: str) -> dict[str, Any]:
    """The files on a play list (M3U, PLS or XSPF), in order, by their full paths."""
    return parsed(path, playlist_files, scene.read(path, most=2**20), path)
