"""What Firefox keeps in its profile."""

from __future__ import annotations

import json
import re
from typing import Any

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.apps.browsers.parse_files import MOST_FOLDERS, TOOLBAR, digest_of, query_database

Told = dict[str, Any]

_FIREFOX_BOOKMARKS = """
SELECT b.id, b.parent, b.type, b.title, p.url, b.guid, b.fk FROM moz_bookmarks b LEFT JOIN moz_places p ON p.id = b.fk
ORDER BY b.parent, b.position
"""
_FIREFOX_KEYWORDS = "SELECT place_id, keyword FROM moz_keywords"
_TAGS = "tags________"
"""Firefox keeps what bookmarks are tagged with as folders that nobody sees."""

_FIREFOX_ROOTS = {
    "toolbar_____": TOOLBAR,
    "menu________": "Bookmarks menu",
    "unfiled_____": "Other bookmarks",
    "mobile______": "Mobile bookmarks",
}


def firefox_bookmarks(main: bytes, ahead: bytes, journal: bytes) -> dict[str, list[Told]]:
    """Return the bookmarks in Firefox's database, and their folders, also empty ones."""
    rows = query_database("places.sqlite", main, ahead, journal, _FIREFOX_BOOKMARKS)
    keywords = query_database("places.sqlite", main, ahead, journal, _FIREFOX_KEYWORDS)
    return bookmarks_of(rows, dict(keywords))  # type: ignore[arg-type]


def firefox_logins(data: bytes) -> list[dict[str, str]]:
    """Return what Firefox keeps to sign in with; names and passwords are locked, and told by digests."""
    try:
        held = json.loads(data)["logins"]
        return [
            {
                "id": str(each["guid"]),
                "site": str(each["hostname"]),
                "username": digest_of(str(each["encryptedUsername"]).encode()),
                "password": digest_of(str(each["encryptedPassword"]).encode()),
            }
            for each in held
        ]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise CannotSee("unreadable", f"Firefox's passwords are broken: {error}") from error


def firefox_settings(text: str) -> dict[str, object]:
    """Return the settings in a `prefs.js`."""
    found = {}
    for name, value in re.findall(r'^user_pref\("((?:[^"\\]|\\.)*)",\s*(.*)\);\s*$', text, re.MULTILINE):
        try:
            found[name] = json.loads(value)
        except ValueError as error:
            raise CannotSee("unreadable", f"Firefox's setting {name} is broken: {error}") from error
    return found


def bookmarks_of(rows: list[tuple[object, ...]], keywords: dict[object, object]) -> dict[str, list[Told]]:
    """Return bookmarks and folders in the rows of `_FIREFOX_BOOKMARKS`."""
    folders = {number: (parent, title or "", guid) for number, parent, kind, title, _, guid, _ in rows if kind == 2}
    tags = next((number for number, (_, _, guid) in folders.items() if guid == _TAGS), None)
    tagged = {
        number: str(title) for number, (parent, title, _) in folders.items() if tags is not None and parent == tags
    }

    def path(number: object, depth: int = 0) -> list[str]:
        if number not in folders or depth > MOST_FOLDERS:
            return []
        parent, title, guid = folders[number]
        return [_FIREFOX_ROOTS[guid]] if guid in _FIREFOX_ROOTS else [*path(parent, depth + 1), str(title)]

    marks: dict[object, list[str]] = {}
    for _, parent, _, _, _, _, place in rows:
        if parent in tagged:
            marks.setdefault(place, []).append(tagged[parent])
    return {
        "bookmarks": [
            {
                "title": str(title or ""),
                "url": str(url),
                "folder": "/".join(path(parent)).lstrip("/"),
                **({"keyword": str(keywords[place])} if place in keywords else {}),
                **({"tags": sorted(marks[place])} if place in marks else {}),
            }
            for _, parent, kind, title, url, _, place in rows
            if kind == 1 and url is not None and parent not in tagged
        ],
        "folders": [
            {"path": "/".join(path(number)).lstrip("/")}
            for number, parent, kind, _, _, guid, _ in rows
            if kind == 2 and number not in tagged and guid != _TAGS and guid not in _FIREFOX_ROOTS and parent in folders
        ],
    }
