"""The visible cells of tables that make their cells only on request, such as a spreadsheet of a billion."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from proctor.computers.channels.atspi.ask import (
    ACCESSIBLE,
    COMPONENT,
    PREFIX,
    SCREEN,
    Asker,
    batches,
    get,
    get_extents,
    get_text,
)
from proctor.computers.channels.atspi.nodes import Details, Ref, TreeItem, make_item, own_ref
from proctor.computers.channels.atspi.tree_cache import NOTHING, Remembered
from proctor.computers.channels.dbus.client import MethodCall, Reply, value_of, variant_of
from proctor.observations.bounds import MAX_TEXT, cut
from proctor.observations.box import Box

TABLE = f"{PREFIX}.Table"
TEXT = f"{PREFIX}.Text"
SMALL_TABLE = 300
"""Up to this many cells, all are asked for and the hidden ones dropped."""
MAX_CELLS = 3_000
MAX_HEADERS = 60
_PROBES = 24
"""Points tried along each line of a large table whose corners are empty."""


class Range(NamedTuple):
    """Which rows and columns are asked for."""

    rows: range
    columns: range


@dataclass(frozen=True, slots=True)
class Grid:
    """The visible cells of one table, with where they are and what they say."""

    range: Range
    cells: dict[Ref, TreeItem]
    details: dict[Ref, Details]


def read_table(
    asker: Asker, table: TreeItem, screen: Box, before: Grid | None = None, remembered: Remembered = NOTHING
) -> Grid | None:
    """Return the cells of a table that are on screen, row by row, or None when there are none.

    The cells of the reading before are asked again rather than looked up again, as long as each is where it was; those
    that have not changed are not asked at all.
    """
    extents, rows, columns = asker.ask(
        [get_extents(table.ref), get(table.ref, TABLE, "NRows"), get(table.ref, TABLE, "NColumns")]
    )
    box = _box(extents).intersect(screen)
    whole = Range(range(variant_of(rows, "i") or 0), range(variant_of(columns, "i") or 0))
    if box is None or not whole.rows or not whole.columns:
        return None
    visible = _visible_range(asker, table.ref, box, whole)
    if visible is None:
        return None
    again = _ask_again(asker, before, remembered) if before and before.range == visible else None
    return again or _look_up(asker, table.ref, visible)


def find_headers(asker: Asker, table: TreeItem) -> list[Ref]:
    """Return the headings of a table's columns; none where it has too many columns."""
    (count,) = asker.ask([get(table.ref, TABLE, "NColumns")])
    columns = variant_of(count, "i") or 0
    if not 0 < columns <= MAX_HEADERS:
        return []
    replies = asker.ask([MethodCall(*table.ref, TABLE, "GetColumnHeader", "i", (column,)) for column in range(columns)])
    return list(dict.fromkeys(ref for reply in replies if (ref := _ref(reply, table.ref.bus))))


