"""Setup steps for Chromium alone."""

from __future__ import annotations

from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP
from proctor.vocabulary.apps.chromium.profile import DEBUGGING_PORT

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


@SETUP.register
def visit_pages(context: SetupContext, urls: list[str]) -> None:
    """Look at pages in the open Chromium, each in a tab that is closed again: a history."""
    context.command(["python3", "-I", "-c", _VISIT, str(DEBUGGING_PORT), *urls])
    context.computer.settle()
