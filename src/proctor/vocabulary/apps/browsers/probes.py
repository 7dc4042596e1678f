"""Probes that look at web browsers: open tabs, and what their profiles hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proctor.home import printable
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelf import Follows, MadeBy
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.apps.browsers.parse import (
    cookies,
    follow_home,
    follow_setting,
    history_addresses,
    home,
    setting,
)
from proctor.vocabulary.apps.browsers.profiles import Browser
from proctor.vocabulary.apps.chromium.parse import chromium_bookmarks, chromium_logins
from proctor.vocabulary.apps.chromium.profile import CHROMIUM_PROFILE
from proctor.vocabulary.apps.firefox.parse import firefox_bookmarks, firefox_logins
from proctor.vocabulary.apps.firefox.profile import FIREFOX_PROFILE


def _of_opened(given: Mapping[str, object]) -> dict[str, object]:
    return {"browser": given["browser"]}


@PROBES.register_with(firefox_bookmarks, chromium_bookmarks, whole="store", made_by=MadeBy("open_browser", _of_opened))
def web_bookmarks(context: ProbeContext, browser: Browser) -> dict[str, object]:
    """Every bookmark, with its title and address, below the folders that hold it."""
    if browser == "chromium":
        path = f"{CHROMIUM_PROFILE}/Bookmarks"
        return {"browser": browser, "folders": _folder_tree(parsed(path, chromium_bookmarks, context.read(path)))}
    path = f"{FIREFOX_PROFILE}/places.sqlite"
    return {"browser": browser, "folders": _folder_tree(parsed(path, firefox_bookmarks, *_database(context, path)))}


@PROBES.register_with(firefox_logins, chromium_logins, whole="store", made_by=MadeBy("open_browser", _of_opened))
def web_logins(context: ProbeContext, browser: Browser) -> dict[str, object]:
    """The logins that a browser has saved: sites, and digests of the encrypted parts."""
    path = f"{CHROMIUM_PROFILE}/Login Data" if browser == "chromium" else f"{FIREFOX_PROFILE}/logins.json"
    if context.info(path) is None:
        return {"browser": browser, "logins": []}
    if browser == "chromium":
        return {"browser": browser, "logins": parsed(path, chromium_logins, *_database(context, path))}
    return {"browser": browser, "logins": parsed(path, firefox_logins, context.read(path))}


@PROBES.register_with(history_addresses)
def visited_pages(context: ProbeContext, browser: Browser) -> dict[str, object]:
    """The addresses that a browser remembers having shown."""
    path = f"{CHROMIUM_PROFILE}/History" if browser == "chromium" else f"{FIREFOX_PROFILE}/places.sqlite"
    return {"browser": browser, "urls": parsed(path, history_addresses, browser, *_database(context, path))}


@PROBES.register_with(cookies)
def web_cookies(context: ProbeContext, browser: Browser) -> dict[str, object]:
    """The sites that have stored cookies in a browser, and the names of these cookies."""
    path = f"{CHROMIUM_PROFILE}/Cookies" if browser == "chromium" else f"{FIREFOX_PROFILE}/cookies.sqlite"
    return {"browser": browser, "cookies": parsed(path, cookies, browser, *_database(context, path))}


def _of_browser(given: Mapping[str, object]) -> dict[str, object]:
    return {"app": given["browser"]}


@PROBES.register_with(setting, follows=Follows("application_settings", follow_setting, _of_browser))
def browser_setting(context: ProbeContext, browser: Browser, name: str) -> dict[str, object]:
    """One setting by its name in the profile; None if it has its default."""
    path = _settings_file(browser)
    value = parsed(path, setting, browser, context.read(path), name)
    return {"browser": browser, "name": name, "path": f"The setting {name}", "value": value}


@PROBES.register_with(home, follows=Follows("application_settings", follow_home, _of_browser))
def home_page(context: ProbeContext, browser: Browser) -> dict[str, object]:
    """What the home button opens; empty for the new tab page."""
    path = _settings_file(browser)
    return {"browser": browser, "home_page": parsed(path, home, browser, context.read(path))}


@PROBES.register
def web_downloads(context: ProbeContext, folder: str = "Downloads") -> dict[str, object]:
    """The plain files in the downloads folder, without unfinished downloads."""
    files = [entry for entry in context.entries(folder) if entry.kind == "file"]
    names = {printable(entry.path.rpartition("/")[2]): entry.size for entry in files}
    done = {name: size for name, size in names.items() if not name.endswith((".crdownload", ".part"))}
    return {"path": folder, "files": [{"name": name, "size": size} for name, size in done.items()]}


def _folder_tree(held: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Return folders with what they hold, so that what fills a folder is no change of the folder."""
    top: list[dict[str, Any]] = []
    known: dict[str, dict[str, Any]] = {}

    def folder(path: str) -> dict[str, Any]:
        if path not in known:
            above, _, name = path.rpartition("/")
            known[path] = {"name": name, "bookmarks": [], "folders": []}
            (folder(above)["folders"] if above else top).append(known[path])
        return known[path]

    for each in held["folders"]:
        folder(each["path"])
    for each in held["bookmarks"]:
        folder(each["folder"])["bookmarks"].append({name: each[name] for name in each if name != "folder"})
    return top


def _database(context: ProbeContext, path: str) -> tuple[bytes, bytes, bytes]:
    """Return a database, and what was written last and may still stand in a log beside it."""
    return context.read(path), context.read_beside(f"{path}-wal"), context.read_beside(f"{path}-journal")


def _settings_file(browser: Browser) -> str:
    return f"{CHROMIUM_PROFILE}/Preferences" if browser == "chromium" else f"{FIREFOX_PROFILE}/prefs.js"