def _visible_range(asker: Asker, table: Ref, box: Box, whole: Range) -> Range | None:
    """Narrow a large table to the rows and columns between those found at some points of it."""
    if len(whole.rows) * len(whole.columns) <= SMALL_TABLE:
        return whole
    left, top, right, bottom = box.x + 1, box.y + 1, box.x + box.width - 2, box.y + box.height - 2
    found = _cells_at(asker, table, whole, [(left, top), (right, bottom)])
    if len(found) < 2:
        down = [top + (bottom - top) * step // _PROBES for step in range(_PROBES + 1)]
        across = [left + (right - left) * step // _PROBES for step in range(_PROBES + 1)]
        # Two lines each way: a heading or an empty margin may hide one of them.
        columns = [(x, y) for x in (left + 4, across[_PROBES // 2]) for y in down]
        rows = [(x, y) for y in (down[1], down[_PROBES // 2]) for x in across]
        found = _cells_at(asker, table, whole, columns + rows)
    if not found:
        return None
    # A point may fall between two rows, so one more each way is taken; hidden cells drop out later.
    first, last = max(min(row for row, _ in found) - 1, 0), max(row for row, _ in found) + 1
    across_range = whole.columns[min(column for _, column in found) : max(column for _, column in found) + 1]
    across_range = across_range[:MAX_CELLS]
    return Range(whole.rows[first : last + 1][: MAX_CELLS // len(across_range)], across_range)


def _cells_at(asker: Asker, table: Ref, whole: Range, points: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    at = asker.ask([MethodCall(*table, COMPONENT, "GetAccessibleAtPoint", "iiu", (*point, SCREEN)) for point in points])
    cells = dict.fromkeys(ref for reply in at if (ref := _ref(reply, table.bus)) and ref != table)
    indices = [
        value_of(reply, "i")
        for reply in asker.ask([MethodCall(*cell, ACCESSIBLE, "GetIndexInParent") for cell in cells])
    ]
    replies = asker.ask(
        [
            MethodCall(*table, TABLE, member, "i", (index,))
            for index in indices
            if index is not None
            for member in ("GetRowAtIndex", "GetColumnAtIndex")
        ]
    )
    pairs = [(value_of(row, "i"), value_of(column, "i")) for row, column in batches(replies, 2)]
    # Only numbers are looked up in a range; anything else is compared with each of its billion members.
    known = [(row, column) for row, column in pairs if row is not None and column is not None]
    return [(row, column) for row, column in known if row in whole.rows and column in whole.columns]


def _look_up(asker: Asker, table: Ref, visible: Range) -> Grid:
    places = [(row, column) for row in visible.rows for column in visible.columns]
    replies = asker.ask([MethodCall(*table, TABLE, "GetAccessibleAt", "ii", place) for place in places])
    columns: dict[Ref, int] = {}
    for (_, column), reply in zip(places, replies, strict=True):
        if cell := _ref(reply, table.bus):
            columns.setdefault(cell, column)
    # Role, interfaces and number of children are those of the column's first cell.
    heads = {column: cell for cell, column in reversed(columns.items())}
    kinds = dict(
        zip(heads, batches(asker.ask([call for cell in heads.values() for call in _kind_calls(cell)]), 3), strict=True)
    )
    blanks = {}
    for place, (cell, column) in enumerate(columns.items()):
        interfaces, role, count = kinds[column]
        blanks[cell] = make_item(
            cell, table, place, variant_of(count, "i") or 0, value_of(interfaces, "as") or (), "",
            value_of(role, "u") or 0,
        )  # fmt: skip
    return _describe(asker, visible, blanks.values())


def _kind_calls(cell: Ref) -> tuple[MethodCall, ...]:
    return (
        MethodCall(*cell, ACCESSIBLE, "GetInterfaces"),
        MethodCall(*cell, ACCESSIBLE, "GetRole"),
        get(cell, ACCESSIBLE, "ChildCount"),
    )


def _ask_again(asker: Asker, before: Grid, remembered: Remembered) -> Grid | None:
    """Describe known cells again; None when one has moved, for then it may be of another row."""
    still = {ref: cell for ref, cell in before.cells.items() if remembered.unchanged(cell)}
    # Rows that were scrolled out of sight are where they were, unless those in sight have moved.
    unseen = {ref: cell for ref, cell in before.cells.items() if ref not in still and remembered.nowhere(cell)}
    kept = {**still, **unseen}
    asked = _describe(asker, before.range, [cell for ref, cell in before.cells.items() if ref not in kept], before)
    if len(kept) + len(asked.cells) != len(before.cells):
        return None
    now = Grid(
        before.range,
        {ref: kept.get(ref) or asked.cells[ref] for ref in before.cells},
        {ref: before.details[ref] if ref in kept else asked.details[ref] for ref in before.cells},
    )
    # Cells are merged and split while they are selected.
    handled = [cell.ref for cell in asked.cells.values() if cell.states & {"focused", "selected"}]
    for cell, reply in zip(handled, asker.ask([get_extents(cell) for cell in handled]), strict=True):
        now.details[cell] = replace(now.details[cell], box=_box(reply))
    if any(now.details[cell].box != details.box for cell, details in before.details.items()):
        return None
    remembered.confirm(unseen)
    return now


def _describe(asker: Asker, visible: Range, cells: Iterable[TreeItem], before: Grid | None = None) -> Grid:
    """Ask what differs from cell to cell; the hidden ones drop out."""
    cells = list(cells)
    inner = set(before.cells) - _outline(before) if before else set()
    groups = [_cell_calls(cell, before, placed=cell.ref in inner) for cell in cells]
    replies = iter(asker.ask([call for group in groups for call in group.values()]))
    grid = Grid(visible, {}, {})
    filled: list[Ref] = []
    for cell, group in zip(cells, groups, strict=True):
        said = {question: next(replies) for question in group}
        name = variant_of(said["name"], "s") or "" if "name" in said else cell.name
        item = cell.renewed(name, value_of(said["states"], "au") or ())
        if item.showing:
            box = _box(said["box"]) if "box" in said or before is None else before.details[cell.ref].box
            text = value_of(said["text"], "s") if "text" in said else ""
            grid.cells[cell.ref] = item
            grid.details[cell.ref] = Details(box=box, text=cut(text or "", MAX_TEXT))
            if "length" in said and variant_of(said["length"], "i"):
                filled.append(cell.ref)
    for ref, reply in zip(filled, asker.ask([get_text(ref) for ref in filled]), strict=True):
        grid.details[ref] = replace(grid.details[ref], text=cut(value_of(reply, "s") or "", MAX_TEXT))
    return grid


def _cell_calls(cell: TreeItem, before: Grid | None, *, placed: bool) -> dict[str, MethodCall]:
    calls = {"states": MethodCall(*cell.ref, ACCESSIBLE, "GetState")}
    text = before.details[cell.ref].text if before else None
    if not placed:
        calls["box"] = get_extents(cell.ref)
    # A name that is not what the cell says is its address, such as B7, and stays.
    if text is None or cell.name == text.strip():
        calls["name"] = get(cell.ref, ACCESSIBLE, "Name")
    if "Text" in cell.interfaces and text == "":
        calls["length"] = get(cell.ref, TEXT, "CharacterCount")  # costs LibreOffice half as much as the text
    elif "Text" in cell.interfaces:
        calls["text"] = get_text(cell.ref)
    return calls


def _outline(grid: Grid) -> set[Ref]:
    """Return a cell of each row, column and unusual size: when those stay in place, so do all."""
    outline: dict[tuple[str, int, int], Ref] = {}
    for cell, details in grid.details.items():
        if details.box:
            outline.setdefault(("row", details.box.y, details.box.height), cell)
            outline.setdefault(("column", details.box.x, details.box.width), cell)
    return set(outline.values())


def _box(reply: Reply) -> Box:
    return Box(*(value_of(reply, "(iiii)") or (0, 0, 0, 0)))


def _ref(reply: Reply, bus: str) -> Ref | None:
    return own_ref(value_of(reply, "(so)"), bus)
