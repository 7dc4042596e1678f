"""Setup steps that prepare, open and close web browsers."""

from __future__ import annotations

import json
from typing import Annotated

from pydantic import Field

from proctor.actions.action import Press
from proctor.errors import NotReady
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP
from proctor.vocabulary.apps.browsers.profiles import Bookmark, Browser, Setting, write
from proctor.vocabulary.apps.chromium.profile import (
    CHROMIUM_PROFILE,
    CHROMIUM_SETTINGS,
    DEBUGGING_PORT,
    chromium_bookmarks,
    nest,
)
from proctor.vocabulary.apps.firefox.profile import (
    FIREFOX_PROFILE,
    FIREFOX_SETTINGS,
    firefox_bookmarks,
    firefox_profile,
)

_CLOSE = """
import json, sys, urllib.request
base = f"http://127.0.0.1:{sys.argv[1]}/json"
for page in json.load(urllib.request.urlopen(base, timeout=10)):
    if page["type"] == "page": urllib.request.urlopen(f"{base}/close/{page['id']}", timeout=10).read()
"""


@SETUP.register_before_use
def browser_profile(
    context: SetupContext,
    browser: Browser,
    bookmarks: list[Bookmark] | None = None,
    folders: list[str] | None = None,
    home_page: str = "",
    settings: dict[str, Setting] | None = None,
) -> None:
    """Prepare a browser before its first start: bookmarks and their folders, home page, settings."""
    places = [*(folders or []), *(bookmark.folder for bookmark in bookmarks or [] if bookmark.folder)]
    tree = {folder: [each for each in bookmarks or [] if each.folder == folder] for folder in dict.fromkeys(places)}
    loose = [each for each in bookmarks or [] if not each.folder]
    if browser == "chromium":
        home: dict[str, Setting] = {"homepage": home_page, "homepage_is_newtabpage": False} if home_page else {}
        preferences = nest({**CHROMIUM_SETTINGS, **home, **(settings or {})})
        write(context, f"{CHROMIUM_PROFILE}/Preferences", json.dumps(preferences))
        write(context, f"{CHROMIUM_PROFILE}/Bookmarks", chromium_bookmarks(tree, loose))
    else:
        home = {"browser.startup.homepage": home_page} if home_page else {}
        firefox_profile(context, {**FIREFOX_SETTINGS, **home, **(settings or {})})
        write(context, f"{FIREFOX_PROFILE}/bookmarks.html", firefox_bookmarks(tree, loose))


@SETUP.register
def open_browser(
    context: SetupContext, browser: Browser, urls: Annotated[list[str], Field(min_length=1)], title: str
) -> None:
    """Open pages in a browser, a tab each, and wait until the one with this title is in front."""
    profile = f"{CHROMIUM_PROFILE}/Preferences" if browser == "chromium" else f"{FIREFOX_PROFILE}/prefs.js"
    if context.computer.run(["test", "-e", profile]).code != 0:
        browser_profile(context, browser)
    if browser == "chromium":
        # Every later start has it as well, whoever starts it.
        flags = f'export CHROMIUM_FLAGS="$CHROMIUM_FLAGS --remote-debugging-port={DEBUGGING_PORT}"\n'
        context.command(["sh", "-c", "cat > /etc/chromium.d/debugging"], root=True, input=flags.encode())
    program = "chromium" if browser == "chromium" else "firefox-esr"
    context.computer.launch([program, *urls], window=title, timeout_sec=60)
    context.computer.locate(role="document web", name=title).wait(20)
    context.computer.settle()


@SETUP.register
def quit_browser(context: SetupContext, browser: Browser) -> None:
    """Close a browser, if one is running, as a user would, so that it saves its data."""
    computer = context.computer
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
