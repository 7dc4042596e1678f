"""Where Chromium keeps its profile, and what is written there before its first start."""

from __future__ import annotations

import json
from hashlib import sha256
from itertools import count
from typing import Any

from proctor.vocabulary.apps.browsers.profiles import Bookmark, Setting

CHROMIUM_PROFILE = ".config/chromium/Default"

DEBUGGING_PORT = 9222

PRINTS = "/run/proctor-prints"
"""Where pages are printed to, which only root may change."""

_ADDED = "13417000000000000"

CHROMIUM_SETTINGS: dict[str, Setting] = {
    "credentials_enable_service": False,
    "profile.password_manager_enabled": False,
    "browser.show_home_button": True,
    "bookmark_bar.show_on_all_tabs": True,
}


def print_of(url: str) -> str:
    """Return where a page is printed to."""
    return f"{PRINTS}/{sha256(url.encode()).hexdigest()[:16]}.pdf"


def nest(settings: dict[str, Setting]) -> dict[str, Any]:
    """Return settings named `a.b` as Chromium keeps them, one inside the other."""
    tree: dict[str, Any] = {}
    for name, value in settings.items():
        *above, last = name.split(".")
        place = tree
        for part in above:
            place = place.setdefault(part, {})
        place[last] = value
    return tree


def chromium_bookmarks(folders: dict[str, list[Bookmark]], loose: list[Bookmark]) -> str:
    """Return bookmarks, by their folders and without one, as Chromium keeps them."""
    numbers = count(4)

    def entry(kind: str, name: str, **more: object) -> dict[str, object]:
        return {"id": str(next(numbers)), "date_added": _ADDED, "type": kind, "name": name, **more}

    def pages(bookmarks: list[Bookmark]) -> list[dict[str, object]]:
        return [entry("url", bookmark.title, url=bookmark.url) for bookmark in bookmarks]

    bar = [entry("folder", name, children=pages(bookmarks)) for name, bookmarks in folders.items()] + pages(loose)
    names = {"bookmark_bar": bar, "other": [], "synced": []}
    roots = {name: entry("folder", name, children=children) for name, children in names.items()}
    return json.dumps({"roots": roots, "version": 1})
