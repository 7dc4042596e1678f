"""One step in few bytes: what the timeline and the drawing need, and nothing that can be long."""

from __future__ import annotations

from typing import Literal

from proctor.actions.action import SIGNALS
from proctor.records import Hit, Saw, Step, plain

MOST_TEXT = 160
MOST_POINTS = 200

Mark = Literal["refused", "problem", "signal", "end", "stale", ""]
"""How a step stands out in the timeline."""


def compact(step: Step, number: int, began: float) -> dict[str, object]:
    """Return a step in short; what is empty is left out."""
    short = {
        "n": number,
        "step": step.step,
        "turn": step.turn,
        # What was last seen may be older than the first action, and a clock may be set back.
        "at": None if step.at is None else round(max(step.at - began, 0.0), 2),
        "mark": mark(step),
        "saw": _seen_files(step.saw) if step.saw else None,
        "action": {name: _short(value) for name, value in (step.action or {}).items() if name != "given"},
        "element": _element(step.element) if step.element else None,
        "calls": plain(step.calls),
        # A graph task lights its nodes as they are completed.
        "nodes": list(step.nodes),
    }
    return {name: value for name, value in short.items() if value not in (None, "", [], {})}


def mark(step: Step) -> Mark:
    """Tell how a step stands out."""
    if step.end:
        return "end"
    if step.refused or step.trouble or step.broke:
        return "refused"
    if step.problem:
        return "problem"
    if step.stale:
        return "stale"
    return "signal" if step.kind in SIGNALS else ""


def _seen_files(saw: Saw) -> dict[str, str]:
    files = {"screenshot": saw.screenshot, "marks": saw.marks, "tree": saw.tree, "clip": saw.clip}
    return {name: file for name, file in files.items() if file}


def _element(element: Hit) -> dict[str, object]:
    parts = {"role": element.role, "name": element.name, "app": element.app, "box": plain(element.box)}
    return {name: _short(value) for name, value in parts.items() if value}


def _short(value: object) -> object:
    if isinstance(value, str) and len(value) > MOST_TEXT:
        return value[:MOST_TEXT] + "…"
    if isinstance(value, list) and len(value) > MOST_POINTS:
        every = len(value) / MOST_POINTS
        return [*(value[int(place * every)] for place in range(MOST_POINTS)), value[-1]]
    return value
