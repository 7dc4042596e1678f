"""Fitting a key to a computer: performed once, each move must find its element and no other.

A record knows the element that was hit and not the others on the screen, so a name may fit several. On a computer that
can be seen: the window, the application, or which of several is added then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from proctor.computers.computer import Computer
from proctor.computers.locator import PATIENCE_SEC, Locator
from proctor.errors import ElementNotFound, NotReady, ProctorError, SpecError
from proctor.observations.tree import Node
from proctor.records import Hit
from proctor.studio.refine.key import KeyMove, where_of
from proctor.tasks.call import Call
from proctor.tasks.move_context import MoveContext
from proctor.tasks.perform import MoveFailed
from proctor.tasks.shelves import run
from proctor.vocabulary.desktop.where import Where

FIELDS = ("role", "name", "text", "app", "window", "within", "nth")
NEAR = 60.0
"""Pixels by which an element that has another name may have moved, and still be taken for the one that was hit."""
WINDOW_SEC = 10.0
MENU_SEC = 1.0
"""An entry of a menu that is not open is soon seen to be missing; the click opens the menu."""


@dataclass
class Fitted:
    """A key that was performed, move by move."""

    calls: list[dict[str, object]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def fit(moves: Sequence[KeyMove], context: MoveContext, heard: Callable[[int], None] = lambda made: None) -> Fitted:
    """Perform moves on a prepared computer, each fitted first; raises MoveFailed with the step."""
    made = Fitted()
    for place, move in enumerate(moves, start=1):
        try:
            context.still_going()
            call = _fit_move(move, context.computer, made)
            if call is not None:
                run(Call.from_json(call), context)
                made.calls.append(call)
        except ProctorError as error:
            raise MoveFailed(
                f"step {move.step}, {Call.from_json(move.call)}: {error.message}", remedy=error.remedy
            ) from error
        heard(place)
    return made


def _fit_move(move: KeyMove, computer: Computer, made: Fitted) -> dict[str, object] | None:
    """Return a move as it finds its element here; None for one that is not needed."""
    call = dict(move.call)
    match call["move"]:
        case "click":
            where = {name: call.pop(name) for name in FIELDS if name in call}
            return {"move": call.pop("move"), **_unique(where, move, computer, made), **call}
        case "scroll" | "draw":
            return {**call, "on": _unique(where_of(move.hit), move, computer, made)}
        case "drag":
            source = _unique(where_of(move.hit), move, computer, made)
            return {**call, "source": source, "target": _target(move, computer, made)}
        case "await_window":
            try:
                run(Call.from_json({**call, "timeout_sec": WINDOW_SEC}), MoveContext(computer, lambda _: ""))
            except NotReady:
                made.notes.append(f"step {move.step}: no window {call['title']!r} is awaited; it has another title")
                return None
    return call


def _unique(where: Mapping[str, object], move: KeyMove, computer: Computer, made: Fitted) -> Mapping[str, object]:
    hit = move.hit or Hit()
    try:
        _on(where, computer).wait(MENU_SEC if "menu" in hit.role else PATIENCE_SEC)
        return where
    except ElementNotFound:
        return _otherwise(where, move, computer, made)
    except SpecError:
        pass  # it fits several: it is described more closely
    closer = [{"window": hit.window}, {"app": hit.app}, {"app": hit.app, "window": hit.window}]
    for more in closer:
        tried = {**where, **{name: value for name, value in more.items() if value}}
        if tried != where and len(_on(tried, computer).all()) == 1:
            return tried
    found = _on(where, computer).all()
    chosen = _nearest(found, hit, move.point)
    made.notes.append(f"step {move.step}: {len(found)} elements are like it; number {chosen} of them is taken")
    return {**where, "nth": chosen}


def _otherwise(where: Mapping[str, object], move: KeyMove, computer: Computer, made: Fitted) -> Mapping[str, object]:
    """Return another description where none fits; raises ElementNotFound where nothing is like it."""
    hit = move.hit or Hit()
    if "menu" in hit.role:
        return where  # it is opened on the way to it
    loose = {"role": hit.role, **({"app": hit.app} if hit.app else {})}
    found = _on(loose, computer).all() if hit.role and hit.box else []
    if found:
        chosen = _nearest(found, hit, move.point)
        if _distance(found[chosen], hit, move.point) <= NEAR:
            made.notes.append(f"step {move.step}: its name differs here; it is found by its role and its number")
            return {**loose, "nth": chosen} if len(found) > 1 else loose
    _on(where, computer).find()
    return where


def _target(move: KeyMove, computer: Computer, made: Fitted) -> Mapping[str, object]:
    """Return what something is dropped on: what lies at the place where it was let go."""
    assert move.target is not None
    node = computer.element_at(*move.target)
    if node is None or node.box is None:
        raise ElementNotFound("no element is known where it is dropped", remedy="relabel the step as clicks or keys")
    hit = Hit(
        role=node.role, name=node.name, text=node.text[:2000], app=node.app, window=node.window,
        box=(node.box.x, node.box.y, node.box.width, node.box.height),
    )  # fmt: skip
    return _unique(where_of(hit), replace(move, hit=hit, point=move.target), computer, made)


def _on(where: Mapping[str, object], computer: Computer) -> Locator:
    make: Callable[..., Where] = Where
    return make(**where).on(computer)


def _nearest(nodes: Sequence[Node], hit: Hit, point: tuple[float, float] | None) -> int:
    return min(range(len(nodes)), key=lambda place: _distance(nodes[place], hit, point))


def _distance(node: Node, hit: Hit, point: tuple[float, float] | None) -> float:
    if node.box is None:
        return float("inf")
    if hit.box is not None:
        left, top, width, _ = hit.box
        return abs(node.box.x - left) + abs(node.box.y - top) + abs(node.box.width - width) / 4
    if point is None:
        return 0.0
    x, y = node.box.center
    return abs(x - point[0]) + abs(y - point[1])
