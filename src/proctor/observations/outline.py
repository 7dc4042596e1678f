"""The screen as an outline: by window, every element that can be used or read, with its states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from proctor.observations.box import Box
from proctor.observations.elements import quote
from proctor.observations.outline_ids import Ids
from proctor.observations.outline_pick import Pick, pick
from proctor.observations.tree import Node, Tree
from proctor.observations.window import SeenWindow

MAX_ELEMENTS = 3_000
"""How many elements an outline holds; it says how many more there are."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Element:
    """One element with its number."""

    id: int
    """Short, and the same for as long as the element is there; numbers start at 1."""
    node: Node
    role: str
    name: str
    value: str = ""
    states: tuple[str, ...] = ()
    """The states that matter, `offscreen` and `covered` among them."""
    box: Box | None = None
    """What can be seen of it, in desktop pixels; None where that is nothing."""
    point: tuple[int, int] | None = None
    """Where to click it: the middle, or a place that no other window covers."""
    usable: bool = True
    """Whether a pointer or a key can act on it; otherwise it is there to be read."""

    def describe(self) -> str:
        """Return it in a few words, for messages."""
        said = self.name or self.value[:60]
        return f"{self.role} {quote(said)}" if said else self.role


@dataclass(frozen=True, slots=True)
class Line:
    """A line of an outline: a heading, an element, or the cells of a row of a table."""

    depth: int
    heading: str = ""
    elements: tuple[Element, ...] = ()
    window: bool = False
    """Whether it is the heading of a window."""
    box: Box | None = None
    """Of a window."""


@dataclass(frozen=True)
class Outline:
    """Everything on the screen at one instant, in reading order."""

    lines: tuple[Line, ...] = ()
    left_out: int = 0
    """How many more elements there are."""
    absent: Mapping[int, str] = field(default_factory=dict)
    """What became of ids that were given earlier and are not among the elements."""

    @property
    def elements(self) -> Iterator[Element]:
        """The elements, in the order of the lines."""
        return (element for line in self.lines for element in line.elements)

    def points(self) -> dict[int, tuple[int, int]]:
        """Return where each element that can be seen is clicked, by id."""
        return {element.id: element.point for element in self.elements if element.point is not None}

    def reasons(self) -> dict[int, str]:
        """Return why ids cannot be clicked: gone, or out of sight."""
        unseen = {}
        for element in self.elements:
            if element.point is None:
                where = "covered by another window" if "covered" in element.states else "offscreen"
                unseen[element.id] = f"{element.describe()} is {where}"
        return {**self.absent, **unseen}

    def names(self) -> dict[int, str]:
        """Return what each element is, in a few words, by id."""
        return {element.id: element.describe() for element in self.elements}


def outline(
    tree: Tree, *, size: tuple[int, int], windows: Sequence[SeenWindow] = (), ids: Ids | None = None
) -> Outline:
    """Return what a tree shows on a desktop of this size, the frontmost window first.

    `windows` are listed bottom to top and tell what covers what; `ids` remembers the numbers of the last time.
    """
    screen = Box(0, 0, *size)
    groups = pick(tree, screen, windows)
    found = [item for group in groups for line in group.lines for item in line.items]
    kept, left_out = found[:MAX_ELEMENTS], max(len(found) - MAX_ELEMENTS, 0)
    ids = Ids() if ids is None else ids
    numbers = ids.number([(item.node, item.name, item.role) for item in kept])
    numbered = {id(item): _element(item, number) for item, number in zip(kept, numbers, strict=True)}
    ids.remember({element.id: element.describe() for element in numbered.values()})
    lines: list[Line] = []
    for group in groups:
        lines.append(Line(0, group.heading, window=True, box=group.box))
        for line in group.lines:
            elements = tuple(numbered[id(item)] for item in line.items if id(item) in numbered)
            if line.heading or elements:
                lines.append(Line(line.level, line.heading, elements))
    return Outline(_without_empty(lines), left_out, ids.former())


def _element(item: Pick, number: int) -> Element:
    return Element(
        id=number, node=item.node, role=item.role, name=item.name, value=item.value, states=item.states, box=item.box,
        point=item.point, usable=item.usable,
    )  # fmt: skip


def _without_empty(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Leave out headings below which nothing is left, except those of windows."""
    kept: list[Line] = []
    for line in reversed(lines):
        after = kept[-1] if kept else None
        if line.elements or line.window or (after is not None and after.depth > line.depth):
            kept.append(line)
    return tuple(reversed(kept))
