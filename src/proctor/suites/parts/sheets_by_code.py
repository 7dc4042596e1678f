"""Ways that change a spreadsheet without an office program, as from the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from proctor.tasks.call import Call
from proctor.tasks.shelves import hand
from proctor.tasks.task import Way

_WRITE = """
import io, re, zipfile
import xml.etree.ElementTree as xml

path, sheet, cells = {path!r}, {sheet!r}, {cells!r}
with zipfile.ZipFile(path) as packed:
    parts = {{name: packed.read(name) for name in packed.namelist()}}
for _, (prefix, uri) in xml.iterparse(io.BytesIO(parts["content.xml"]), events=["start-ns"]):
    xml.register_namespace(prefix, uri)
    if prefix in ("table", "office", "text"):
        globals()[prefix] = "{{" + uri + "}}"
root = xml.fromstring(parts["content.xml"])
root.set("xmlns:of", "urn:oasis:names:tc:opendocument:xmlns:of:1.2")
page = next(each for each in root.iter(table + "table") if sheet in ("", each.get(table + "name")))
rows = page.findall(table + "table-row")
for where, held in cells.items():
    column, row = ord(where[0]) - ord("A"), int(where[1:]) - 1
    while len(rows) <= row:
        rows.append(xml.SubElement(page, table + "table-row"))
    while len(rows[row]) <= column:
        xml.SubElement(rows[row], table + "table-cell")
    cell = rows[row][column]
    style = cell.get(table + "style-name")
    cell.clear()
    if style:
        cell.set(table + "style-name", style)
    if isinstance(held, str) and held.startswith("="):
        cell.set(table + "formula", "of:" + held)
    elif isinstance(held, str):
        date = re.fullmatch("[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}", held)
        cell.set(office + "value-type", "date" if date else "string")
        if date:
            cell.set(office + "date-value", held)
        xml.SubElement(cell, text + "p").text = held
    elif held is not None:
        cell.set(office + "value-type", "float")
        cell.set(office + "value", repr(held))
        xml.SubElement(cell, text + "p").text = repr(held)
parts["content.xml"] = xml.tostring(root, encoding="utf-8", xml_declaration=True)
with zipfile.ZipFile(path, "w") as packed:
    for name, data in parts.items():
        packed.writestr(name, data)
"""


def written_into(name: str, path: str, cells: Mapping[str, object], sheet: str = "") -> Way:
    """Return a way that is nothing but `cells_written`."""
    return Way(name=name, moves=(cells_written(path, cells, sheet),))


def cells_written(path: str, cells: Mapping[str, object], sheet: str = "") -> Call:
    """Put values and formulas into cells of an OpenDocument file, with no results worked out.

    Formulas are written as the file holds them, `=SUM([.B2:.B9])`; the sheet is the first one unless named.
    """
    return hand.run_code(_WRITE.format(path=path, sheet=sheet, cells=dict(cells)), "python")


_EXPORT = """
import csv, zipfile
import xml.etree.ElementTree as xml

spaces = {{each: "urn:oasis:names:tc:opendocument:xmlns:" + each + ":1.0" for each in ("table", "office", "text")}}
root = xml.fromstring(zipfile.ZipFile({path!r}).read("content.xml"))
with open({target!r}, "w", newline="", encoding={encoding!r}) as file:
    writer = csv.writer(file, {options})
    for page in root.iterfind(".//table:table", spaces):
        if page.get("{{" + spaces["table"] + "}}name") in {sheets!r}:
            for row in page.iterfind("table:table-row", spaces):
                value = "{{" + spaces["office"] + "}}value"
                writer.writerow([cell.get(value) or "".join(cell.itertext()) for cell in row])
"""


def rows_exported(path: str, sheets: Sequence[str], target: str, options: str = "", encoding: str = "utf-8") -> Call:
    """Write sheets of an OpenDocument file as separated values; options are those of csv.writer."""
    code = _EXPORT.format(path=path, sheets=[*sheets], target=target, options=options, encoding=encoding)
    return hand.run_code(code, "python")


_MAKE = """
import zipfile
from xml.sax.saxutils import escape

space = "urn:oasis:names:tc:opendocument:xmlns:"
kind = "application/vnd.oasis.opendocument.spreadsheet"
def cell(held):
    if isinstance(held, str):
        return '<table:table-cell office:value-type="string"><text:p>%s</text:p></table:table-cell>' % escape(held)
    return '<table:table-cell office:value-type="float" office:value="%r"/>' % held
rows = "".join("<table:table-row>%s</table:table-row>" % "".join(map(cell, row)) for row in {rows!r})
spaces = " ".join('xmlns:%s="%s%s:1.0"' % (each, space, each) for each in ("office", "table", "text"))
content = ('<?xml version="1.0" encoding="UTF-8"?><office:document-content %s office:version="1.2"><office:body>'
    '<office:spreadsheet><table:table table:name="Sheet1">%s</table:table></office:spreadsheet></office:body>'
    '</office:document-content>') % (spaces, rows)
listed = "".join('<manifest:file-entry manifest:full-path="%s" manifest:media-type="%s"/>' % each
    for each in (("/", kind), ("content.xml", "text/xml")))
with zipfile.ZipFile({path!r}, "w") as made:
    made.writestr("mimetype", kind)
    made.writestr("content.xml", content)
    named = '<manifest:manifest xmlns:manifest="%smanifest:1.0">%s</manifest:manifest>' % (space, listed)
    made.writestr("META-INF/manifest.xml", named)
"""


def book_made(path: str, rows: Sequence[Sequence[object]]) -> Call:
    """Write a new OpenDocument spreadsheet of one sheet."""
    return hand.run_code(_MAKE.format(path=path, rows=[[*row] for row in rows]), "python")
