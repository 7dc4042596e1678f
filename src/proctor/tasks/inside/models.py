"""Models: probes that show the whole of a document or store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from proctor.applications import is_set_up_by_hand_alone
from proctor.tasks.call import Call, walk
from proctor.tasks.shelf import Whole
from proctor.tasks.shelves import names, tool
from proctor.tasks.task import Task

SETTINGS = "application_settings"
SESSION = "session"
"""Under what name the settings of the desktop are that belong to no program."""


def models_of(task: Task) -> list[Call]:
    """Return the probes that show the whole of what a task is about.

    That is what its check looks at, be it at a part alone, and what its setup makes beside that: the mailboxes of who
    is to write a text, the bookmarks of who is to order something, the settings of every application it names.
    """
    looked = models_in(task.check)
    return list(dict.fromkeys([*looked, *_beside(task, looked)]))


def models_in(check: Call) -> list[Call]:
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


def _beside(task: Task, looked: Sequence[Call]) -> Iterator[Call]:
    """Yield the models that a task makes matter without looking at them."""
    known = {call.name for call in looked}
    made = [(tool(Call("probe", name)).made_by, name) for name in names("probe") if name not in known]
    for step in task.setup:
        yield from (
            Call("probe", name, dict(by.given(step.arguments))) for by, name in made if by and by.step == step.name
        )
    # Those of the desktop hold what many applications share.
    if Call("probe", SETTINGS, {"app": "desktop"}) not in looked:
        yield from (Call("probe", SETTINGS, {"app": app}) for app in task.tags.apps if is_set_up_by_hand_alone(app))
        # Nobody asks for another font or theme who asks for something else.
        if task.tags.apps:
            yield Call("probe", SETTINGS, {"app": SESSION})
