"""An answer key made of a demonstration: what was done at pixels becomes moves that find their elements by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from proctor.records import Hit, Step
from proctor.records.step import Places

LARGE = 100_000
"""Square pixels; in an element that is larger it matters where it is clicked."""
PLACED = frozenset({
    "text", "terminal", "canvas", "drawing area", "image", "document text", "document web", "document frame",
    "document spreadsheet", "paragraph", "panel", "filler", "scroll pane", "viewport", "slider", "scroll bar",
    "frame", "window", "application", "unknown", "table", "tree table", "list", "icon",
})  # fmt: skip
"""Roles of elements in which it matters where they are clicked."""
LONGEST_NAME = 80
LONGEST_TEXT = 40
TOUCHES = frozenset({"tap", "long_press", "swipe", "pinch"})

Where = dict[str, Any]
"""How a move names an element."""


@dataclass(frozen=True)
class Move:
    """One move of a key, with what is known of where it was made."""

    call: dict[str, Any]
    """As a task holds it: `{"move": "click", "name": "Save", ...}`."""
    step: int
    """Of which step, from 1."""
    hit: Hit | None = None
    point: tuple[float, float] | None = None
    target: tuple[float, float] | None = None
    """Where something is to be dropped; on which element is found out on a computer."""


@dataclass
class Draft:
    """A key as it follows from the record alone."""

    moves: list[Move] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What was left out or taken otherwise, and why."""
    problems: list[str] = field(default_factory=list)
    """What cannot be a move, and what to do about it; a key with problems is not performed."""

    @property
    def calls(self) -> list[dict[str, Any]]:
        """The moves as a task holds them."""
        return [move.call for move in self.moves]


def draft_key(steps: Sequence[Step]) -> Draft:
    """Return the moves that a demonstration's steps stand for."""
    made = Draft()
    window = ""
    for number, step in enumerate(steps, start=1):
        if not step.action or step.refused or step.trouble:
            continue
        before, window = window, _window(step) or window
        if window != before and step.kind in ("type", "press"):
            # Keys go to whatever has the focus: the window must be there before.
            made.moves.append(Move({"move": "await_window", "title": _literal(window)}, number))
        _take(made, number, step)
    return made


def _take(made: Draft, number: int, step: Step) -> None:
    action = step.action or {}
    match step.kind:
        case "click":
            _placed(made, number, step, _click(action, step.element))
        case "scroll":
            on = where_of(step.element)
            wheel = {"down": int(action.get("dy", 0)), "right": int(action.get("dx", 0))}
            turned = {name: notches for name, notches in wheel.items() if notches}
            _placed(made, number, step, {"move": "scroll", "on": on, **turned} if on else None)
        case "drag":
            _drag(made, number, step)
        case "type":
            made.moves.append(Move({"move": "type", "text": str(action.get("text", ""))}, number, step.element))
        case "press":
            _press(made, number, step)
        case "run_code" | "ask_user" | "answer" | "fail":
            made.moves.append(Move(_said(action), number))
        case "done":
            pass  # a key that ends without a word says so by itself
        case "wait":
            made.notes.append(f"step {number}: a wait is left out; moves wait for their elements by themselves")
        case "move":
            made.notes.append(
                f"step {number}: resting the pointer is left out; menus on the way are opened by clicking"
            )
        case kind:
            what = "a touch" if kind in TOUCHES else str(kind).replace("_", " ")
            made.problems.append(f"step {number}: there is no move for {what}; delete or relabel the step")


def _said(action: dict[str, Any]) -> dict[str, Any]:
    """Return the move of code that was run, or of a word to the user or the examiner."""
    match action.get("type"):
        case "run_code":
            language = action.get("language", "python")
            return {"move": "run_code", "code": action.get("code", ""), "language": language}
        case "ask_user":
            return {"move": "ask", "question": action.get("question", "")}
        case "answer":
            return {"move": "answer", "text": action.get("text", "")}
        case _:
            return {"move": "fail", "reason": action.get("reason") or "it cannot be done"}


def _placed(made: Draft, number: int, step: Step, call: dict[str, Any] | None) -> None:
    action = step.action or {}
    if call is None:
        made.problems.append(f"step {number}: no element is known there; correct the element of the step")
        return
    x, y = action.get("x"), action.get("y")
    point = (float(x), float(y)) if x is not None and y is not None else None
    made.moves.append(Move(call, number, step.element, point))


