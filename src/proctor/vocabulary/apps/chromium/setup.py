"""Setup steps for Chromium alone."""

from __future__ import annotations

import json
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from proctor.errors import SetupFailed
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP
from proctor.vocabulary.apps.browsers.setup import quit_browser
from proctor.vocabulary.apps.chromium.probes import CHROMIUM
from proctor.vocabulary.apps.chromium.probes_of_pages import script as asking
from proctor.vocabulary.apps.chromium.profile import CHROMIUM_PROFILE, DEBUGGING_PORT, PRINTS, print_of

_VISIT = """
import json, sys, time, urllib.request
def pause(seconds): time.sleep(seconds)
base = f"http://127.0.0.1:{sys.argv[1]}/json"
for url in sys.argv[2:]:
    new = urllib.request.Request(f"{base}/new?{url}", method="PUT")
    tab = json.load(urllib.request.urlopen(new, timeout=10))["id"]
    for _ in range(200):
        now = [page for page in json.load(urllib.request.urlopen(base, timeout=10)) if page["id"] == tab]
        if now and now[0]["title"] and now[0]["title"] not in url: break
        pause(0.05)
    else: sys.exit(f"{url} did not load")
    urllib.request.urlopen(f"{base}/close/{tab}", timeout=10).read()
"""

_TABS = b"""
import json, sys, urllib.request
base = f"http://127.0.0.1:{sys.argv[1]}/json"
pages = [page for page in json.load(urllib.request.urlopen(base, timeout=10)) if page["type"] == "page"]
for url in sys.argv[3:]:
    found = [page for page in pages if page["url"].rstrip("/") == url.rstrip("/")]
    found = found or [page for page in pages if page["url"].startswith(url)]
    if not found: sys.exit(f"no tab shows {url}")
    urllib.request.urlopen(f"{base}/{sys.argv[2]}/{found[0]['id']}", timeout=10).read()
"""
_REMEMBER = """
import json, sqlite3, sys, time
now = time.time()
held = sqlite3.connect(sys.argv[1])
for page in json.load(sys.stdin):
    at = int((now - page["seconds_ago"] + 11644473600) * 1000000)
    with held:
        row = held.execute("INSERT INTO urls (url, title, visit_count, last_visit_time) VALUES (?, ?, 1, ?)",
                           (page["url"], page["title"], at)).lastrowid
        # 0x30000000: a visit of its own, typed by nobody's link.
        held.execute("INSERT INTO visits (url, visit_time, from_visit, transition, segment_id) VALUES (?, ?, 0, ?, 0)",
                     (row, at, 0x30000000))
"""


PRINT_SEC = 45
_ALONE = "--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-pdf-header-footer"
"""How a browser prints that has no window; its own sandbox needs rights that nobody has here."""
_PRINT = f"""
set -e
mkdir -p {PRINTS}
HOME=$(mktemp -d)
export HOME
trap 'rm -rf "$HOME"' EXIT
timeout {PRINT_SEC} {CHROMIUM} {_ALONE} --user-data-dir="$HOME" --print-to-pdf="$2" "$1" > /dev/null 2>&1
chmod 644 "$2"
"""


class PastVisit(BaseModel):
    """A page that was looked at some time ago."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: Annotated[str, Field(min_length=1)]
    title: str = ""
    seconds_ago: Annotated[float, Field(ge=0)] = 0


@SETUP.register
def page_script(context: SetupContext, url: str, script: str, reload: bool = False, holds: bool = False) -> None:
    """Run a script in an open Chromium page with this address, and reload the page if asked.

    With `holds`, what it comes to must be true; without an address, it is the page in front.
    """
    scripts = [script, *(["Page.reload"] if reload else [])]
    said = context.command(["python3", "-I", "-", str(DEBUGGING_PORT), url, *scripts], input=asking()).stdout
    if holds and not json.loads(said)["answers"][0]:
        raise SetupFailed(f"the page {url} is not as it should be: {script[:200]!r} does not hold")
    context.computer.settle()


@SETUP.register
def print_page(context: SetupContext, url: str) -> None:
    """Print a web page with a Chromium that is not the user's, for `printed_page` to look at."""
    context.command(["sh", "-c", _PRINT, "sh", url, print_of(url)], root=True)


@SETUP.register
def tab_in_front(context: SetupContext, url: str) -> None:
    """Bring the Chromium tab that shows a page to the front."""
    context.command(["python3", "-I", "-", str(DEBUGGING_PORT), "activate", url], input=_TABS)
    context.computer.settle()


@SETUP.register
def close_tabs(context: SetupContext, urls: Annotated[list[str], Field(min_length=1)]) -> None:
    """Close the tabs of Chromium that show some pages."""
    context.command(["python3", "-I", "-", str(DEBUGGING_PORT), "close", *urls], input=_TABS)
    context.computer.settle()


@SETUP.register_before_use
def past_visits(context: SetupContext, pages: Annotated[list[PastVisit], Field(min_length=1)]) -> None:
    """Add pages of any site to Chromium's history; it must not be running."""
    profile = f"{context.computer.home}/{CHROMIUM_PROFILE}"
    if context.computer.run(["test", "-e", f"{profile}/History"]).code != 0:
        # Chromium itself lays out what it remembers with.
        context.computer.launch(["chromium", "about:blank"], window="Chromium", timeout_sec=60)
        quit_browser(context, "chromium")
    told = json.dumps([page.model_dump() for page in pages])
    context.command(["python3", "-I", "-c", _REMEMBER, f"{profile}/History"], input=told.encode())


@SETUP.register_before_use
def visit_pages(context: SetupContext, urls: list[str]) -> None:
    """Visit pages in the open Chromium, each in a tab that is closed again, to create a history."""
    context.command(["python3", "-I", "-c", _VISIT, str(DEBUGGING_PORT), *urls])
    context.computer.settle()
