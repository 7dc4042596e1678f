"""Probes that ask Chromium itself."""

from __future__ import annotations

from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.apps.chromium.parse import chromium_tabs
from proctor.vocabulary.apps.chromium.profile import DEBUGGING_PORT

_TABS = """
import sys, urllib.request
sys.stdout.buffer.write(urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}/json", timeout=10).read(4_000_000))
"""


@PROBES.register_with(chromium_tabs)
def web_tabs(context: ProbeContext) -> dict[str, object]:
    """The tabs that Chromium shows: address and title of each, the front one of each window first."""
    result = context.run(["python3", "-I", "-c", _TABS, str(DEBUGGING_PORT)])
    if result.code != 0:
        raise CannotSee("absent", "Chromium is not running")
    return {"browser": "chromium", "tabs": parsed("what Chromium says", chromium_tabs, result.stdout)}
