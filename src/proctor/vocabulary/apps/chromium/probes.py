"""Probes that ask Chromium itself."""

from __future__ import annotations

from proctor.errors import ComputerError, ComputerLost, HostError
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.apps.chromium.parse import chromium_tabs
from proctor.vocabulary.apps.chromium.profile import DEBUGGING_PORT
from proctor.vocabulary.desktop.probes.state import teller_path

CHROMIUM = "/usr/lib/chromium/chromium"
MOST_BYTES = 4_000_000

_TABS = """
import sys, urllib.request
sys.stdout.buffer.write(urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}/json", timeout=10).read(4_000_000))
"""


@PROBES.register_live(chromium_tabs)
def web_tabs(context: ProbeContext) -> dict[str, object]:
    """The tabs that Chromium shows: address and title of each, the front one of each window first.

    They count only when Chromium's own program says so, where the computer can tell.
    """
    if context.computer.parts.programs is None:
        result = context.run(["python3", "-I", "-c", _TABS, str(DEBUGGING_PORT)])
        if result.code != 0:
            raise CannotSee("absent", "Chromium is not running")
        return {"browser": "chromium", "tabs": parsed("what Chromium says", chromium_tabs, result.stdout)}
    try:
        said, listeners = context.computer.parts.programs.page(DEBUGGING_PORT, "/json", MOST_BYTES)
    except (ComputerLost, HostError):
        raise
    except ComputerError as error:
        raise CannotSee("absent", f"Chromium is not running: {error.message}") from error
    if odd := [each.path for each in listeners if not (each.of_image and each.path == CHROMIUM and each.agents)]:
        raise CannotSee("refused", f"what answers in place of Chromium is {odd[0]}")
    if not listeners:
        raise CannotSee("absent", "Chromium is not running")
    tabs = parsed("what Chromium says", chromium_tabs, said.decode(errors="replace"))
    return {"browser": "chromium", "tabs": tabs, "live": teller_path(listeners[0])}
