"""What Chromium tells of itself, and its bookmarks."""

from __future__ import annotations

import html
import json
from typing import Any

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.apps.browsers.parse_files import MOST_FOLDERS, TOOLBAR, digest_of, query_database, read_json

Told = dict[str, Any]

_CHROMIUM_ROOTS = {"bookmark_bar": TOOLBAR, "other": "Other bookmarks", "synced": "Mobile bookmarks"}
_LOGINS = "SELECT origin_url, username_value, password_value, blacklisted_by_user FROM logins ORDER BY 1, 2"


def chromium_tabs(printed: str) -> list[dict[str, str]]:
    """Return the tabs in what Chromium's debugging port says."""
    try:
        pages = [page for page in json.loads(printed) if page["type"] == "page"]
        return [{"url": str(page["url"]), "title": html.unescape(str(page["title"]))} for page in pages]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise CannotSee("unreadable", f"what answers in place of Chromium is not Chromium: {error}") from error


def page_answers(printed: str) -> list[object]:
    """Return what the scripts that a page was asked came to."""
    try:
        return list(json.loads(printed)["answers"])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise CannotSee("unreadable", f"what a page says is not what was asked: {error}") from error


def chromium_extensions(secure: bytes, plain: bytes) -> list[dict[str, str]]:
    """Return the extensions in Chromium's settings, which lie in two files."""
    found: list[dict[str, str]] = []
    for data in (secure, plain):
        held: Any = read_json(data, "Preferences") if data else {}
        try:
            listed = held.get("extensions", {}).get("settings", {})
            entries = {str(id): each for id, each in listed.items() if isinstance(each, dict) and each.get("path")}
        except AttributeError as error:
            raise CannotSee("unreadable", f"Chromium's settings are broken: {error}") from error
        found += [
            {"id": id, "path": str(each["path"]), "name": str((each.get("manifest") or {}).get("name", ""))}
            for id, each in entries.items()
        ]
    return found


def chromium_bookmarks(data: bytes) -> dict[str, list[Told]]:
    """Return the bookmarks in Chromium's file, and their folders, also empty ones."""
    try:
        return _bookmarks_below(read_json(data, "Bookmarks"))
    except (TypeError, KeyError, AttributeError) as error:
        raise CannotSee("unreadable", f"Chromium's bookmarks are broken: {error}") from error


def chromium_logins(main: bytes, ahead: bytes, journal: bytes) -> list[dict[str, str]]:
    """Return what Chromium keeps to sign in with; passwords are locked, and told by digests."""
    rows = query_database("of passwords", main, ahead, journal, _LOGINS)
    return [
        {
            "site": str(site),
            "username": str(name),
            "password": digest_of(locked if isinstance(locked, bytes) else str(locked).encode()),
            **({"never": "true"} if never else {}),
        }
        for site, name, locked, never in rows
    ]


def _bookmarks_below(data: Any) -> dict[str, list[Told]]:
    bookmarks: list[Told] = []
    folders: list[Told] = []

    def look(entry: Any, folder: str, depth: int = 0) -> None:
        if depth > MOST_FOLDERS:
            raise CannotSee("refused", "Chromium's bookmarks lie in more folders than are looked at")
        for child in entry["children"]:
            if child["type"] == "url":
                bookmarks.append({"title": str(child["name"]), "url": str(child["url"]), "folder": folder})
            else:
                folders.append({"path": f"{folder}/{child['name']}"})
                look(child, f"{folder}/{child['name']}", depth + 1)

    for key, name in _CHROMIUM_ROOTS.items():
        look(data["roots"][key], name)
    return {"bookmarks": bookmarks, "folders": folders}
