"""Where Firefox keeps its profile, and what is written there before its first start."""

from __future__ import annotations

import html
import json

from proctor.tasks.setup_context import SetupContext
from proctor.vocabulary.apps.browsers.profiles import Bookmark, Setting, write

FIREFOX_FOLDER = ".config/mozilla/firefox"

FIREFOX_PROFILE = f"{FIREFOX_FOLDER}/user.default-esr"

_INSTALLATION = "3B6073811A6ABF12"  # what Firefox calls /usr/lib/firefox-esr

FIREFOX_SETTINGS: dict[str, Setting] = {
    "accessibility.force_disabled": -1,  # which means on
    "app.normandy.enabled": False,
    "browser.aboutwelcome.enabled": False,
    "browser.places.importBookmarksHTML": True,
    "browser.region.update.enabled": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "browser.tabs.warnOnClose": False,
    "browser.toolbars.bookmarks.visibility": "always",
    "browser.warnOnQuit": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.getAddons.cache.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.manage-offline-status": False,
    "signon.rememberSignons": False,
    "ui.caretBlinkTime": 0,
    "ui.prefersReducedMotion": 1,
    "widget.gtk.overlay-scrollbars.enabled": False,
}
"""No questions, and no waiting for a network that is not there."""


def firefox_bookmarks(folders: dict[str, list[Bookmark]], loose: list[Bookmark]) -> str:
    """Return bookmarks, by their folders and without one, as Firefox reads them in."""

    def pages(bookmarks: list[Bookmark]) -> str:
        return "".join(f'<DT><A HREF="{html.escape(each.url)}">{html.escape(each.title)}</A>\n' for each in bookmarks)

    def folder(name: str, content: str, mark: str = "") -> str:
        return f"<DT><H3{mark}>{html.escape(name)}</H3>\n<DL><p>\n{content}</DL><p>\n"

    bar = "".join(folder(name, pages(bookmarks)) for name, bookmarks in folders.items()) + pages(loose)
    toolbar = folder("Bookmarks Toolbar", bar, ' PERSONAL_TOOLBAR_FOLDER="true"')
    head = '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">\n'
    return f"{head}<TITLE>Bookmarks</TITLE>\n<H1>Bookmarks Menu</H1>\n<DL><p>\n{toolbar}</DL><p>\n"


def firefox_profile(context: SetupContext, settings: dict[str, Setting]) -> None:
    """Write a profile with these settings, and have Firefox use it."""
    name = FIREFOX_PROFILE.rpartition("/")[2]
    installation = f"Default={name}\nLocked=1\n"
    profiles = (
        f"[Profile0]\nName=default-esr\nIsRelative=1\nPath={name}\n\n[General]\nStartWithLastProfile=1\nVersion=2\n"
    )
    lines = [f"user_pref({json.dumps(key)}, {json.dumps(value)});\n" for key, value in settings.items()]
    window = {"chrome://browser/content/browser.xhtml": {"main-window": {"sizemode": "maximized"}}}
    write(context, f"{FIREFOX_FOLDER}/profiles.ini", f"{profiles}\n[Install{_INSTALLATION}]\n{installation}")
    write(context, f"{FIREFOX_FOLDER}/installs.ini", f"[{_INSTALLATION}]\n{installation}")
    write(context, f"{FIREFOX_PROFILE}/prefs.js", "".join(lines))
    write(context, f"{FIREFOX_PROFILE}/xulstore.json", json.dumps(window))
