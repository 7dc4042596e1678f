"""What an agent is about to do, as shapes to draw over the screen, and as words."""

from __future__ import annotations

from proctor.actions.action import Action
from proctor.actions.in_words import action_words
from proctor.exam.lines import hit
from proctor.observations.tree import Node
from proctor.plain_text import printable

MOST_TEXT = 400
"""Characters of a text that are drawn; the whole of it stands beside the screen."""
TEXTS = ("text", "keys", "key", "code", "reason", "question")


def target_of(action: Action) -> tuple[float, float] | None:
    """Return where on the screen an action begins; None for one that goes wherever the focus is."""
    if path := getattr(action, "path", None):
        return (float(path[0][0]), float(path[0][1]))
    x, y = getattr(action, "x", None), getattr(action, "y", None)
    return None if x is None or y is None else (float(x), float(y))


def draw_shapes(
    action: Action, element: Node | None = None, pointer: tuple[int, int] | None = None
) -> list[dict[str, object]]:
    """Return what will happen as shapes; `pointer` is its place, for a click that names none."""
    shapes: list[dict[str, object]] = []
    if element is not None and element.box is not None:
        box = element.box
        shapes.append({"shape": "box", "x": box.x, "y": box.y, "width": box.width, "height": box.height})
    if path := getattr(action, "path", None):
        shapes.append({"shape": "path", "points": [[float(x), float(y)] for x, y in path]})
    place = target_of(action) or (pointer if action.kind in ("click", "mouse_down", "mouse_up", "scroll") else None)
    if place is not None:
        shapes.append({"shape": "point", "x": place[0], "y": place[1], "label": action.kind.replace("_", " ")})
    if action.kind == "scroll" and place is not None:
        dx, dy = getattr(action, "dx", 0), getattr(action, "dy", 0)
        end = [place[0] + 40 * _sign(dx), place[1] + 40 * _sign(dy)]
        shapes.append({"shape": "path", "points": [[*place], end]})
    if text := text_of(action):
        shapes.append({"shape": "text", "text": text[:MOST_TEXT]})
    return shapes


def text_of(action: Action) -> str:
    """Return the words in an action: what is typed, pressed, run, said or asked."""
    return printable(next((str(value) for name in TEXTS if (value := getattr(action, name, None))), ""))


def words_of(action: Action, element: Node | None) -> str:
    """Return what is about to happen in a sentence."""
    return printable(action_words(action.to_json(), hit(element) if element is not None else None))


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)
