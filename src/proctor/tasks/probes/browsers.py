"""Probes that look at web browsers: open tabs, and what their profiles hold."""

from __future__ import annotations

import html
import json
import re
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from proctor.tasks.finding import CannotSee
from proctor.tasks.scene import Scene
from proctor.tasks.setup.browsers import CHROMIUM_PROFILE, DEBUGGING_PORT, FIREFOX_PROFILE, TOOLBAR, Browser
from proctor.tasks.shelves import PROBES

MOST_ROWS = 10_000
MOST_STEPS = 20_000_000
"""How much work a database of the agent's making may cause before it is given up."""

_TABS = """
import sys, urllib.request
sys.stdout.buffer.write(urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}/json", timeout=10).read(4_000_000))
"""
_FIREFOX_BOOKMARKS = """
SELECT b.id, b.parent, b.type, b.title, p.url, b.guid FROM moz_bookmarks b LEFT JOIN moz_places p ON p.id = b.fk
ORDER BY b.parent, b.position
"""
_FIREFOX_ROOTS = {"toolbar_____": TOOLBAR, "menu________": "Bookmarks menu", "unfiled_____": "Other bookmarks"}
_CHROMIUM_ROOTS = {"bookmark_bar": TOOLBAR, "other": "Other bookmarks", "synced": "Mobile bookmarks"}


@PROBES.register
def web_tabs(scene: Scene) -> dict[str, Any]:
    """The tabs that Chromium shows: address and title of each, the front one of each window first."""
    result = scene.computer.run(["python3", "-I", "-c", _TABS, str(DEBUGGING_PORT)])
    if result.code != 0:
        raise CannotSee("absent", "Chromium is not running")
    try:
        pages = [page for page in json.loads(result.stdout) if page["type"] == "page"]
        found = [{"url": str(page["url"]), "title": html.unescape(str(page["title"]))} for page in pages]
    except (ValueError, TypeError, KeyError) as error:
        raise CannotSee("unreadable", f"what answers in place of Chromium is not Chromium: {error}") from error
    return {"browser": "chromium", "tabs": found}


@PROBES.register
def web_bookmarks(scene: Scene, browser: Browser) -> dict[str, Any]:
    """Every bookmark: title, address, and the folder it is in, such as `Bookmarks bar/Recipes`."""
    if browser == "chromium":
        data = _chromium_json(scene, "Bookmarks")
        try:
            found = list(_chromium_bookmarks(data))
        except (TypeError, KeyError, AttributeError, RecursionError) as error:
            raise CannotSee("unreadable", f"Chromium's bookmarks are broken: {error}") from error
    else:
        found = firefox_bookmarks(_rows(scene, f"{FIREFOX_PROFILE}/places.sqlite", _FIREFOX_BOOKMARKS))
    return {"browser": browser, "bookmarks": found}


@PROBES.register
def visited_pages(scene: Scene, browser: Browser) -> dict[str, Any]:
    """The addresses that a browser remembers having shown."""
    if browser == "chromium":
        rows = _rows(scene, f"{CHROMIUM_PROFILE}/History", "SELECT url FROM urls WHERE visit_count > 0 ORDER BY id")
    else:
        query = "SELECT url FROM moz_places WHERE visit_count > 0 ORDER BY id"
        rows = _rows(scene, f"{FIREFOX_PROFILE}/places.sqlite", query)
    return {"browser": browser, "urls": [str(url) for (url,) in rows]}


@PROBES.register
def web_cookies(scene: Scene, browser: Browser) -> dict[str, Any]:
    """The sites that have stored cookies in a browser, and the names of these cookies."""
    if browser == "chromium":
        rows = _rows(scene, f"{CHROMIUM_PROFILE}/Cookies", "SELECT host_key, name FROM cookies ORDER BY 1, 2")
    else:
        rows = _rows(scene, f"{FIREFOX_PROFILE}/cookies.sqlite", "SELECT host, name FROM moz_cookies ORDER BY 1, 2")
    return {"browser": browser, "cookies": [{"host": str(host).lstrip("."), "name": str(name)} for host, name in rows]}


@PROBES.register
def browser_setting(scene: Scene, browser: Browser, name: str) -> dict[str, Any]:
    """One setting by its name in the profile; None where it has its default."""
    return {"browser": browser, "name": name, "value": _settings(scene, browser).get(name)}


@PROBES.register
def home_page(scene: Scene, browser: Browser) -> dict[str, Any]:
    """What the home button leads to; empty for the new tab page."""
    settings = _settings(scene, browser)
    if browser == "chromium":
        page = "" if settings.get("homepage_is_newtabpage", True) else settings.get("homepage", "")
    else:
        page = settings.get("browser.startup.homepage", "")
    return {"browser": browser, "home_page": page}


