"""The correction of three known lies about places.

LibreOffice at times places its content as if its window had no menu bar. Above or beside the `root pane` that holds the
content, the window has a panel where that content is really drawn. Both are of one size; when they are not in one
place, the panel is right.

Tables that LibreOffice draws itself, such as the preview of an import, count the places of their cells from their own
corner.

GTK 4 counts from the corner of the window, whatever it is asked. Where that corner is, the display knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from proctor.computers.channels.atspi.ask import ACCESSIBLE, Asker, get, get_children, get_extents, refs_of
from proctor.computers.channels.atspi.nodes import ROOT_PATH, Details, Placed, Ref
from proctor.computers.channels.dbus.client import value_of, variant_of
from proctor.observations.box import Box

PANE_ROLE = "root pane"
TABLE_ROLE = "table"
MAX_SHIFT = 100
"""A menu bar is not higher than this."""
MAX_PANES = 20
"""How many panes are compared with what is beside them; each costs a walk over the tree."""
MAX_BESIDE = 100


class Shift(NamedTuple):
    """How far something is to be moved."""

    x: int = 0
    y: int = 0

    def apply(self, box: Box) -> Box:
        """Return a box in its true place."""
        return Box(box.x + self.x, box.y + self.y, box.width, box.height)


NO_SHIFT = Shift()


class Corners(NamedTuple):
    """The windows of applications that count from a window's corner: title and box, by bus name."""

    windows: Mapping[str, Sequence[tuple[str, Box]]] = {}

    def shift(self, bus: str, title: str, own: Box) -> Shift | None:
        """Return how far a window that says it is at `own` is to be moved; None when nobody knows."""
        if bus not in self.windows:
            return NO_SHIFT
        known = self.windows[bus]
        if not known:
            return None
        _, real = min(known, key=lambda window: (window[0] != title, abs(window[1].area - own.area)))
        # What the display calls the window may have a border or shadow around what the application does.
        margin = (real.width - own.width) // 2, (real.height - own.height) // 2
        return Shift(real.x + margin[0] - own.x, real.y + margin[1] - own.y)


def shift_between(pane: Box, beside: Iterable[Box]) -> Shift:
    """Return how far a pane is from the only other place where it could be."""
    if not pane.area:
        return NO_SHIFT
    places = {Shift(box.x - pane.x, box.y - pane.y) for box in beside if box[2:] == pane[2:]}
    near = {shift for shift in places if abs(shift.x) <= MAX_SHIFT and abs(shift.y) <= MAX_SHIFT}
    return next(iter(near)) if len(near) == 1 else NO_SHIFT


def shift_boxes(placed: Sequence[Placed], details: Mapping[Ref, Details], corners: Corners) -> dict[Ref, Details]:
    """Return the details with every box in its true place."""
    result = dict(details)
    panes = 0
    for index, entry in enumerate(placed):
        mine = details.get(entry.item.ref)
        shift: Shift | None = NO_SHIFT
        if entry.depth == 1 and mine and mine.box:
            shift = corners.shift(entry.item.ref.bus, entry.item.name, mine.box)
        elif entry.item.role == PANE_ROLE and mine and mine.box and panes < MAX_PANES:
            panes += 1
            shift = shift_between(mine.box, _beside(placed, details, entry))
        elif entry.item.role == TABLE_ROLE and mine and mine.box:
            _move_cells(placed, result, index, mine.box)
        if shift != NO_SHIFT:
            _move(placed, result, index, shift)
    return result


def _move_cells(placed: Sequence[Placed], details: dict[Ref, Details], table: int, around: Box) -> None:
    """Move the cells of a table that all lie outside of it, and inside if they are counted from its corner."""
    cells = []
    for index, entry in enumerate(placed[table + 1 :], table + 1):
        if entry.depth <= placed[table].depth:
            break
        known = details.get(entry.item.ref)
        if entry.parent == table and known and known.box:
            inside = known.box.within(Box(0, 0, around.width, around.height))
            if not inside or known.box.within(around):
                return
            cells.append(index)
    for index in cells:
        _move(placed, details, index, Shift(around.x, around.y))


def _beside(placed: Sequence[Placed], details: Mapping[Ref, Details], pane: Placed) -> list[Box]:
    """Return the boxes of the pane's parent and of the children of its siblings."""
    boxes = []
    for index, entry in enumerate(placed):
        above = placed[entry.parent] if entry.parent is not None else None
        cousin = above is not None and above.parent == pane.parent and above.item.ref != pane.item.ref
        known = details.get(entry.item.ref)
        if known and known.box and pane.parent is not None and (cousin or index == pane.parent):
            boxes.append(known.box)
    return boxes


def _move(placed: Sequence[Placed], details: dict[Ref, Details], start: int, shift: Shift | None) -> None:
    """Move a node and all below it, except what GTK itself draws in there and places where it is."""
    true: int | None = None
    told: dict[int, Box] = {}
    for index, entry in enumerate(placed[start:], start):
        if entry.depth <= placed[start].depth and index != start:
            break
        if true is not None and entry.depth > true:
            continue
        true = None
        known = details.get(entry.item.ref)
        if known and known.box:
            around = told.get(entry.parent) if entry.parent is not None else None
            if shift and around and known.box.within(shift.apply(around)) and not known.box.within(around):
                true = entry.depth
                continue
            told[index] = known.box
            box = shift.apply(known.box) if shift else None
            details[entry.item.ref] = Details(box, known.text, known.value, known.actions, known.attributes)


def ask_shift(asker: Asker, pane: Ref) -> Shift:
    """Ask how far a pane is to be moved."""
    names = [get(pane, ACCESSIBLE, "Name"), get_extents(pane), get_children(Ref(pane.bus, ROOT_PATH))]
    title, extents, family = asker.ask(names)
    windows = refs_of(family, pane.bus)[:MAX_BESIDE]
    titles = asker.ask([get(window, ACCESSIBLE, "Name") for window in windows])
    own = variant_of(title, "s")
    mine = [window for window, name in zip(windows, titles, strict=True) if variant_of(name, "s") == own]
    inside = _children(asker, mine)
    replies = asker.ask([get_extents(ref) for ref in _children(asker, inside) if ref != pane])
    box = Box(*(value_of(extents, "(iiii)") or (0, 0, 0, 0)))
    return shift_between(box, [Box(*(value_of(reply, "(iiii)") or (0, 0, 0, 0))) for reply in replies])


def _children(asker: Asker, refs: Sequence[Ref]) -> list[Ref]:
    replies = asker.ask([get_children(ref) for ref in refs])
    return [child for ref, reply in zip(refs, replies, strict=True) for child in refs_of(reply, ref.bus)][:MAX_BESIDE]
