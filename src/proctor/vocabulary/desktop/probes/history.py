"""Probes that look at what the agent did and said, and at where it left the pointer."""

from __future__ import annotations

from proctor.observations.tree import Node
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.shelves import PROBES

MOST_TEXT = 2000
"""Characters of an element's text that are kept: a whole book may be open in it."""


@PROBES.register
def history(context: ProbeContext) -> dict[str, object]:
    """Every action that was performed, in order, with the element and the program it went to."""
    performed = [
        {"action": done.action.to_json(), "element": _element(done.element), "program": done.program}
        for done in context.history
    ]
    return {"path": "the history of actions", "performed": performed}


@PROBES.register
def answer(context: ProbeContext) -> dict[str, object]:
    """What the agent answered; absent if it ended in any other way."""
    said = context.ending.answer
    if said is None:
        raise CannotSee("absent", "the agent gave no answer")
    return {"path": "The answer", "text": said}


@PROBES.register
def questions(context: ProbeContext) -> dict[str, object]:
    """The questions that the agent asked the user, with the replies."""
    asked = [
        {
            "question": exchange.question,
            "reply": exchange.reply,
            **({"late": True} if exchange.late else {}),
            **({} if exchange.about is None else {"about": list(exchange.about)}),
        }
        for exchange in context.ending.asked
    ]
    return {"path": "the questions to the user", "asked": asked}


@PROBES.register
def shown(context: ProbeContext, reads: list[str] | None = None) -> dict[str, object]:
    """What the agent was shown and told until it ended, without what it wrote itself.

    These are the texts that could be seen on the screen, what its commands printed, and the titles of the windows that
    lay on top. Of the files and folders that are given as `reads`, what was run while they were read is told as well.
    """
    seen = context.ending.shown
    searches = [{"code": search.code, "read": list(search.read)} for search in seen.searches]
    return {
        "path": "what the agent was shown",
        "lines": list(seen.lines),
        "windows": list(seen.windows),
        "searches": searches,
    }


@PROBES.register_live()
def cursor(context: ProbeContext) -> dict[str, object]:
    """The position of the pointer at the end, and the element under it."""
    x, y = context.computer.pointer_position()
    return {"path": "the pointer", "x": x, "y": y, "element": _element(context.computer.element_at(x, y))}


def _element(node: Node | None) -> dict[str, str] | None:
    if node is None:
        return None
    held = {key: getattr(node, key) for key in ("role", "name", "text", "app", "window")}
    menu = {"menu": node.attributes["menu"]} if "menu" in node.attributes else {}
    return {key: value[:MOST_TEXT] for key, value in (held | menu).items()}
