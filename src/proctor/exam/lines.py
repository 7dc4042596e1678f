"""What a record keeps of how an action was carried out, and of what it hit."""

from __future__ import annotations

import traceback
from typing import Any

from proctor.computers.computer import Performed
from proctor.observations.tree import Node
from proctor.records import Hit, Output

MOST_TEXT = 2_000
"""Characters of an element's text that are kept: an editor's may be a book."""


def hit(node: Node) -> Hit:
    """Return an element as a record keeps it."""
    box = node.box
    return Hit(
        role=node.role,
        name=node.name,
        text=node.text[:MOST_TEXT],
        box=(box.x, box.y, box.width, box.height) if box else None,
        app=node.app,
        window=node.window,
    )


def outcome(performed: Performed, stale: float = 0.0) -> dict[str, Any]:
    """Return what a step holds of how its action was carried out.

    `stale` is the share of the screen that changed by itself after it was shown; nothing is kept where none had.
    """
    result = performed.result
    return {
        "settled": performed.settled,
        "stale": float(f"{stale:.3g}") if stale else None,
        "element": hit(performed.element) if performed.element is not None else None,
        "program": performed.program,
        "verified": performed.verified,
        "output": result and Output(text=result.output, error=result.error, timed_out=result.timed_out),
    }


def trace() -> str:
    """Return where the error that is being handled came up."""
    return traceback.format_exc()
