"""Models: probes that show the whole of a document or store."""

from __future__ import annotations

from proctor.tasks.call import Call, walk
from proctor.tasks.shelf import Whole
from proctor.tasks.shelves import tool


def models_of(check: Call) -> list[Call]:
    """Return the probes that show the whole of what a check looks at a part of."""
    calls = [call for _, call in walk(check, ()) if call.kind == "probe" and tool(call).whole]
    return list(dict.fromkeys([*calls, *parts_of(check).values()]))


def parts_of(check: Call) -> dict[Call, Call]:
    """Return the probes in a check that tell a part of what another one shows, and that one."""
    calls = dict.fromkeys(call for _, call in walk(check, ()) if call.kind == "probe")
    return {call: follows.whole(call) for call in calls if (follows := tool(call).follows)}


def whole_of(call: Call) -> Whole:
    """Return what a model shows all of."""
    whole = tool(call).whole
    assert whole is not None
    return whole