@PROBES.register
def web_downloads(scene: Scene, folder: str = "Downloads") -> dict[str, Any]:
    """The plain files in the folder for downloads, without those that are still on their way."""
    files = [entry for entry in scene.computer.list_files(folder) if entry.kind == "file"]
    names = {entry.path.rpartition("/")[2]: entry.size for entry in files}
    done = {name: size for name, size in names.items() if not name.endswith((".crdownload", ".part"))}
    return {"path": folder, "files": [{"name": name, "size": size} for name, size in done.items()]}


def firefox_settings(text: str) -> dict[str, Any]:
    """Return the settings in a `prefs.js`."""
    found = {}
    for name, value in re.findall(r'^user_pref\("((?:[^"\\]|\\.)*)",\s*(.*)\);\s*$', text, re.MULTILINE):
        try:
            found[name] = json.loads(value)
        except ValueError as error:
            raise CannotSee("unreadable", f"Firefox's setting {name} is broken: {error}") from error
    return found


def firefox_bookmarks(rows: list[tuple[Any, ...]]) -> list[dict[str, str]]:
    """Return the bookmarks in the rows of `_FIREFOX_BOOKMARKS`."""
    folders = {number: (parent, title or "", guid) for number, parent, kind, title, _, guid in rows if kind == 2}

    def path(number: Any, depth: int = 0) -> list[str]:
        if number not in folders or depth > 50:
            return []
        parent, title, guid = folders[number]
        return [_FIREFOX_ROOTS[guid]] if guid in _FIREFOX_ROOTS else [*path(parent, depth + 1), str(title)]

    return [
        {"title": str(title or ""), "url": str(url), "folder": "/".join(path(parent)).lstrip("/")}
        for _, parent, kind, title, url, _ in rows
        if kind == 1 and url is not None
    ]


def query_database(files: dict[str, bytes], main: str, query: str) -> list[tuple[Any, ...]]:
    """Return the rows of a query on a database that nobody vouches for, from copies that are gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="proctor-") as folder:
        for name, data in files.items():
            (Path(folder) / name).write_bytes(data)
        steps = iter(range(MOST_STEPS // 10_000))
        try:
            connection = sqlite3.connect(Path(folder) / main)
            try:
                connection.execute("PRAGMA trusted_schema = OFF")
                connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 8 * 2**20)
                # A view or an endless query in disguise is interrupted.
                connection.set_progress_handler(lambda: next(steps, None) is None, 10_000)
                return connection.execute(query).fetchmany(MOST_ROWS)
            finally:
                connection.close()
        except (sqlite3.Error, OverflowError) as error:
            raise CannotSee("unreadable", f"the database {main} is broken: {error}") from error


def _rows(scene: Scene, path: str, query: str) -> list[tuple[Any, ...]]:
    main = path.rpartition("/")[2]
    files = {main: scene.read(path)}
    # What was written last may still stand in the log beside the database.
    for ending in ("-wal", "-journal"):
        if scene.info(path + ending) is not None:
            files[main + ending] = scene.read(path + ending)
    return query_database(files, main, query)


def _settings(scene: Scene, browser: Browser) -> dict[str, Any]:
    if browser == "firefox":
        return firefox_settings(scene.read(f"{FIREFOX_PROFILE}/prefs.js").decode(errors="replace"))
    data = _chromium_json(scene, "Preferences")
    if not isinstance(data, dict):
        raise CannotSee("unreadable", "Chromium's settings are broken")
    return dict(_flat(data, ""))


def _flat(tree: dict[str, Any], prefix: str, depth: int = 0) -> Iterator[tuple[str, Any]]:
    for key, value in tree.items():
        if isinstance(value, dict) and depth < 30:
            yield from _flat(value, f"{prefix}{key}.", depth + 1)
        elif isinstance(value, bool | int | float | str):
            yield f"{prefix}{key}", value


def _chromium_json(scene: Scene, name: str) -> Any:
    try:
        return json.loads(scene.read(f"{CHROMIUM_PROFILE}/{name}"))
    except (ValueError, RecursionError) as error:
        raise CannotSee("unreadable", f"Chromium's {name} are not JSON: {error}") from error


def _chromium_bookmarks(data: Any) -> Iterator[dict[str, str]]:
    def inside(entry: Any, folder: str) -> Iterator[dict[str, str]]:
        for child in entry["children"]:
            if child["type"] == "url":
                yield {"title": str(child["name"]), "url": str(child["url"]), "folder": folder}
            else:
                yield from inside(child, f"{folder}/{child['name']}")

    for key, name in _CHROMIUM_ROOTS.items():
        yield from inside(data["roots"][key], name)
