"""What Firefox keeps in its profile."""

from __future__ import annotations

import json
import re

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.apps.browsers.parse_files import MOST_FOLDERS, TOOLBAR, query_database

_FIREFOX_BOOKMARKS = """
SELECT b.id, b.parent, b.type, b.title, p.url, b.guid FROM moz_bookmarks b LEFT JOIN moz_places p ON p.id = b.fk
ORDER BY b.parent, b.position
"""

_FIREFOX_ROOTS = {"toolbar_____": TOOLBAR, "menu________": "Bookmarks menu", "unfiled_____": "Other bookmarks"}


def firefox_bookmarks(main: bytes, ahead: bytes, journal: bytes) -> list[dict[str, str]]:
    """Return the bookmarks in Firefox's database."""
    return bookmarks_of(query_database("places.sqlite", main, ahead, journal, _FIREFOX_BOOKMARKS))


def firefox_settings(text: str) -> dict[str, object]:
    """Return the settings in a `prefs.js`."""
    found = {}
    for name, value in re.findall(r'^user_pref\("((?:[^"\\]|\\.)*)",\s*(.*)\);\s*$', text, re.MULTILINE):
        try:
            found[name] = json.loads(value)
        except ValueError as error:
            raise CannotSee("unreadable", f"Firefox's setting {name} is broken: {error}") from error
    return found


def bookmarks_of(rows: list[tuple[object, ...]]) -> list[dict[str, str]]:
    """Return the bookmarks in the rows of `_FIREFOX_BOOKMARKS`."""
    folders = {number: (parent, title or "", guid) for number, parent, kind, title, _, guid in rows if kind == 2}

    def path(number: object, depth: int = 0) -> list[str]:
        if number not in folders or depth > MOST_FOLDERS:
            return []
        parent, title, guid = folders[number]
        return [_FIREFOX_ROOTS[guid]] if guid in _FIREFOX_ROOTS else [*path(parent, depth + 1), str(title)]

    return [
        {"title": str(title or ""), "url": str(url), "folder": "/".join(path(parent)).lstrip("/")}
        for _, parent, kind, title, url, _ in rows
        if kind == 1 and url is not None
    ]
