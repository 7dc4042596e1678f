"""Probes that look at the bookmarks of Okular."""

from __future__ import annotations

from typing import Any

from proctor.apps.okular.reading import okular_bookmarks
from proctor.home import absolute
from proctor.tasks.reader.client import parsed
from proctor.tasks.scene import Scene
from proctor.tasks.shelves import PROBES

OKULAR_BOOKMARKS = ".local/share/okular/bookmarks.xml"


@PROBES.register
def bookmarks(scene: Scene, path: str) -> dict[str, Any]:
    """The bookmarks that Okular has in a document: pages, counted from 1, and their titles."""
    if scene.info(OKULAR_BOOKMARKS) is None:
        return {"path": path, "bookmarks": []}
    data = scene.read(OKULAR_BOOKMARKS)
    marks = parsed(OKULAR_BOOKMARKS, okular_bookmarks, data, absolute(path), OKULAR_BOOKMARKS)
    return {"path": path, "bookmarks": marks}
