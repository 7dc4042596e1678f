"""What a record keeps of how an action was carried out, and of what it hit."""

from __future__ import annotations

import traceback
from typing import Any

from proctor.computers.computer import Performed
from proctor.observations.tree import Node

MOST_TEXT = 2_000
"""Characters of an element's text that are kept: an editor's may be a book."""


def element_line(node: Node) -> dict[str, Any]:
    """Return an element as plain data; what is empty is left out."""
    box = node.box
    line: dict[str, Any] = {
        "role": node.role,
        "name": node.name,
        "text": node.text[:MOST_TEXT],
        "box": [box.x, box.y, box.width, box.height] if box else None,
        "app": node.app,
        "window": node.window,
    }
    return {name: value for name, value in line.items() if value}


def outcome_line(performed: Performed, stale: float = 0.0) -> dict[str, Any]:
    """Return what a record keeps of how an action was carried out.

    `stale` is the share of the screen that had changed by itself since it was shown; nothing is kept where none had.
    """
    line: dict[str, Any] = {"settled": performed.settled}
    if stale:
        line["stale"] = float(f"{stale:.3g}")
    if performed.element is not None:
        line["element"] = element_line(performed.element)
    if performed.verified is not None:
        line["verified"] = performed.verified
    if performed.result is not None:
        result = performed.result
        line["output"] = {"text": result.output, "error": result.error, "timed_out": result.timed_out}
    return line


def trace() -> str:
    """Return where the error that is being handled came up."""
    return traceback.format_exc()
