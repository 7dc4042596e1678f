"""What doors tell of the elements on the screen, and the places of those named by ids."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, get_args

from proctor.actions.dialects.dialect import Frame
from proctor.actions.dialects.space import Space
from proctor.actions.dialects.translation import find_element
from proctor.actions.fields import show
from proctor.errors import AgentError, SpecError
from proctor.observations.observation import Observation
from proctor.observations.outline import Outline
from proctor.observations.outline import outline as make_outline
from proctor.observations.outline_text import to_text
from proctor.observations.table import to_table
from proctor.observations.tree import Tree

TreeForm = Literal["outline", "osworld"]
"""How elements are listed: as an outline with ids and states, or in the table of the OSWorld paper."""
TREE_FORMS: tuple[TreeForm, ...] = get_args(TreeForm)
TREE_CHARS = 40_000
WHAT_ELEMENT = "The id of an element in the outline, in place of x and y."

Place = Callable[[float, float], tuple[float, float]]


def tree_form(given: str | bool) -> TreeForm | None:
    """Return the form that is asked for; True stands for the outline, nothing for none.

    Raises SpecError for another word.
    """
    if not given:
        return None
    form = next((form for form in TREE_FORMS if form == given), None)
    if form is None and given is not True:
        raise SpecError(f"there is no tree {given!r}", remedy=f"choose one of {', '.join(TREE_FORMS)}")
    return form or "outline"


def elements_text(
    seen: Observation, form: TreeForm = "outline", *, max_chars: int = TREE_CHARS, place: Place | None = None
) -> str:
    """Return what can be used on the screen; nothing where no tree was seen."""
    if form == "osworld":
        return to_table(seen.tree, max_chars=max_chars, place=place) if seen.tree is not None else ""
    shown = outline_of(seen)
    return to_text(shown, max_chars=max_chars, place=place) if shown is not None else ""


def outline_of(seen: Observation) -> Outline | None:
    """Return the outline of what was seen; None where no tree was."""
    if seen.outline is None and seen.tree is None:
        return None
    return seen.outline or make_outline(seen.tree or Tree(), size=seen.desktop)


def place_of(number: object, seen: Observation | None) -> tuple[float, float]:
    """Return where the element with an id is clicked; AgentError where it is nowhere."""
    shown = outline_of(seen) if seen is not None else None
    if seen is None or shown is None:
        raise AgentError("no element has been listed yet", remedy="look at the elements first, or give x and y")
    if isinstance(number, bool) or not isinstance(number, int):
        raise AgentError(f"element is {show(number)}", remedy="it must be the id of an element, a whole number")
    frame = Frame(
        desktop=seen.desktop, image=seen.desktop,
        marks=shown.points(), names=shown.names(), absent=shown.reasons(),
    )  # fmt: skip
    return find_element(frame, number)


def with_place(fields: Mapping[str, object], seen: Observation | None, space: Space | None = None) -> dict[str, object]:
    """Return the fields of an action with `x` and `y` in place of an `element`.

    They are whole pixels of the picture where a space is given, else pixels of the desktop. Raises AgentError where
    the fields have both.
    """
    rest = {name: value for name, value in fields.items() if name != "element"}
    if fields.get("element") is None:
        return rest
    if rest.get("x") is not None or rest.get("y") is not None:
        raise AgentError("a point is given twice", remedy="give either x and y, or element")
    x, y = place_of(fields["element"], seen)
    if space is not None:
        x, y = (int(at * side / whole) for at, side, whole in zip((x, y), space.size, space.desktop, strict=True))
    return {**rest, "x": x, "y": y}
