"""Reading OpenDocument spreadsheets; rows and columns that are only repeated do not take room."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import islice

from proctor.vocabulary.formats.guarded_xml import Element
from proctor.vocabulary.formats.office.odf_extras import extras_in
from proctor.vocabulary.formats.office.parse_odf import content_of, properties_of
from proctor.vocabulary.formats.office.parse_xml import PackageParts, child, children, get
from proctor.vocabulary.formats.spreadsheets.areas import Areas
from proctor.vocabulary.formats.spreadsheets.cells import (
    MOST_COLUMNS,
    MOST_ROWS,
    Span,
    address,
    column_name,
    place,
    plain_range,
)
from proctor.vocabulary.formats.spreadsheets.parse_ods_cells import held_by, times
from proctor.vocabulary.formats.spreadsheets.parse_ods_objects import (
    comment,
    conditions_on,
    names_in,
    objects_on,
    rules_for,
)
from proctor.vocabulary.formats.spreadsheets.parse_ods_styles import SheetStyles, hides_sheet, page_of
from proctor.vocabulary.formats.spreadsheets.shape import MOST_CELLS, ReadingBudget, Sheet
from proctor.vocabulary.formats.visible import Look

_GROUPS = {f"table:table-{kind}" for kind in ("row-group", "header-rows", "rows")} | {
    f"table:table-{kind}" for kind in ("column-group", "header-columns", "columns")
}
_CELLS = ("table:table-cell", "table:covered-table-cell")
_HIDDEN = ("collapse", "filter")
MOST_NAMED = 500
"""Empty cells of one look that are told one by one; of more, the area is."""
USUAL_MM = 22.6
"""How wide a column is that nobody made wider or narrower."""

Columns = list[tuple[int, int, Element]]


def read(parts: PackageParts, label: str) -> Look:
    """Return a spreadsheet: its sheets and what is said of all; raises CannotSee when it is none."""
    content, book, styles = content_of(parts, label, "spreadsheet")
    limits, looks, rules = ReadingBudget(label), SheetStyles(styles), rules_for(book)
    sheets = [_Reader(table, looks, limits, rules, parts).sheet for table in children(book, "table:table")]
    _filters(book, sheets)
    if "settings.xml" in parts:
        _frozen(parts.xml("settings.xml"), sheets)
    besides = {
        "names": names_in(book),
        "protected": get(book, "table:structure-protected") == "true",
        "properties": properties_of(parts),
    }
    listed = [sheet.to_json() for sheet in sheets]
    return {"sheets": listed, "extras": extras_in(content), **{key: value for key, value in besides.items() if value}}


class _Reader:
    """Reads one sheet."""

    def __init__(
        self,
        table: Element,
        styles: SheetStyles,
        limits: ReadingBudget,
        rules: dict[str, dict[str, str]],
        parts: PackageParts,
    ) -> None:
        self._styles, self._columns = styles, list(_columns(table))
        style = get(table, "table:style-name")
        self.sheet = sheet = Sheet(get(table, "table:name"), limits, hidden=hides_sheet(styles, style))
        self._matrices: list[Span] = []
        self._rules, self._grounds = Areas(limits.label), Areas(limits.label)
        self._looks: dict[str, Look] = {}
        self._comments: list[Look] = []
        self._heights: dict[str, float] = {}
        self._read_rows(table)
        self._share_formulas()
        self._read_columns()
        drawn: dict[str, list[Look]] = defaultdict(list)
        for kind, each in objects_on(table, parts):
            drawn[kind].append(each)
        sheet.charts = drawn["charts"]
        validations = self._rules.ranges().items()
        sheet.besides = {
            "colour": styles.table(style).get("tableooo:tab-color") or styles.table(style).get("table:tab-color"),
            "protected": get(table, "table:protected") == "true",
            "heights": self._heights,
            "comments": self._comments,
            "pictures": drawn["pictures"],
            "shapes": drawn["shapes"],
            "validations": [{"name": area, **rules.get(name, {})} for name, area in validations],
            "conditions": list(conditions_on(table, styles)),
            "grounds": [{"name": area, **self._looks[name]} for name, area in self._grounds.ranges().items()],
            "groups": list(_groups(table)),
            "not_printed": get(table, "table:print") == "false",
            "print_ranges": plain_range(get(table, "table:print-ranges")),
            "names": names_in(table),
            "page": page_of(styles.styles, style),
        }

    def _read_rows(self, table: Element) -> None:
        row = 0
        for element in _inside(table, "table:table-row"):
            repeated = min(times(element, "table:number-rows-repeated"), MOST_ROWS - row)
            if get(element, "table:visibility") in _HIDDEN:
                self.sheet.hidden_rows.append(f"{row + 1}:{row + repeated}")
            height = self._styles.height(get(element, "table:style-name"))
            if height is not None:
                self._heights[f"{row + 1}:{row + repeated}" if repeated > 1 else str(row + 1)] = height
            default = get(element, "table:default-cell-style-name")
            if _holds(element):
                for each in range(row, row + repeated):
                    self._row(element, each, 1, default)
            else:
                self._row(element, row, repeated, default)
            row += repeated

    def _row(self, row: Element, at: int, repeated: int, default: str) -> None:
        column = 0
        for element in row:
            if element.tag not in _CELLS:
                continue
            wide = min(times(element, "table:number-columns-repeated"), MOST_COLUMNS - column)
            area = Span(at, column, at + repeated - 1, column + wide - 1)
            style = get(element, "table:style-name") or default
            held = held_by(element, self._styles) if element.tag == _CELLS[0] else None
            if held:
                for each in range(column, column + wide):
                    own = self._styles.look(style or _column_style(self._columns, each))
                    self.sheet.put(at, each, {**own, **held(own)})
            else:
                self._empty(area, style)
            if rule := get(element, "table:content-validation-name"):
                self._rules.add(rule, area)
            if noted := comment(element, address(at, column)):
                self._comments.append(noted)
            self._spans(element, at, column, formula=bool(get(element, "table:formula")))
            column += wide

    def _spans(self, element: Element, at: int, column: int, *, formula: bool) -> None:
        across, down = (times(element, f"table:number-{way}-spanned") for way in ("columns", "rows"))
        if across > 1 or down > 1:
            self.sheet.merged.append(str(Span(at, column, at + down - 1, column + across - 1)))
        across, down = (times(element, f"table:number-matrix-{way}-spanned") for way in ("columns", "rows"))
        if formula and (across > 1 or down > 1):
            self._matrices.append(Span(at, column, at + down - 1, column + across - 1))

    def _empty(self, area: Span, style: str) -> None:
        """Keep what shows of cells that hold nothing: their ground and the lines around them."""
        styles = [style] if style else sorted({_column_style(self._columns, each) for each in (area.left, area.right)})
        look = self._styles.look(styles[0])
        seen = {key: value for key, value in look.items() if key in ("fill", "border")}
        if not seen or len(styles) > 1:
            return
        if area.size <= MOST_NAMED:
            for row, column in area.places():
                self.sheet.put(row, column, dict(seen))
        else:
            self._looks[styles[0]] = seen
            self._grounds.add(styles[0], area)

    def _share_formulas(self) -> None:
        """Give all cells that an array formula fills this formula; it is stored with the first of them."""
        cells = self.sheet.cells
        filled = ((area, row, column) for area in self._matrices for row, column in area.places())
        for area, row, column in islice(filled, MOST_CELLS):
            first, cell = cells.get(address(area.top, area.left)), cells.get(address(row, column))
            if first and cell:
                cell["formula"] = first["formula"]

    def _read_columns(self) -> None:
        last = max((place(each)[1] for each in self.sheet.cells), default=-1)
        for first, end, element in self._columns:
            if get(element, "table:visibility") in _HIDDEN:
                self.sheet.hidden_columns.append(f"{column_name(first)}:{column_name(end)}")
            width = self._styles.width(get(element, "table:style-name"))
            if width is not None and abs(width - USUAL_MM) > 0.15:
                self.sheet.widths.update({column_name(each): width for each in range(first, min(end, last) + 1)})


def _columns(table: Element) -> Iterator[tuple[int, int, Element]]:
    first = 0
    for element in _inside(table, "table:table-column"):
        last = min(first + times(element, "table:number-columns-repeated"), MOST_COLUMNS) - 1
        yield first, last, element
        first = last + 1


def _column_style(columns: Columns, column: int) -> str:
    found = (element for first, last, element in columns if first <= column <= last)
    return get(next(found, None), "table:default-cell-style-name")


def _inside(table: Element, tag: str) -> Iterator[Element]:
    for inside in table:
        if inside.tag == tag:
            yield inside
        elif inside.tag in _GROUPS:
            yield from _inside(inside, tag)


def _groups(table: Element) -> Iterator[str]:
    """Yield the rows and columns that are put together: to be folded, or repeated on every page."""
    for kind in ("row", "column"):
        elements = list(_inside(table, f"table:table-{kind}"))
        ends, first = {}, 0
        for element in elements:
            last = first + times(element, f"table:number-{kind}s-repeated")
            ends[id(element)] = (first + 1, last)
            first = last
        for group in table.iter():
            name = {f"table:table-{kind}-group": "folded", f"table:table-header-{kind}s": "repeated"}.get(group.tag)
            if name and (inside := list(_inside(group, f"table:table-{kind}"))):
                yield f"{name} {kind}s {ends[id(inside[0])][0]} to {ends[id(inside[-1])][1]}"


def _holds(row: Element) -> bool:
    # The last one of a sheet is often repeated a million times.
    told = ("office:value-type", "table:formula", "table:number-columns-spanned", "table:number-rows-spanned")
    return any(key in cell.attrib for cell in row if cell.tag in _CELLS for key in told)


def _filters(book: Element, sheets: list[Sheet]) -> None:
    for area in children(child(book, "table:database-ranges"), "table:database-range"):
        if get(area, "table:display-filter-buttons") == "true":
            where, _, cells = plain_range(get(area, "table:target-range-address")).rpartition("!")
            for sheet in sheets:
                if sheet.name == where.strip("'").replace("''", "'"):
                    sheet.filters.append(cells)


def _frozen(settings: Element, sheets: list[Sheet]) -> None:
    for entry in settings.iter("config:config-item-map-entry"):
        items = {get(item, "config:name"): item.text or "" for item in children(entry, "config:config-item")}
        for sheet in sheets:
            if get(entry, "config:name") == sheet.name and "HorizontalSplitMode" in items:
                for key, way in (("columns", "Horizontal"), ("rows", "Vertical")):
                    # Mode 2 is frozen, mode 1 only split.
                    frozen = items.get(f"{way}SplitMode") == "2"
                    sheet.frozen[key] = int(items.get(f"{way}SplitPosition", "0")) if frozen else 0
