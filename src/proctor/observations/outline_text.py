"""An outline as text for a model: its lines, and what has changed since another."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from proctor.observations.box import Box
from proctor.observations.elements import quote
from proctor.observations.outline import Element, Line, Outline

Place = Callable[[float, float], tuple[float, float]]
"""From desktop pixels to other coordinates."""

HOW_TO_READ = """\
An element is: id role "name" = "value" states x,y WIDTHxHEIGHT, where x,y is its middle; what does not hold is left \
out. Elements in one row share a line, divided by |; a role or a size that is not written is that of the one before, \
of cells that of the one above. States: focused, selected, checked, unchecked, mixed, expanded, collapsed, disabled, \
editable, required, invalid, busy, offscreen (out of view), covered (by another window). 21-42 "B1"-"W1" are all the \
empty cells from 21 to 42. A line that begins with - is text to read; other lines without an id are windows and parts \
of them."""
"""Tells a model what the lines mean; a test holds that they do."""
_ADDRESS = re.compile("[A-Z]{1,3}[0-9]{1,7}|")
"""What a cell of a spreadsheet is called; others have no name where there is nothing in them."""
_MOST_CHANGES = 2_000
"""Characters of what is told of changes."""


def to_text(outline: Outline, *, max_chars: int = 40_000, place: Place | None = None) -> str:
    """Return all lines within so many characters, and how many elements were left out."""
    kept: list[str] = []
    room, left_out, full = max_chars, outline.left_out, False
    above: tuple[str, ...] = ()
    for line in outline.lines:
        text = line_text(line, place, above)
        above = tuple(_size(element.box, place) for element in line.elements) if _is_row(line) else ()
        room -= len(text) + 1
        full = full or room < 0
        if full:
            left_out += len(line.elements)
        else:
            kept.append(text)
    if left_out:
        kept.append(f"({left_out} more elements are left out)")
    return "\n".join(kept) or "(no element says that it is on the screen)"


def line_text(line: Line, place: Place | None = None, above: Sequence[str] = ()) -> str:
    """Return one line; `above` are the sizes of cells in the row above."""
    indent = " " * line.depth
    if line.heading:
        return f"{indent}{line.heading}{f' {_box(line.box, place)}' if line.box else ''}"
    said: list[str] = []
    below = bool(above) and _is_row(line)
    role, size, column = "cell" if below else "", "", 0
    for run in _runs(line.elements):
        if below:
            size = above[column] if column < len(above) else ""
            column += len(run)
        first, last = run[0], run[-1]
        own = first.role if first.usable else "-"
        shown = _size(first.box, place)
        words = [] if own == role else [own]
        if first is last:
            words = [*words, _words(first), *first.states, _point(first.box, place)]
        else:
            words += [
                f"{quote(first.name)}-{quote(last.name)}",
                f"{_point(first.box, place)}-{_point(last.box, place)}",
            ]
        number = "" if not first.usable else str(first.id) if first is last else f"{first.id}-{last.id}"
        said.append(" ".join(filter(None, [number, *words, "" if shown == size else shown])))
        role, size = own, shown
    return indent + " | ".join(said)


def _is_row(line: Line) -> bool:
    return bool(line.elements) and all(element.role == "cell" and element.usable for element in line.elements)


def _runs(elements: Sequence[Element]) -> Iterator[list[Element]]:
    """Yield elements one by one, and empty cells together."""
    run: list[Element] = []
    for element in elements:
        if run and not (_is_blank(run[-1]) and _is_blank(element) and element.id == run[-1].id + 1):
            yield run
            run = []
        run.append(element)
    if run:
        yield run


def _is_blank(element: Element) -> bool:
    return (
        element.role == "cell"
        and not element.value
        and not element.states
        and _ADDRESS.fullmatch(element.name) is not None
    )


def element_text(element: Element, place: Place | None = None) -> str:
    """Return an element as it stands on a line of its own."""
    return line_text(Line(0, elements=(element,)), place)


def change_text(before: Outline, now: Outline, *, place: Place | None = None) -> str:
    """Return what is new, gone or different in an outline, one a line; empty for nothing."""
    then = {element.id: element for element in before.elements}
    here = {element.id: element for element in now.elements}
    lines = list(_changes(then, here, place))
    kept: list[str] = []
    room = _MOST_CHANGES
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    if len(kept) < len(lines):
        kept.append(f"(and {len(lines) - len(kept)} more changes)")
    return "\n".join(kept)


def _changes(then: dict[int, Element], here: dict[int, Element], place: Place | None) -> Iterator[str]:
    for number, element in here.items():
        old = then.get(number)
        if old is None:
            yield f"new: {element_text(element, place)}"
        elif _looks(old) != _looks(element):
            yield f"now: {element_text(element, place)}"
    gone = [element for number, element in then.items() if number not in here]
    for element in gone:
        yield f"gone: {element.id} {element.describe()}"


def _looks(element: Element) -> tuple[object, ...]:
    return element.role, element.name, element.value, element.states, element.box


def _words(element: Element) -> str:
    name = quote(element.name) if element.name else ""
    return f"{name} = {quote(element.value)}".lstrip() if element.value else name


def _box(box: Box | None, place: Place | None) -> str:
    return f"{_point(box, place)} {_size(box, place)}".strip()


def _point(box: Box | None, place: Place | None) -> str:
    if box is None:
        return ""
    x, y = box.center if place is None else place(*box.center)
    return f"{x},{y}"


def _size(box: Box | None, place: Place | None) -> str:
    if box is None:
        return ""
    width, height = (box.width, box.height) if place is None else place(box.width, box.height)
    return f"{width}x{height}"
