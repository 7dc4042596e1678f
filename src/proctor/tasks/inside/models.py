"""Models: probes that show the whole of a document or store."""

from __future__ import annotations

from proctor.tasks.call import Call, walk
from proctor.tasks.shelf import Whole
from proctor.tasks.shelves import tool


def models_of(check: Call) -> list[Call]:
    """Return the probes in a check that show the whole of something."""
    calls = dict.fromkeys(call for _, call in walk(check, ()) if call.kind == "probe")
    return [call for call in calls if tool(call).whole]


def whole_of(call: Call) -> Whole:
    """Return what a model shows all of."""
    whole = tool(call).whole
    assert whole is not None
    return whole
