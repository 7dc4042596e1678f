"""OpenDocument spreadsheets with other values in some cells and no results, to be recalculated."""

from __future__ import annotations

import base64
import copy
import io
import re
import zipfile
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import SubElement

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.guard import open_zip
from proctor.vocabulary.formats.guarded_xml import Element
from proctor.vocabulary.formats.office.parse_odf import OASIS, PREFIXES, odf_parts
from proctor.vocabulary.formats.office.parse_xml import get
from proctor.vocabulary.formats.spreadsheets.cells import canonical_sheet, place
from proctor.vocabulary.formats.spreadsheets.parse_ods_cells import times

_GROUPS = {f"table:table-{kind}" for kind in ("row-group", "header-rows", "rows")}
_ROW, _CELL = "table:table-row", "table:table-cell"
_CELLS = {_CELL, "table:covered-table-cell"}
_RESULTS = [f"office:{kind}" for kind in ("value", "string-value", "date-value", "time-value", "boolean-value")]
_RESULTS += ["office:value-type", "calcext:value-type"]
_FORMULAS = "urn:oasis:names:tc:opendocument:xmlns:of:1.2"
_ISO = re.compile(r"\d{4}-\d\d-\d\d")

PlainData = dict[str, Any]


def with_inputs(data: bytes, label: str, trials: list[PlainData]) -> list[str]:
    """Return a copy of a spreadsheet, in base64, for each trial with its values in cells.

    Cells are named `B2`, of the first sheet, or `Prices!B2`. Results of formulas are left out, and so is everything
    but the cells: only what has to be worked out is wanted.
    """
    content = odf_parts(open_zip(data, label), label).xml("content.xml")
    made = []
    for trial in trials:
        root = copy.deepcopy(content)
        tables = list(root.iter("table:table"))
        for cell, value in trial.items():
            _put(_cell_at(_table(tables, cell, label), cell.rpartition("!")[2]), value)
        for table in tables:
            _forget_results(table)
        made.append(base64.b64encode(_pack(root)).decode())
    return made


def _table(tables: list[Element], cell: str, label: str) -> Element:
    sheet = cell.rpartition("!")[0]
    found = [
        table for table in tables if not sheet or canonical_sheet(get(table, "table:name")) == canonical_sheet(sheet)
    ]
    if not found:
        raise CannotSee("absent", f"{label} has no sheet '{sheet}'")
    return found[0]


def _cell_at(table: Element, address: str) -> Element:
    """Return a cell of its own at an address, taken out of whatever is only repeated there."""
    row_at, column_at = place(address)
    parent, row = _alone(list(_rows(table)), table, "table:number-rows-repeated", row_at, _ROW)
    del parent
    cells = [(row, cell) for cell in row if cell.tag in _CELLS]
    _, cell = _alone(cells, row, "table:number-columns-repeated", column_at, _CELL)
    return cell


def _rows(table: Element) -> Iterator[tuple[Element, Element]]:
    for child in table:
        if child.tag == _ROW:
            yield table, child
        elif child.tag in _GROUPS:
            yield from _rows(child)


def _alone(
    listed: list[tuple[Element, Element]], owner: Element, repeats: str, at: int, tag: str
) -> tuple[Element, Element]:
    """Return the element at a place that is not repeated, splitting one or adding what is missing."""
    first = 0
    for parent, element in listed:
        often = times(element, repeats)
        if first <= at < first + often:
            where = list(parent).index(element)
            parts = [copy.deepcopy(element) for _ in range(3)]
            for each, number in zip(parts, (at - first, 1, first + often - at - 1), strict=True):
                each.set(repeats, str(number))
            parent[where : where + 1] = [each for each in parts if get(each, repeats) != "0"]
            return parent, parts[1]
        first += often
    if at > first:
        SubElement(owner, tag, {repeats: str(at - first)})
    return owner, SubElement(owner, tag)


def _put(cell: Element, value: object) -> None:
    was = get(cell, "office:value-type")
    cell.attrib.pop("table:formula", None)
    _clear(cell)
    if value is None:
        return
    if isinstance(value, bool):
        kind, shown = "boolean", str(value).lower()
    elif isinstance(value, int | float):
        kind, shown = "float", repr(value)
    else:
        kind, shown = ("date" if was == "date" and _ISO.fullmatch(str(value)) else "string"), str(value)
    cell.set("office:value-type", kind)
    attribute = {"float": "value", "string": "string-value"}.get(kind, f"{kind}-value")
    cell.set(f"office:{attribute}", shown)
    SubElement(cell, "text:p").text = shown


def _forget_results(table: Element) -> None:
    for _, row in _rows(table):
        for cell in row:
            if cell.tag in _CELLS and get(cell, "table:formula"):
                _clear(cell)


def _clear(cell: Element) -> None:
    for attribute in _RESULTS:
        cell.attrib.pop(attribute, None)
    for child in list(cell):
        cell.remove(child)


def _pack(root: Element) -> bytes:
    # Elements have short names; what these stand for has to be said again, and what the language of formulas is.
    for uri, prefix in {**PREFIXES, _FORMULAS: "of"}.items():
        if prefix != "xml":
            root.set(f"xmlns:{prefix}", uri)
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    listed = "".join(
        f'<manifest:file-entry manifest:full-path="{path}" manifest:media-type="{media}"/>'
        for path, media in (("/", kind), ("content.xml", "text/xml"))
    )
    manifest = f'<manifest:manifest xmlns:manifest="{OASIS}:manifest:1.0">{listed}'
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as target:
        target.writestr("mimetype", kind)
        target.writestr("content.xml", ElementTree.tostring(root, encoding="utf-8", xml_declaration=True))
        target.writestr("META-INF/manifest.xml", f"{manifest}</manifest:manifest>")
    return held.getvalue()


def follow_results(seen: PlainData, arguments: PlainData, book: PlainData) -> PlainData:
    """Return what formulas come to without those that a workbook does not have."""
    cells = {sheet["name"]: sheet["cells"] for sheet in book["sheets"]}

    def left(sheets: PlainData) -> PlainData:
        return {
            sheet: {address: value for address, value in values.items() if "formula" in cells[sheet].get(address, {})}
            for sheet, values in sheets.items()
            if sheet in cells
        }

    results = [left(each) for each in seen["results"]]
    return {**seen, "results": results, "now": left(seen["now"]), "stored": left(seen["stored"])}
