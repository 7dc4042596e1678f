"""What Chromium tells of itself, and its bookmarks."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from typing import Any

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.apps.browsers.parse_files import MOST_FOLDERS, TOOLBAR, read_json

_CHROMIUM_ROOTS = {"bookmark_bar": TOOLBAR, "other": "Other bookmarks", "synced": "Mobile bookmarks"}


def chromium_tabs(printed: str) -> list[dict[str, str]]:
    """Return the tabs in what Chromium's debugging port says."""
    try:
        pages = [page for page in json.loads(printed) if page["type"] == "page"]
        return [{"url": str(page["url"]), "title": html.unescape(str(page["title"]))} for page in pages]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise CannotSee("unreadable", f"what answers in place of Chromium is not Chromium: {error}") from error


def chromium_bookmarks(data: bytes) -> list[dict[str, str]]:
    """Return the bookmarks in Chromium's file."""
    try:
        return list(_chromium_bookmarks(read_json(data, "Bookmarks")))
    except (TypeError, KeyError, AttributeError) as error:
        raise CannotSee("unreadable", f"Chromium's bookmarks are broken: {error}") from error


def _chromium_bookmarks(data: Any) -> Iterator[dict[str, str]]:
    def inside(entry: Any, folder: str, depth: int = 0) -> Iterator[dict[str, str]]:
        if depth > MOST_FOLDERS:
            raise CannotSee("refused", "Chromium's bookmarks lie in more folders than are looked at")
        for child in entry["children"]:
            if child["type"] == "url":
                yield {"title": str(child["name"]), "url": str(child["url"]), "folder": folder}
            else:
                yield from inside(child, f"{folder}/{child['name']}", depth + 1)

    for key, name in _CHROMIUM_ROOTS.items():
        yield from inside(data["roots"][key], name)
