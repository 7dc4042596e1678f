"""What an OOXML workbook says besides its cells: pivot tables, zoom, styles, rules for input."""

from __future__ import annotations

import io
import operator
import posixpath
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.guard import open_zip, read_entry
from proctor.vocabulary.formats.guarded_xml import parse_xml
from proctor.vocabulary.formats.spreadsheets.cells import plain_range, span
from proctor.vocabulary.formats.spreadsheets.parse_xlsx import chart_look, library, weigh_sheets
from proctor.vocabulary.formats.spreadsheets.parse_xlsx import preload as preload_library
from proctor.vocabulary.formats.spreadsheets.parse_xlsx_looks import colour_of
from proctor.vocabulary.formats.spreadsheets.shape import MOST_CELLS
from proctor.vocabulary.formats.visible import Look

Part = Any
"""An object of openpyxl, which tells no types."""
EMU_PER_MM = 36_000
DATA_FIELD = -2
"""Stands among the fields of a pivot table for the names of what is summed up."""
VALIDATION = {
    "ranges": "sqref", "type": "type", "operator": "operator", "formula1": "formula1", "formula2": "formula2",
    "allowBlank": "allowBlank", "showDropDown": "showDropDown", "showInputMessage": "showInputMessage",
    "showErrorMessage": "showErrorMessage", "error": "error", "errorTitle": "errorTitle", "errorStyle": "errorStyle",
    "prompt": "prompt", "promptTitle": "promptTitle", "imeMode": "imeMode",
}  # fmt: skip
"""What a rule for input says, by the names that others use."""
_COMPARED: Mapping[str, Callable[[float, float], bool]] = {
    "equal": operator.eq, "notEqual": operator.ne, "greaterThan": operator.gt, "lessThan": operator.lt,
    "greaterThanOrEqual": operator.ge, "lessThanOrEqual": operator.le,
}  # fmt: skip


def preload() -> None:
    """Load openpyxl and what it loads when it meets a workbook for the first time."""
    preload_library()


