"""Probes that look at the bookmarks of Okular."""

from __future__ import annotations

from proctor.home import absolute
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.apps.okular.parse import okular_bookmarks

OKULAR_BOOKMARKS = ".local/share/okular/bookmarks.xml"


@PROBES.register_with(okular_bookmarks, whole="folder")
def bookmarks(context: ProbeContext, path: str) -> dict[str, object]:
    """The bookmarks that Okular has for a document: pages, counted from 1, and their titles."""
    if context.info(OKULAR_BOOKMARKS) is None:
        return {"path": path, "bookmarks": []}
    data = context.read(OKULAR_BOOKMARKS)
    marks = parsed(OKULAR_BOOKMARKS, okular_bookmarks, data, absolute(path), OKULAR_BOOKMARKS)
    return {"path": path, "bookmarks": marks}
