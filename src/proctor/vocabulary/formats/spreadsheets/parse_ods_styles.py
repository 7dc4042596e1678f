"""How cells of OpenDocument spreadsheets look: styles with their parents, and number formats."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree.ElementTree import Element

from proctor.vocabulary.formats.spreadsheets.parse_xml import get, name

_FORMATS = {
    name(f"number:{kind}-style"): kind
    for kind in ("number", "currency", "percentage", "date", "time", "text", "boolean")
}
_DATE_PARTS = {"year": "y", "month": "m", "day": "d", "hours": "h", "minutes": "m", "seconds": "s"}


class SheetStyles:
    """The styles of one document by name."""

    def __init__(self, parts: Iterable[Element]) -> None:
        self._cells: dict[str, Element] = {}
        self._formats: dict[str, dict[str, object]] = {}
        self._columns: dict[str, float] = {}
        self._tables: dict[str, bool] = {}
        self._looks: dict[str, dict[str, object]] = {}
        for root in parts:
            for section in ("office:styles", "office:automatic-styles"):
                for style in root.iterfind(name(section) + "/*"):
                    self._keep(style)

    def look(self, style: str) -> dict[str, object]:
        """Return what a cell style sets: bold, italic, underline, colour, fill, align, number format."""
        if style not in self._looks:
            self._looks[style] = self._find_look(style)
        return self._looks[style]

    def width(self, style: str) -> float | None:
        """Return the width of a column style in millimetres."""
        return self._columns.get(style)

    def table_hidden(self, style: str) -> bool:
        """Tell whether a table style hides its sheet."""
        return self._tables.get(style, False)

    def _keep(self, style: Element) -> None:
        family, label = get(style, "style:family"), get(style, "style:name")
        if style.tag in _FORMATS:
            self._formats[label] = _format(style, _FORMATS[style.tag])
        elif family == "table-cell":
            self._cells[label] = style
        elif family == "table-column":
            for properties in style.iterfind(name("style:table-column-properties")):
                width = millimetres(get(properties, "style:column-width"))
                if width is not None:
                    self._columns[label] = width
        elif family == "table":
            for properties in style.iterfind(name("style:table-properties")):
                self._tables[label] = get(properties, "table:display", "true") == "false"

    def _find_look(self, style: str) -> dict[str, object]:
        chain: list[Element] = []
        while style in self._cells and self._cells[style] not in chain:
            chain.append(self._cells[style])
            style = get(chain[-1], "style:parent-style-name")
        look: dict[str, object] = {}
        for element in reversed(chain):
            look.update(_own_look(element))
            if data := get(element, "style:data-style-name"):
                look["format"] = self._formats.get(data, {"kind": "general"})
        return {key: value for key, value in look.items() if value not in (False, None)}


def millimetres(text: str) -> float | None:
    """Return a length in millimetres; None when it is none."""
    for unit, factor in (("mm", 1.0), ("cm", 10.0), ("in", 25.4), ("pt", 25.4 / 72)):
        if text.endswith(unit):
            return round(float(text.removesuffix(unit)) * factor, 1)
    return None


def _own_look(style: Element) -> dict[str, object]:
    look: dict[str, object] = {}
    for properties in style.iterfind(name("style:text-properties")):
        if weight := get(properties, "fo:font-weight"):
            look["bold"] = weight in ("bold", "700", "800", "900")
        if slant := get(properties, "fo:font-style"):
            look["italic"] = slant in ("italic", "oblique")
        if line := get(properties, "style:text-underline-style"):
            look["underline"] = line != "none"
        if colour := get(properties, "fo:color"):
            look["colour"] = colour.lower()
    for properties in style.iterfind(name("style:table-cell-properties")):
        if fill := get(properties, "fo:background-color"):
            look["fill"] = None if fill == "transparent" else fill.lower()
    for properties in style.iterfind(name("style:paragraph-properties")):
        if align := get(properties, "fo:text-align"):
            look["align"] = {"start": "left", "end": "right"}.get(align, align)
    return look


def _format(style: Element, kind: str) -> dict[str, object]:
    if kind in ("date", "time"):
        return {"kind": kind, "code": "".join(_date_part(child) for child in style)}
    if kind in ("text", "boolean"):
        return {"kind": kind}
    figures = style.find(name("number:number"))
    decimals = get(figures, "number:decimal-places") if figures is not None else ""
    if kind == "number" and not decimals:
        return {"kind": "general"}
    found: dict[str, object] = {"kind": kind}
    symbol = style.find(name("number:currency-symbol"))
    if symbol is not None:
        found["symbol"] = symbol.text or ""
    found["decimals"] = int(decimals or 0)
    found["grouping"] = figures is not None and get(figures, "number:grouping") == "true"
    return found


def _date_part(part: Element) -> str:
    kind = part.tag.rpartition("}")[2]
    if kind == "text":
        return part.text or ""
    if kind not in _DATE_PARTS:
        return ""
    long, spelled = get(part, "number:style") == "long", get(part, "number:textual") == "true"
    if kind == "year":
        return "yyyy" if long else "yy"
    return _DATE_PARTS[kind] * (1 + long + 2 * spelled)
