"""What web browsers keep in their profiles and tell of themselves."""

from __future__ import annotations

from collections.abc import Iterator

from proctor.tasks.findings import CannotSee, PlainData
from proctor.vocabulary.apps.browsers.parse_files import query_database, read_json
from proctor.vocabulary.apps.firefox.parse import firefox_settings
from proctor.vocabulary.desktop.parse_settings import settings_in

_HISTORY = {
    "chromium": "SELECT url FROM urls WHERE visit_count > 0 OR id IN (SELECT url FROM visits) ORDER BY id",
    "firefox": "SELECT url FROM moz_places WHERE visit_count > 0 "
    "OR id IN (SELECT place_id FROM moz_historyvisits) ORDER BY id",
}

_COOKIES = {
    "chromium": "SELECT host_key, name FROM cookies ORDER BY 1, 2",
    "firefox": "SELECT host, name FROM moz_cookies ORDER BY 1, 2",
}


def history_addresses(browser: str, main: bytes, ahead: bytes, journal: bytes) -> list[str]:
    """Return the addresses in a browser's history."""
    return [str(url) for (url,) in query_database("of visited pages", main, ahead, journal, _HISTORY[browser])]


def cookies(browser: str, main: bytes, ahead: bytes, journal: bytes) -> list[dict[str, str]]:
    """Return whose cookies a browser has, and their names."""
    rows = query_database("of cookies", main, ahead, journal, _COOKIES[browser])
    return [{"host": str(host).lstrip("."), "name": str(name)} for host, name in rows]


def setting(browser: str, data: bytes, name: str) -> object:
    """Return one setting; None where it has its default."""
    return _settings(browser, data).get(name)


def home(browser: str, data: bytes) -> object:
    """Return what the home button leads to; empty for the new tab page."""
    return _home(browser, _settings(browser, data))


def follow_setting(seen: PlainData, arguments: PlainData, model: PlainData) -> PlainData:
    """Return what `browser_setting` would show where this is set."""
    return {**seen, "value": _settings_in_profile(arguments, model).get(arguments["name"])}


def follow_home(seen: PlainData, arguments: PlainData, model: PlainData) -> PlainData:
    """Return what `home_page` would show where this is set."""
    return {**seen, "home_page": _home(arguments["browser"], _settings_in_profile(arguments, model))}


def _settings_in_profile(arguments: PlainData, model: PlainData) -> dict[str, object]:
    return dict(settings_in(model, "/Preferences" if arguments["browser"] == "chromium" else "/prefs.js"))


def _home(browser: str, settings: dict[str, object]) -> object:
    """Return what settings say that the home button leads to."""
    if browser == "chromium":
        return "" if settings.get("homepage_is_newtabpage", True) else settings.get("homepage", "")
    return settings.get("browser.startup.homepage", "")


def _settings(browser: str, data: bytes) -> dict[str, object]:
    if browser == "firefox":
        return firefox_settings(data.decode(errors="replace"))
    held = read_json(data, "Preferences")
    if not isinstance(held, dict):
        raise CannotSee("unreadable", "Chromium's settings are broken")
    return dict(_flat(held, ""))


def _flat(tree: dict[str, object], prefix: str, depth: int = 0) -> Iterator[tuple[str, object]]:
    for key, value in tree.items():
        if isinstance(value, dict) and depth < 30:
            yield from _flat(value, f"{prefix}{key}.", depth + 1)
        elif isinstance(value, bool | int | float | str):
            yield f"{prefix}{key}", value
