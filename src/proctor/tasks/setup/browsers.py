"""Setup steps that prepare, open and close web browsers."""

from __future__ import annotations

import html
import json
from itertools import count
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from proctor.actions.action import Press
from proctor.errors import NotReady
from proctor.tasks.shelves import SETUP
from proctor.tasks.stage import Stage

Browser = Literal["chromium", "firefox"]
Setting = bool | int | str
CHROMIUM_PROFILE = ".config/chromium/Default"
FIREFOX_FOLDER = ".config/mozilla/firefox"
FIREFOX_PROFILE = f"{FIREFOX_FOLDER}/user.default-esr"
DEBUGGING_PORT = 9222

_INSTALLATION = "3B6073811A6ABF12"  # what Firefox calls /usr/lib/firefox-esr
_ADDED = "13417000000000000"

_CHROMIUM: dict[str, Setting] = {
    "credentials_enable_service": False,
    "profile.password_manager_enabled": False,
    "browser.show_home_button": True,
    "bookmark_bar.show_on_all_tabs": True,
}
_FIREFOX: dict[str, Setting] = {
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

_VISIT = """
import json, sys, threading, urllib.request
base = f"http://127.0.0.1:{sys.argv[1]}/json"
for url in sys.argv[2:]:
    new = urllib.request.Request(f"{base}/new?{url}", method="PUT")
    tab = json.load(urllib.request.urlopen(new, timeout=10))["id"]
    for _ in range(200):
        now = [page for page in json.load(urllib.request.urlopen(base, timeout=10)) if page["id"] == tab]
        if now and now[0]["title"] and now[0]["title"] not in url: break
        threading.Event().wait(0.05)
    else: sys.exit(f"{url} did not load")
    urllib.request.urlopen(f"{base}/close/{tab}", timeout=10).read()
"""

_CLOSE = """
import json, sys, urllib.request
base = f"http://127.0.0.1:{sys.argv[1]}/json"
for page in json.load(urllib.request.urlopen(base, timeout=10)):
    if page["type"] == "page": urllib.request.urlopen(f"{base}/close/{page['id']}", timeout=10).read()
"""


class Bookmark(BaseModel):
    """A page kept in the bookmarks bar, or in a folder of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str
    url: str
    folder: str = ""


@SETUP.register
def browser_profile(
    stage: Stage,
    browser: Browser,
    bookmarks: list[Bookmark] | None = None,
    folders: list[str] | None = None,
    home_page: str = "",
    settings: dict[str, Setting] | None = None,
) -> None:
    """Prepare a browser before its first start: bookmarks, (empty) folders for them, home page, settings by name."""
    places = [*(folders or []), *(bookmark.folder for bookmark in bookmarks or [] if bookmark.folder)]
    tree = {folder: [each for each in bookmarks or [] if each.folder == folder] for folder in dict.fromkeys(places)}
    loose = [each for each in bookmarks or [] if not each.folder]
    if browser == "chromium":
        home: dict[str, Setting] = {"homepage": home_page, "homepage_is_newtabpage": False} if home_page else {}
        preferences = _nested({**_CHROMIUM, **home, **(settings or {})})
        _write(stage, f"{CHROMIUM_PROFILE}/Preferences", json.dumps(preferences))
        _write(stage, f"{CHROMIUM_PROFILE}/Bookmarks", _chromium_bookmarks(tree, loose))
    else:
        home = {"browser.startup.homepage": home_page} if home_page else {}
        _firefox_profile(stage, {**_FIREFOX, **home, **(settings or {})})
        _write(stage, f"{FIREFOX_PROFILE}/bookmarks.html", _firefox_bookmarks(tree, loose))


@SETUP.register
def open_browser(stage: Stage, browser: Browser, urls: Annotated[list[str], Field(min_length=1)], title: str) -> None:
    """Open pages in a browser, one tab each, and wait until the one with this title is loaded and in front."""
    profile = f"{CHROMIUM_PROFILE}/Preferences" if browser == "chromium" else f"{FIREFOX_PROFILE}/prefs.js"
    if stage.computer.run(["test", "-e", profile]).code != 0:
        browser_profile(stage, browser)
    if browser == "chromium":
        # Every later start has it as well, whoever starts it.
        flags = f'export CHROMIUM_FLAGS="$CHROMIUM_FLAGS --remote-debugging-port={DEBUGGING_PORT}"\n'
        stage.command(["sh", "-c", "cat > /etc/chromium.d/debugging"], root=True, input=flags.encode())
    program = "chromium" if browser == "chromium" else "firefox-esr"
    stage.computer.launch([program, *urls], window=title, timeout_sec=60)
    stage.computer.locate(role="document web", name=title).wait(20)
    stage.computer.settle()


@SETUP.register
def visit_pages(stage: Stage, urls: list[str]) -> None:
    """Look at pages in the Chromium that is open, each in a tab of its own that is closed again: a history."""
    stage.command(["python3", "-I", "-c", _VISIT, str(DEBUGGING_PORT), *urls])
    stage.computer.settle()


@SETUP.register
def quit_browser(stage: Stage, browser: Browser) -> None:
    """Close a browser as its user would, so that it writes down what it remembers; nothing happens where none runs."""
    computer = stage.computer
    name = "chromium" if browser == "chromium" else "firefox-esr"
    found = computer.run(["pgrep", "-o", "-x", name]).stdout.strip()
    if not found:
        return
    if browser == "chromium":
        # A signal would end it before it has written down the latest bookmarks; the end of its last tab does not.
        if computer.run(["python3", "-I", "-c", _CLOSE, str(DEBUGGING_PORT)]).code != 0:
            computer.run(["kill", "-TERM", found])
    else:
        # Firefox does not listen to signals.
        front = computer.active_window()
        if front is None or "firefox" not in front.app.lower():
            raise NotReady("Firefox is not in front, so it cannot be closed")
        computer.perform(Press(keys="ctrl+q"))
    computer.wait_for(lambda _: computer.run(["kill", "-0", found]).code != 0, what=f"the end of {browser}")


def _nested(settings: dict[str, Setting]) -> dict[str, Any]:
    """Return settings named `a.b` as Chromium keeps them, one inside the other."""
    tree: dict[str, Any] = {}
    for name, value in settings.items():
        *above, last = name.split(".")
        place = tree
        for part in above:
            place = place.setdefault(part, {})
        place[last] = value
    return tree


def _chromium_bookmarks(folders: dict[str, list[Bookmark]], loose: list[Bookmark]) -> str:
    numbers = count(4)

    def entry(kind: str, name: str, **more: object) -> dict[str, object]:
        return {"id": str(next(numbers)), "date_added": _ADDED, "type": kind, "name": name, **more}

    def pages(bookmarks: list[Bookmark]) -> list[dict[str, object]]:
        return [entry("url", bookmark.title, url=bookmark.url) for bookmark in bookmarks]

    bar = [entry("folder", name, children=pages(bookmarks)) for name, bookmarks in folders.items()] + pages(loose)
    names = {"bookmark_bar": bar, "other": [], "synced": []}
    roots = {name: entry("folder", name, children=children) for name, children in names.items()}
    return json.dumps({"roots": roots, "version": 1})


def _firefox_bookmarks(folders: dict[str, list[Bookmark]], loose: list[Bookmark]) -> str:
    def pages(bookmarks: list[Bookmark]) -> str:
        return "".join(f'<DT><A HREF="{html.escape(each.url)}">{html.escape(each.title)}</A>\n' for each in bookmarks)

    def folder(name: str, content: str, mark: str = "") -> str:
        return f"<DT><H3{mark}>{html.escape(name)}</H3>\n<DL><p>\n{content}</DL><p>\n"

    bar = "".join(folder(name, pages(bookmarks)) for name, bookmarks in folders.items()) + pages(loose)
    toolbar = folder("Bookmarks Toolbar", bar, ' PERSONAL_TOOLBAR_FOLDER="true"')
    head = '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">\n'
    return f"{head}<TITLE>Bookmarks</TITLE>\n<H1>Bookmarks Menu</H1>\n<DL><p>\n{toolbar}</DL><p>\n"


def _firefox_profile(stage: Stage, settings: dict[str, Setting]) -> None:
    name = FIREFOX_PROFILE.rpartition("/")[2]
    installation = f"Default={name}\nLocked=1\n"
    profiles = (
        f"[Profile0]\nName=default-esr\nIsRelative=1\nPath={name}\n\n[General]\nStartWithLastProfile=1\nVersion=2\n"
    )
    lines = [f"user_pref({json.dumps(key)}, {json.dumps(value)});\n" for key, value in settings.items()]
    window = {"chrome://browser/content/browser.xhtml": {"main-window": {"sizemode": "maximized"}}}
    _write(stage, f"{FIREFOX_FOLDER}/profiles.ini", f"{profiles}\n[Install{_INSTALLATION}]\n{installation}")
    _write(stage, f"{FIREFOX_FOLDER}/installs.ini", f"[{_INSTALLATION}]\n{installation}")
    _write(stage, f"{FIREFOX_PROFILE}/prefs.js", "".join(lines))
    _write(stage, f"{FIREFOX_PROFILE}/xulstore.json", json.dumps(window))


def _write(stage: Stage, path: str, text: str) -> None:
    stage.computer.write_file(path, text.encode())