def _click(action: dict[str, Any], hit: Hit | None) -> dict[str, Any] | None:
    where = where_of(hit)
    if not where or hit is None:
        return None
    call: dict[str, Any] = {"move": "click", **where}
    for name in ("button", "count", "modifiers"):
        if action.get(name) not in (None, "left", 1, [], ()):
            call[name] = action[name]
    if hit.box is not None and action.get("x") is not None and _place_matters(hit):
        call["at"] = spot(hit.box, action["x"], action["y"])
    return call


def _drag(made: Draft, number: int, step: Step) -> None:
    action, hit = step.action or {}, step.element
    where, path = where_of(hit), action.get("path") or []
    if not where or hit is None or hit.box is None or len(path) < 2:
        made.problems.append(
            f"step {number}: no element is known where the drag begins; correct the element of the step"
        )
        return
    held = {"modifiers": action["modifiers"]} if action.get("modifiers") else {}
    if all(_within(hit.box, *point) for point in path):
        other = {"button": action["button"]} if action.get("button", "left") != "left" else {}
        spots = [spot(hit.box, *point) for point in path]
        call = {"move": "draw", "on": where, "path": spots, **other, **held}
        made.moves.append(Move(call, number, hit))
        return
    end = (float(path[-1][0]), float(path[-1][1]))
    call = {"move": "drag", "source": where, "target": {}, **held}
    made.moves.append(Move(call, number, hit, (float(path[0][0]), float(path[0][1])), target=end))
    made.notes.append(f"step {number}: on what it is dropped is found out when the key is performed")


def _press(made: Draft, number: int, step: Step) -> None:
    keys = str((step.action or {}).get("keys", ""))
    last = made.moves[-1] if made.moves else None
    if last is not None and last.call["move"] == "press" and last.call["keys"] == keys and last.step == number - 1:
        times = last.call.get("times", 1) + 1
        if times <= 200:
            made.moves[-1] = replace(last, call={**last.call, "times": times}, step=number)
            return
    made.moves.append(Move({"move": "press", "keys": keys}, number, step.element))


def where_of(hit: Hit | None) -> Where:
    """Return how a move names an element: by role and name, else by what it holds, else by its application."""
    if hit is None or not (hit.role or hit.name):
        return {}
    where: Where = {"role": hit.role} if hit.role else {}
    name, text = hit.name.strip(), hit.text.strip()
    if name and len(name) <= LONGEST_NAME and "\n" not in name:
        where["name"] = _literal(name)
    elif text and len(text) <= LONGEST_TEXT and "\n" not in text and hit.role not in PLACED:
        where["text"] = _literal(text)
    elif hit.app:
        where["app"] = _literal(hit.app)
    return where


def spot(box: Places, x: float, y: float) -> list[float]:
    """Return a place in an element as fractions of it."""
    left, top, width, height = box
    across = (x - left) / max(width - 1, 1)
    down = (y - top) / max(height - 1, 1)
    return [round(min(max(each, 0.0), 1.0), 3) for each in (across, down)]


def _place_matters(hit: Hit) -> bool:
    assert hit.box is not None
    return hit.role in PLACED or not hit.name.strip() or hit.box[2] * hit.box[3] > LARGE


def _within(box: Places, x: float, y: float) -> bool:
    left, top, width, height = box
    return left <= x <= left + width and top <= y <= top + height


def _window(step: Step) -> str:
    """Return the title of the window that a step is made in, without the mark of what is not saved."""
    return step.element.window.strip().lstrip("*•● ").strip() if step.element else ""


def _literal(text: str) -> str:
    """Return a text that is found as it is: between two strokes it would be taken for a pattern."""
    return f"/^{text_pattern(text)}$/" if len(text) > 2 and text[0] == text[-1] == "/" else text


def text_pattern(text: str) -> str:
    """Return a pattern that finds a text."""
    return "".join(f"\\{char}" if not char.isalnum() and char.isascii() else char for char in text)


def as_python(calls: Sequence[dict[str, Any]]) -> str:
    """Return moves as they are written in the module of a suite."""
    lines = []
    for call in calls:
        arguments = ", ".join(f"{name}={value!r}" for name, value in call.items() if name != "move")
        lines.append(f"hand.{call['move']}({arguments}),")
    return "\n".join(lines)
