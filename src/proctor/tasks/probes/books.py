"""Probes that look at books and the marks that readers leave in them."""

from __future__ import annotations

from typing import Any

from proctor.home import absolute
from proctor.tasks.formats.books import epub_content, okular_bookmarks
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


@PROBES.register
def epub(scene: Scene, path: str) -> dict[str, Any]:
    """An e-book: title, author and language, and the plain text of its chapters in order."""
    return parsed(path, epub_content, scene.read(path), path)
