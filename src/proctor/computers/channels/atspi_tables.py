"""The visible cells of tables that make their cells only on request, such as a spreadsheet of a billion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from proctor.computers.channels.atspi_ask import (
    ACCESSIBLE,
    COMPONENT,
    PREFIX,
    SCREEN,
    Asker,
    batched,
    get,
    get_extents,
)
from proctor.computers.channels.atspi_nodes import NULL_PATH, Item, Ref, make_item
from proctor.computers.channels.dbus import Call, Reply, value_of, variant_of
from proctor.observations.box import Box

TABLE = f"{PREFIX}.Table"
SMALL_TABLE = 300
"""Up to this many cells, all are asked for and the hidden ones dropped."""
MAX_CELLS = 3_000
"""How many cells of one table are read."""
_PROBES = 24
"""Points tried along each edge of a large table whose corners are empty."""


@dataclass(frozen=True, slots=True)
class _Table:
    item: Item
    box: Box
    rows: range
    columns: range


def visible_cells(asker: Asker, items: Sequence[Item], screen: Box) -> list[Item]:
    """Return the cells that are on screen as items, row by row, for each of these tables."""
    tables = _ranges(asker, _measure(asker, items, screen))
    places = [(table.item.ref, row, column) for table in tables for row in table.rows for column in table.columns]
    replies = asker.ask([Call(*ref, TABLE, "GetAccessibleAt", "ii", (row, column)) for ref, row, column in places])
    found: dict[Ref, tuple[Ref, int, int]] = {}
    for place, reply in zip(places, replies, strict=True):
        if cell := _ref(reply, place[0].bus):
            found.setdefault(cell, place)
    return _cell_items(asker, found)


def _measure(asker: Asker, items: Sequence[Item], screen: Box) -> list[_Table]:
    """Ask how large the tables are; those that are off screen or empty drop out."""
    calls = [
        call
        for item in items
        for call in (get_extents(item.ref), get(item.ref, TABLE, "NRows"), get(item.ref, TABLE, "NColumns"))
    ]
    tables = []
    for item, (extents, rows, columns) in zip(items, batched(asker.ask(calls), 3), strict=True):
        box = Box(*(value_of(extents, "(iiii)") or (0, 0, 0, 0))).intersect(screen)
        if box is not None:
            height, width = variant_of(rows, "i") or 0, variant_of(columns, "i") or 0
            tables.append(_Table(item, box, range(max(height, 0)), range(max(width, 0))))
    return tables


def _ranges(asker: Asker, tables: Sequence[_Table]) -> list[_Table]:
    """Narrow large tables to the rows and columns between their visible corners."""
    small = [table for table in tables if len(table.rows) * len(table.columns) <= SMALL_TABLE]
    large = [table for table in tables if len(table.rows) * len(table.columns) > SMALL_TABLE]
    narrowed = _probe(asker, large, corners_only=True)
    rest = [table for table, result in zip(large, narrowed, strict=True) if result is None]
    probed = _probe(asker, rest, corners_only=False)
    return [*small, *(table for table in (*narrowed, *probed) if table is not None)]


def _probe(asker: Asker, tables: Sequence[_Table], *, corners_only: bool) -> list[_Table | None]:
    """Find the range of rows and columns by asking what is at some points; None where the points tell too little."""
    points = [(place, point) for place, table in enumerate(tables) for point in _points(table.box, corners_only)]
    replies = asker.ask(
        [
            Call(*tables[place].item.ref, COMPONENT, "GetAccessibleAtPoint", "iiu", (*point, SCREEN))
            for place, point in points
        ]
    )
    hits = {
        (place, ref): None
        for (place, _), reply in zip(points, replies, strict=True)
        if (ref := _ref(reply, tables[place].item.ref.bus)) and ref != tables[place].item.ref
    }
    indices = asker.ask([Call(*ref, ACCESSIBLE, "GetIndexInParent") for _, ref in hits])
    calls = [
        Call(*tables[place].item.ref, TABLE, member, "i", (value_of(index, "i") or 0,))
        for (place, _), index in zip(hits, indices, strict=True)
        for member in ("GetRowAtIndex", "GetColumnAtIndex")
    ]
    cells: list[list[tuple[int, int]]] = [[] for _ in tables]
    for (place, _), pair in zip(hits, batched(asker.ask(calls), 2), strict=True):
        row, column = value_of(pair[0], "i"), value_of(pair[1], "i")
        if row in tables[place].rows and column in tables[place].columns:
            cells[place].append((row, column))
    needed = 2 if corners_only else 1
    return [
        _between(table, found) if len(found) >= needed else None for table, found in zip(tables, cells, strict=True)
    ]


def _points(box: Box, corners_only: bool) -> list[tuple[int, int]]:
    left, top, right, bottom = box.x + 1, box.y + 1, box.x + box.width - 2, box.y + box.height - 2
    if corners_only:
        return [(left, top), (right, bottom)]
    down = [top + (bottom - top) * step // _PROBES for step in range(_PROBES + 1)]
    across = [left + (right - left) * step // _PROBES for step in range(_PROBES + 1)]
    # Two lines each way: a heading or an empty margin may hide one of them.
    return [(x, y) for x in (left + 4, across[_PROBES // 2]) for y in down] + [
        (x, y) for y in (down[1], down[_PROBES // 2]) for x in across
    ]


def _between(table: _Table, cells: Sequence[tuple[int, int]]) -> _Table:
    rows, columns = [row for row, _ in cells], [column for _, column in cells]
    # A probe may fall between two rows, so one more each way is taken; hidden cells drop out later.
    across = range(max(min(columns), 0), min(max(columns) + 1, len(table.columns)))[:MAX_CELLS]
    down = range(max(min(rows) - 1, 0), min(max(rows) + 2, len(table.rows)))[: MAX_CELLS // max(len(across), 1)]
    return _Table(table.item, table.box, down, across)


def _cell_items(asker: Asker, found: dict[Ref, tuple[Ref, int, int]]) -> list[Item]:
    """Ask what differs from cell to cell; role, interfaces and children are those of the column's first cell."""
    heads = {(table, column): cell for cell, (table, _, column) in reversed(found.items())}
    calls = [
        call
        for cell in heads.values()
        for call in (
            Call(*cell, ACCESSIBLE, "GetInterfaces"),
            Call(*cell, ACCESSIBLE, "GetRole"),
            get(cell, ACCESSIBLE, "ChildCount"),
        )
    ]
    kinds = {
        head: (value_of(interfaces, "as") or (), value_of(role, "u") or 0, variant_of(count, "i") or 0)
        for head, (interfaces, role, count) in zip(heads, batched(asker.ask(calls), 3), strict=True)
    }
    calls = [call for cell in found for call in (get(cell, ACCESSIBLE, "Name"), Call(*cell, ACCESSIBLE, "GetState"))]
    items = []
    for place, (cell, (name, states)) in enumerate(zip(found, batched(asker.ask(calls), 2), strict=True)):
        table, _, column = found[cell]
        interfaces, role, count = kinds[table, column]
        items.append(
            make_item(
                cell,
                table,
                place,
                count,
                interfaces,
                variant_of(name, "s") or "",
                role,
                "",
                value_of(states, "au") or (),
            )  # fmt: skip
        )
    return [item for item in items if item.showing]


def _ref(reply: Reply, bus: str) -> Ref | None:
    owner, path = value_of(reply, "(so)") or ("", NULL_PATH)
    return Ref(owner, path) if owner == bus and path != NULL_PATH else None
