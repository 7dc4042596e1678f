"""One step in few bytes: what the timeline and the drawing on the picture need, and nothing that can be long."""

from __future__ import annotations

from typing import Any, Literal

from proctor.actions.action import SIGNALS

MOST_TEXT = 160
MOST_POINTS = 200

Mark = Literal["refused", "problem", "signal", "end", "stale", ""]
"""How a step stands out in the timeline."""


def compact(line: dict[str, Any], number: int, began: float) -> dict[str, Any]:
    """Return a line of `steps.jsonl` in short; what is empty is left out."""
    action = line.get("action")
    element = line.get("element")
    short = {
        "n": number,
        "step": line.get("step"),
        "turn": line.get("turn"),
        "at": _seconds(line.get("at"), began),
        "mark": mark(line),
        "saw": _seen(line.get("saw")),
        "action": _action(action) if isinstance(action, dict) else None,
        "element": _element(element) if isinstance(element, dict) else None,
        "calls": line["calls"] if isinstance(line.get("calls"), list) else None,
        # A graph task lights its nodes as they are completed.
        "nodes": line.get("nodes"),
    }
    return {name: value for name, value in short.items() if value not in (None, "", [], {})}


def mark(line: dict[str, Any]) -> Mark:
    """Tell how a step stands out."""
    action = line.get("action")
    if line.get("end"):
        return "end"
    if line.get("refused") or line.get("trouble") or line.get("broke"):
        return "refused"
    if line.get("problem"):
        return "problem"
    if line.get("stale"):
        return "stale"
    return "signal" if isinstance(action, dict) and action.get("type") in SIGNALS else ""


def _seconds(at: Any, began: float) -> float | None:
    return round(at - began, 2) if isinstance(at, int | float) else None


def _seen(saw: Any) -> dict[str, str]:
    if not isinstance(saw, dict):
        return {}
    return {name: saw[name] for name in ("screenshot", "marks", "tree", "clip") if isinstance(saw.get(name), str)}


def _action(action: dict[str, Any]) -> dict[str, Any]:
    return {name: _short(value) for name, value in action.items() if name != "given"}


def _element(element: dict[str, Any]) -> dict[str, Any]:
    return {name: _short(element[name]) for name in ("role", "name", "app", "box") if element.get(name)}


def _short(value: Any) -> Any:
    if isinstance(value, str) and len(value) > MOST_TEXT:
        return value[:MOST_TEXT] + "…"
    if isinstance(value, list) and len(value) > MOST_POINTS:
        every = len(value) / MOST_POINTS
        return [*(value[int(place * every)] for place in range(MOST_POINTS)), value[-1]]
    return value
