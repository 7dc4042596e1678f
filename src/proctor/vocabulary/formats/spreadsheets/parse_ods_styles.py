"""How cells, columns and rows of OpenDocument look, with what is so by itself left out."""

from __future__ import annotations

from proctor.vocabulary.formats.office.parse_odf import Styles, border, colour, millimetres, points
from proctor.vocabulary.formats.office.parse_xml import child, get
from proctor.vocabulary.formats.office.parse_xml import number as whole
from proctor.vocabulary.formats.spreadsheets.parse_ods_formats import describe_format
from proctor.vocabulary.formats.visible import Look, own_colour

DEFAULT = "Default"
"""The style that all others of cells build on, even where a file does not say so."""
FONT, SIZE = "Liberation Sans", 10.0
"""What LibreOffice writes with where nothing is said."""
_UNSET: tuple[object, ...] = (None, False, "", "none", "automatic")


class SheetStyles:
    """The styles of one spreadsheet by name."""

    def __init__(self, styles: Styles) -> None:
        self.styles = styles
        self._looks: dict[str, Look] = {}

    def look(self, style: str) -> Look:
        """Return what a cell style sets: fonts, colours, alignment, borders, protection, number format."""
        if style not in self._looks:
            self._looks[style] = self._find_look(style)
        return self._looks[style]

    def width(self, style: str) -> float | None:
        """Return the width of a column style in millimetres."""
        width = millimetres(self._own("table-column", style, "style:column-width"))
        return None if width is None else round(width, 1)

    def height(self, style: str) -> float | None:
        """Return the height of a row style in millimetres, None where rows are as high as what they hold."""
        if self._own("table-row", style, "style:use-optimal-row-height") != "false":
            return None
        height = millimetres(self._own("table-row", style, "style:row-height"))
        return None if height is None else round(height, 1)

    def table(self, style: str) -> dict[str, str]:
        """Return the properties of a table style."""
        return self.styles.properties("table", style, "table")

    def _own(self, family: str, style: str, key: str) -> str:
        return self.styles.properties(family, style, family).get(key, "")

    def _properties(self, style: str, kind: str) -> dict[str, str]:
        chain = [get(each, "style:name") for each in self.styles.chain("table-cell", style)]
        below = {} if DEFAULT in chain else self.styles.properties("table-cell", DEFAULT, kind)
        return {**below, **self.styles.properties("table-cell", style, kind)}

    def _find_look(self, style: str) -> Look:
        text, cell, paragraph = (self._properties(style, kind) for kind in ("text", "table-cell", "paragraph"))
        weight = text.get("fo:font-weight", "normal")
        fill, align = colour(cell.get("fo:background-color", "")), paragraph.get("fo:text-align", "")
        data = self.styles.attribute("table-cell", style, "style:data-style-name")
        data = data or self.styles.attribute("table-cell", DEFAULT, "style:data-style-name")
        font, size = self.styles.font(text), points(text.get("fo:font-size", ""))
        rotation = whole(cell.get("style:rotation-angle")) % 360
        look: Look = {
            "bold": weight == "bold" or whole(weight) >= 600,
            "italic": text.get("fo:font-style") in ("italic", "oblique"),
            "underline": text.get("style:text-underline-style", "none") != "none",
            "strike": text.get("style:text-line-through-style", "none") != "none",
            "colour": own_colour(colour(text.get("fo:color", "")), fill),
            "fill": fill,
            "align": {"start": "left", "end": "right"}.get(align, align),
            "format": describe_format(self.styles, data) if data else None,
            "font": None if font == FONT else font,
            "size": None if size == SIZE else size,
            "valign": {"bottom": None}.get(held := cell.get("style:vertical-align", ""), held),
            "wrap": cell.get("fo:wrap-option") == "wrap",
            "shrink": cell.get("style:shrink-to-fit") == "true",
            "rotation": rotation or None,
            "indent": round(millimetres(paragraph.get("fo:margin-left", "")) or 0.0, 1) or None,
            "border": border(cell),
            "unlocked": cell.get("style:cell-protect", "") in ("none", "formula-hidden"),
        }
        if look["format"] == {"kind": "general"}:
            look["format"] = None
        return {key: value for key, value in look.items() if value not in _UNSET}


def hides_sheet(styles: SheetStyles, table: str) -> bool:
    """Tell whether a table style hides its sheet."""
    return styles.table(table).get("table:display") == "false"


def page_of(styles: Styles, table: str) -> Look:
    """Return how a sheet is printed, as far as that is said: orientation, scale, header and footer."""
    chain = styles.chain("table", table)
    name = next((get(each, "style:master-page-name") for each in chain if each.get("style:master-page-name")), "")
    masters = child(styles.sheet, "office:master-styles")
    master = next((each for each in (masters if masters is not None else ()) if get(each, "style:name") == name), None)
    if master is None:
        return {}
    layouts = child(styles.sheet, "office:automatic-styles")
    wanted = get(master, "style:page-layout-name")
    listed = layouts if layouts is not None else ()
    layout = next((each for each in listed if get(each, "style:name") == wanted), None)
    said = dict(getattr(child(layout, "style:page-layout-properties"), "attrib", {}))
    page: Look = {}
    if said.get("style:print-orientation") == "landscape":
        page["orientation"] = "landscape"
    for key in ("scale-to", "scale-to-pages", "scale-to-X", "scale-to-Y"):
        if value := said.get(f"style:{key}", "").removesuffix("%"):
            page[key.replace("-", "_").lower()] = value
    for part in ("header", "footer"):
        found = child(master, f"style:{part}")
        if found is not None and get(found, "style:display", "true") != "false":
            page[part] = " ".join(" ".join(found.itertext()).split())
    # What LibreOffice puts at the edges of every sheet.
    usual = {"header": "???", "footer": "Page 1"}
    return {key: value for key, value in page.items() if value and usual.get(key) != value and value != "100"}
