"""What web browsers keep in their profiles and tell of themselves."""

from __future__ import annotations

import html
import json
import re
import sqlite3
from collections.abc import Iterator
from typing import Any

from proctor.tasks.finding import CannotSee
from proctor.tasks.formats.sqlite_file import only_looking, open_database

MOST_ROWS = 10_000
MOST_FOLDERS = 50
"""How deep folders of bookmarks may lie in each other."""
TOOLBAR = "Bookmarks bar"
"""How both browsers' folder of bookmarks below the address is called here."""

_HISTORY = {
    "chromium": "SELECT url FROM urls WHERE visit_count > 0 ORDER BY id",
    "firefox": "SELECT url FROM moz_places WHERE visit_count > 0 ORDER BY id",
}
_COOKIES = {
    "chromium": "SELECT host_key, name FROM cookies ORDER BY 1, 2",
    "firefox": "SELECT host, name FROM moz_cookies ORDER BY 1, 2",
}
_FIREFOX_BOOKMARKS = """
SELECT b.id, b.parent, b.type, b.title, p.url, b.guid FROM moz_bookmarks b LEFT JOIN moz_places p ON p.id = b.fk
ORDER BY b.parent, b.position
"""
_FIREFOX_ROOTS = {"toolbar_____": TOOLBAR, "menu________": "Bookmarks menu", "unfiled_____": "Other bookmarks"}
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
        return list(_chromium_bookmarks(_json(data, "Bookmarks")))
    except (TypeError, KeyError, AttributeError) as error:
        raise CannotSee("unreadable", f"Chromium's bookmarks are broken: {error}") from error


def firefox_bookmarks(main: bytes, ahead: bytes, journal: bytes) -> list[dict[str, str]]:
    """Return the bookmarks in Firefox's database."""
    return bookmarks_of(query_database("places.sqlite", main, ahead, journal, _FIREFOX_BOOKMARKS))


def visited(browser: str, main: bytes, ahead: bytes, journal: bytes) -> list[str]:
    """Return the addresses in a browser's history."""
    return [str(url) for (url,) in query_database("of visited pages", main, ahead, journal, _HISTORY[browser])]


def cookies(browser: str, main: bytes, ahead: bytes, journal: bytes) -> list[dict[str, str]]:
    """Return whose cookies a browser has, and their names."""
    rows = query_database("of cookies", main, ahead, journal, _COOKIES[browser])
    return [{"host": str(host).lstrip("."), "name": str(name)} for host, name in rows]


def setting(browser: str, data: bytes, name: str) -> Any:
    """Return one setting; None where it has its default."""
    return _settings(browser, data).get(name)


def home(browser: str, data: bytes) -> Any:
    """Return what the home button leads to; empty for the new tab page."""
    settings = _settings(browser, data)
    if browser == "chromium":
        return "" if settings.get("homepage_is_newtabpage", True) else settings.get("homepage", "")
    return settings.get("browser.startup.homepage", "")


def _settings(browser: str, data: bytes) -> dict[str, Any]:
    if browser == "firefox":
        return firefox_settings(data.decode(errors="replace"))
    held = _json(data, "Preferences")
    if not isinstance(held, dict):
        raise CannotSee("unreadable", "Chromium's settings are broken")
    return dict(_flat(held, ""))


def firefox_settings(text: str) -> dict[str, Any]:
    """Return the settings in a `prefs.js`."""
    found = {}
    for name, value in re.findall(r'^user_pref\("((?:[^"\\]|\\.)*)",\s*(.*)\);\s*$', text, re.MULTILINE):
        try:
            found[name] = json.loads(value)
        except ValueError as error:
            raise CannotSee("unreadable", f"Firefox's setting {name} is broken: {error}") from error
    return found


def bookmarks_of(rows: list[tuple[Any, ...]]) -> list[dict[str, str]]:
    """Return the bookmarks in the rows of `_FIREFOX_BOOKMARKS`."""
    folders = {number: (parent, title or "", guid) for number, parent, kind, title, _, guid in rows if kind == 2}

    def path(number: Any, depth: int = 0) -> list[str]:
        if number not in folders or depth > MOST_FOLDERS:
            return []
        parent, title, guid = folders[number]
        return [_FIREFOX_ROOTS[guid]] if guid in _FIREFOX_ROOTS else [*path(parent, depth + 1), str(title)]

    return [
        {"title": str(title or ""), "url": str(url), "folder": "/".join(path(parent)).lstrip("/")}
        for _, parent, kind, title, url, _ in rows
        if kind == 1 and url is not None
    ]


def query_database(name: str, main: bytes, ahead: bytes, journal: bytes, query: str) -> list[tuple[Any, ...]]:
    """Return the rows of a query on a database that nobody vouches for."""
    try:
        with open_database(main, ahead, journal) as connection:
            only_looking(connection)
            return connection.execute(query).fetchmany(MOST_ROWS)
    except (sqlite3.Error, OverflowError, UnicodeDecodeError) as error:
        raise CannotSee("unreadable", f"the database {name} is broken: {error}") from error


def _flat(tree: dict[str, Any], prefix: str, depth: int = 0) -> Iterator[tuple[str, Any]]:
    for key, value in tree.items():
        if isinstance(value, dict) and depth < 30:
            yield from _flat(value, f"{prefix}{key}.", depth + 1)
        elif isinstance(value, bool | int | float | str):
            yield f"{prefix}{key}", value


def _json(data: bytes, name: str) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise CannotSee("unreadable", f"Chromium's {name} are not JSON: {error}") from error


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