def workbook_details(data: bytes, path: str) -> dict[str, object]:
    """Return the sheets of a workbook, each with its details; raises CannotSee where it is none."""
    archive = open_zip(data, path)
    weigh_sheets(archive, path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            book = library().load_workbook(io.BytesIO(data))
            values = library().load_workbook(io.BytesIO(data), data_only=True)
        sheets = [_sheet(sheet, values[sheet.title]) for sheet in book.worksheets]
        lines = _sparklines(archive, path)
    except CannotSee:
        raise
    except Exception as error:
        raise CannotSee("unreadable", f"{path} is not a workbook: {type(error).__name__}: {error}") from error
    return {"path": path, "sheets": [{**sheet, "sparklines": lines.get(sheet["name"], [])} for sheet in sheets]}


def _sheet(sheet: Part, values: Part) -> Look:
    return {
        "name": sheet.title,
        "zoom": sheet.sheet_view.zoomScale or 100,
        "styles": _styles(sheet, values),
        "unknown_conditions": sorted(_unknown_conditions(sheet)),
        "rows": {str(at): found for at, size in sheet.row_dimensions.items() if (found := _size(size, "height"))},
        "columns": {at: found for at, size in sheet.column_dimensions.items() if (found := _size(size, "width"))},
        "validations": [
            {name: _plain(getattr(rule, attribute)) for name, attribute in VALIDATION.items()}
            for rule in sheet.data_validations.dataValidation
        ],
        "pivots": [_pivot(table) for table in sheet._pivots],
        "charts": [{**chart_look(chart), **_frame_of(chart)} for chart in sheet._charts],
    }


def _size(size: Part, side: str) -> Look:
    custom = size.customHeight if side == "height" else size.customWidth
    found = {
        "hidden": bool(size.hidden),
        "collapsed": bool(size.collapsed),
        "outline_level": size.outlineLevel or 0,
        side: getattr(size, side) if custom else None,
    }
    return {key: value for key, value in found.items() if value}


def _plain(value: object) -> object:
    return value if isinstance(value, str | bool | int | float) or value is None else str(value)


def _styles(sheet: Part, values: Part) -> dict[str, Look]:
    """Return how cells look that hold something or show a ground, conditions that hold included."""
    found: dict[str, Look] = {}
    for _, cell in sorted(sheet._cells.items()):
        if type(cell).__name__ == "Cell" and (cell.value is not None or cell.has_style):
            found[cell.coordinate] = _style(cell)
    for area, rule in _conditions(sheet):
        look = _style_of_rule(rule)
        for name in _cells_of(area, found):
            if _holds(rule, values[name].value):
                found[name] |= look
    return found


def _style(cell: Part) -> Look:
    font, fill = cell.font, cell.fill
    ground = (colour_of(fill.fgColor) or _colour_name(fill.fgColor)) if fill.fill_type else None
    return {
        "held": cell.value is not None,
        "number_format": cell.number_format,
        "font_name": font.name,
        "font_family": font.family,
        "font_color": colour_of(font.color) or _colour_name(font.color) or "#000000",
        "font_bold": bool(font.b),
        "font_italic": bool(font.i),
        "font_underline": font.u or "",
        "font_size": font.sz,
        "fill_type": fill.fill_type or "",
        "bgcolor": ground or "",
        "fgcolor": ground or "",
        "hyperlink": (cell.hyperlink.target or cell.hyperlink.location or "") if cell.hyperlink else "",
        "horizontal": cell.alignment.horizontal or "general",
        "vertical": cell.alignment.vertical or "bottom",
    }


def _colour_name(colour: Part) -> str:
    """Return a colour of a theme or a palette, which has no value of its own, by its name."""
    if colour is None or colour.type == "rgb" or (colour.type == "theme" and colour.theme == 1 and not colour.tint):
        return ""
    if colour.type == "indexed" and colour.indexed >= 64:
        return ""
    return f"{colour.type} {getattr(colour, colour.type)} {colour.tint or 0:g}"


def _conditions(sheet: Part) -> Iterator[tuple[Part, Part]]:
    for area in sheet.conditional_formatting:
        for rule in area.rules:
            yield area.sqref, rule


def _cells_of(areas: Part, found: dict[str, Look]) -> Iterator[str]:
    spans = [span(str(area)) for area in areas.ranges]
    for count, name in enumerate(found):
        if count > MOST_CELLS:
            return
        row, column, *_ = span(name)
        if any(area.covers(row, column) for area in spans):
            yield name


def _style_of_rule(rule: Part) -> Look:
    found: Look = {}
    style = rule.dxf
    if style is None:
        return found
    if style.font is not None:
        told = {"font_bold": style.font.b, "font_italic": style.font.i, "font_underline": style.font.u}
        found |= {name: value for name, value in told.items() if value is not None}
        if style.font.color is not None:
            found["font_color"] = colour_of(style.font.color) or _colour_name(style.font.color)
    if style.fill is not None and style.fill.bgColor is not None:
        # Where a condition fills, its ground stands in the other of the two colours.
        ground = colour_of(style.fill.bgColor) or _colour_name(style.fill.bgColor)
        found |= {"bgcolor": ground, "fgcolor": ground, "fill_type": style.fill.fill_type or "solid"}
    return found


def _is_known(rule: Part) -> bool:
    """Tell whether a condition can be worked out here: a comparison with figures."""
    if rule.type != "cellIs" or not rule.formula:
        return False
    needed = 2 if rule.operator in ("between", "notBetween") else 1
    figures = [_figure(text) for text in rule.formula]
    return (rule.operator in _COMPARED or needed == 2) and len(figures) >= needed and None not in figures[:needed]


def _holds(rule: Part, value: object) -> bool:
    if not _is_known(rule) or isinstance(value, bool) or not isinstance(value, int | float):
        return False
    figures = [figure for text in rule.formula if (figure := _figure(text)) is not None]
    if rule.operator in _COMPARED:
        return bool(_COMPARED[rule.operator](value, figures[0]))
    return (figures[0] <= value <= figures[1]) is bool(rule.operator == "between")


def _figure(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _unknown_conditions(sheet: Part) -> Iterator[str]:
    """Yield the conditions that are not worked out, as texts to compare."""
    for area, rule in _conditions(sheet):
        if not _is_known(rule):
            said = [str(area), rule.type, rule.operator, *rule.formula, sorted(_style_of_rule(rule).items())]
            yield " ".join(str(each) for each in said if each)


def _pivot(table: Part) -> Look:
    """Return what a pivot table shows, its fields by name, what it leaves out by value."""
    fields = list(table.cache.cacheFields)
    source = table.cache.cacheSource.worksheetSource if table.cache.cacheSource else None

    def name(at: int | None) -> str:
        return "data" if at == DATA_FIELD else fields[at].name if at is not None and at < len(fields) else "?"

    return {
        "name": table.name or "",
        "source": plain_range(f"{source.sheet}!{source.ref}" if source and source.ref else ""),
        "rows": [name(each.x) for each in table.rowFields],
        "columns": [name(each.x) for each in table.colFields if each.x != DATA_FIELD],
        "pages": [name(each.fld) for each in table.pageFields],
        "left_out": sorted(_left_out(table, fields)),
        "data": sorted(f"{name(each.fld)} {each.subtotal or 'sum'}" for each in table.dataFields),
    }


def _left_out(table: Part, fields: list[Any]) -> Iterator[str]:
    for field, held in zip(fields, table.pivotFields, strict=False):
        values = list(getattr(field.sharedItems, "_fields", ())) if field.sharedItems else []
        for item in held.items or ():
            if item.h and item.x is not None and item.x < len(values):
                yield f"{field.name}: {getattr(values[item.x], 'v', '')}"


def _frame_of(chart: Part) -> Look:
    anchor = chart.anchor
    start = getattr(anchor, "_from", None)
    extent = getattr(anchor, "ext", None)
    return {
        "legend": (chart.legend.position or "r") if chart.legend else "",
        "anchor": [start.row, start.col] if start is not None else [],
        "width": round(extent.width / EMU_PER_MM, 1) if extent is not None else None,
        "height": round(extent.height / EMU_PER_MM, 1) if extent is not None else None,
    }


def _sparklines(archive: Part, label: str) -> dict[str, list[Look]]:
    """Return the lines within cells, by the sheet that they are on: where each is, and what it shows."""
    book = parse_xml(read_entry(archive, "xl/workbook.xml", label), label)
    targets = _targets(archive, label)
    found: dict[str, list[Look]] = {}
    for sheet in book.iter():
        identifier = next((value for key, value in sheet.attrib.items() if _local(key) == "id"), "")
        if _local(sheet.tag) == "sheet" and targets.get(identifier) in archive.namelist():
            root = parse_xml(read_entry(archive, targets[identifier], label), label)
            lines = [each for each in root.iter() if _local(each.tag) == "sparkline"]
            held = [{_local(part.tag): part.text or "" for part in line} for line in lines]
            found[sheet.get("name", "")] = [
                {"at": each.get("sqref", ""), "shows": plain_range(each.get("f", ""))} for each in held
            ]
    return found


def _targets(archive: Part, label: str) -> dict[str, str]:
    root = parse_xml(read_entry(archive, "xl/_rels/workbook.xml.rels", label), label)
    return {
        each.get("Id", ""): posixpath.normpath(posixpath.join("/xl", each.get("Target", ""))).lstrip("/")
        for each in root
    }


def _local(name: str) -> str:
    return str(name).rpartition("}")[2]
