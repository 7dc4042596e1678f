"""An answer key made of a demonstration: pixels become moves that find elements by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from proctor.actions import action as act
from proctor.actions.action import from_json
from proctor.errors import AgentError
from proctor.records import Hit, Step
from proctor.records.step import Places

LARGE = 100_000
"""Square pixels; in an element that is larger it matters where it is clicked."""
STRIP = 12
"""Times its height; of an element that is wider, such as what unfolds a part of a dialog, often one end answers."""
PLACED = frozenset({
    "text", "terminal", "canvas", "drawing area", "image", "document text", "document web", "document frame",
    "document spreadsheet", "paragraph", "panel", "filler", "scroll pane", "viewport", "slider", "scroll bar",
    "frame", "window", "application", "unknown", "table", "tree table", "list", "icon",
})  # fmt: skip
"""Roles of elements in which it matters where they are clicked."""
LONGEST_NAME = 80
LONGEST_TEXT = 40

MoveCall = dict[str, object]
"""As a task holds it: `{"move": "click", "name": "Save", ...}`."""
Where = dict[str, str]


@dataclass(frozen=True)
class KeyMove:
    """One move of a key, with what is known of where it was made."""

    call: MoveCall
    step: int
    """Of which step, from 1."""
    hit: Hit | None = None
    point: tuple[float, float] | None = None
    target: tuple[float, float] | None = None
    """Where something is to be dropped; on which element is found out on a computer."""


@dataclass
class KeyDraft:
    """A key as it follows from the record alone."""

    moves: list[KeyMove] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What was left out or taken otherwise, and why."""
    problems: list[str] = field(default_factory=list)
    """What cannot be a move, and what to do about it; a key with problems is not performed."""

    @property
    def calls(self) -> list[MoveCall]:
        """The moves as a task holds them."""
        return [move.call for move in self.moves]


def draft_key(steps: Sequence[Step]) -> KeyDraft:
    """Return the moves that a demonstration's steps stand for."""
    made = KeyDraft()
    window = ""
    for number, step in enumerate(steps, start=1):
        if not step.action or step.refused or step.trouble:
            continue
        before, window = window, _window(step) or window
        if window != before and step.kind in ("type", "press"):
            # Keys go to whatever has the focus: the window must be there before.
            made.moves.append(KeyMove({"move": "await_window", "title": _literal(window)}, number))
        _take(made, number, step)
    return made


def _take(made: KeyDraft, number: int, step: Step) -> None:
    try:
        action = from_json(step.action)
    except AgentError as error:
        made.problems.append(f"step {number}: its action is not understood: {error.message}")
        return
    match action:
        case act.Click(x=x, y=y):
            _place(made, number, step, _click(action, step.element), _point(x, y))
        case act.Scroll(dx=dx, dy=dy, x=x, y=y):
            on = where_of(step.element)
            turned = {name: notches for name, notches in (("down", dy), ("right", dx)) if notches}
            _place(made, number, step, {"move": "scroll", "on": on, **turned} if on else None, _point(x, y))
        case act.Drag():
            _drag(made, number, step, action)
        case act.Type(text=text):
            made.moves.append(KeyMove({"move": "type", "text": text}, number, step.element))
        case act.Press(keys=keys):
            _press(made, number, step, keys)
        case act.RunCode() | act.SignalAction():
            made.moves += [KeyMove(call, number) for call in _word(action)]
        case act.WaitForChange(seconds=seconds):
            made.moves.append(KeyMove({"move": "await_change", "timeout_sec": seconds}, number))
        case act.Wait():
            made.notes.append(f"step {number}: a wait is left out; moves wait for their elements by themselves")
        case act.Move():
            made.notes.append(
                f"step {number}: resting the pointer is left out; menus on the way are opened by clicking"
            )
        case _:
            what = "a touch" if action.kind in act.TOUCH else action.kind.replace("_", " ")
            made.problems.append(f"step {number}: there is no move for {what}; delete or relabel the step")


def _word(action: act.Action) -> list[MoveCall]:
    match action:
        case act.RunCode(code=code, language=language):
            return [{"move": "run_code", "code": code, "language": language}]
        case act.AskUser(question=question):
            return [{"move": "ask", "question": question}]
        case act.Answer(text=text):
            return [{"move": "answer", "text": text}]
        case act.Fail(reason=reason):
            return [{"move": "fail", "reason": reason or "it cannot be done"}]
    return []  # a key that ends without a word says so by itself


def _place(made: KeyDraft, number: int, step: Step, call: MoveCall | None, point: tuple[float, float] | None) -> None:
    if call is None:
        made.problems.append(f"step {number}: no element is known there; correct the element of the step")
        return
    made.moves.append(KeyMove(call, number, step.element, point))


def _point(x: float | None, y: float | None) -> tuple[float, float] | None:
    return None if x is None or y is None else (float(x), float(y))


def _click(action: act.Click, hit: Hit | None) -> MoveCall | None:
    where = where_of(hit)
    if not where or hit is None:
        return None
    call: MoveCall = {"move": "click", **where}
    if action.button != "left":
        call["button"] = action.button
    if action.count != 1:
        call["count"] = action.count
    if action.modifiers:
        call["modifiers"] = list(action.modifiers)
    if hit.box is not None and action.x is not None and action.y is not None and _place_matters(hit):
        call["at"] = spot(hit.box, action.x, action.y)
    return call


def _drag(made: KeyDraft, number: int, step: Step, action: act.Drag) -> None:
    hit, path = step.element, action.path
    where = where_of(hit)
    if not where or hit is None or hit.box is None or len(path) < 2:
        made.problems.append(
            f"step {number}: no element is known where the drag begins; correct the element of the step"
        )
        return
    held: MoveCall = {"modifiers": list(action.modifiers)} if action.modifiers else {}
    if all(_within(hit.box, *point) for point in path):
        other = {"button": action.button} if action.button != "left" else {}
        spots = [spot(hit.box, *point) for point in path]
        made.moves.append(KeyMove({"move": "draw", "on": where, "path": spots, **other, **held}, number, hit))
        return
    call: MoveCall = {"move": "drag", "source": where, "target": {}, **held}
    made.moves.append(KeyMove(call, number, hit, _point(*path[0]), target=_point(*path[-1])))
    made.notes.append(f"step {number}: the drop target is determined when the key is performed")


def _press(made: KeyDraft, number: int, step: Step, keys: str) -> None:
    last = made.moves[-1] if made.moves else None
    if last is not None and last.call["move"] == "press" and last.call["keys"] == keys and last.step == number - 1:
        times = last.call.get("times", 1)
        if isinstance(times, int) and times < 200:
            made.moves[-1] = replace(last, call={**last.call, "times": times + 1}, step=number)
            return
    made.moves.append(KeyMove({"move": "press", "keys": keys}, number, step.element))


def where_of(hit: Hit | None) -> Where:
    """Return how a move names an element: by role and name, by what it holds, or by its application."""
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
    _, _, width, height = hit.box
    strip = width > STRIP * height and "menu" not in hit.role
    return hit.role in PLACED or not hit.name.strip() or width * height > LARGE or strip


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


def as_python(calls: Sequence[Mapping[str, object]]) -> str:
    """Return moves as they are written in the module of a suite."""
    lines = []
    for call in calls:
        arguments = ", ".join(f"{name}={value!r}" for name, value in call.items() if name != "move")
        lines.append(f"hand.{call['move']}({arguments}),")
    return "\n".join(lines)
