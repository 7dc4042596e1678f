"""Writing spreadsheets; the same content gives the same bytes."""

from __future__ import annotations

import csv
import datetime
import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from proctor.vocabulary.formats.office.parse_odf import OASIS, PREFIXES
from proctor.vocabulary.formats.pack import pack
from proctor.vocabulary.formats.spreadsheets.cells import column_name, references
from proctor.vocabulary.formats.spreadsheets.parse_xlsx import library
from proctor.vocabulary.formats.spreadsheets.spec import Held, SheetSpec

_MIME = "application/vnd.oasis.opendocument.spreadsheet"
_MANIFEST = f"""<?xml version="1.0" encoding="UTF-8"?>
<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.2">
<manifest:file-entry manifest:full-path="/" manifest:media-type="{_MIME}"/>
<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>
</manifest:manifest>
"""
_STYLES = """<number:date-style style:name="D"><number:year number:style="long"/><number:text>-</number:text>
<number:month number:style="long"/><number:text>-</number:text><number:day number:style="long"/></number:date-style>
<number:number-style style:name="M"><number:number number:decimal-places="2" number:min-decimal-places="2"
 number:min-integer-digits="1" number:grouping="true"/></number:number-style>
<number:percentage-style style:name="P"><number:number number:decimal-places="0" number:min-decimal-places="0"
 number:min-integer-digits="1"/><number:text>%</number:text></number:percentage-style>
<number:text-style style:name="T"><number:text-content/></number:text-style>
<style:style style:name="date" style:family="table-cell" style:data-style-name="D"/>
<style:style style:name="money" style:family="table-cell" style:data-style-name="M"/>
<style:style style:name="percent" style:family="table-cell" style:data-style-name="P"/>
<style:style style:name="text" style:family="table-cell" style:data-style-name="T"/>
<number:boolean-style style:name="B"><number:boolean/></number:boolean-style>
<style:style style:name="boolean" style:family="table-cell" style:data-style-name="B"/>
<style:style style:name="bold" style:family="table-cell"><style:text-properties fo:font-weight="bold"/></style:style>
"""
_SPACES = {
    name: address
    for address, name in PREFIXES.items()
    if name in ("office", "table", "text", "style", "number", "fo", "svg", "xlink", "calcext")
}
_CODES = {"date": "yyyy-mm-dd", "money": "#,##0.00", "percent": "0%", "text": "@"}


def ods(sheets: Sequence[SheetSpec]) -> bytes:
    """Return an OpenDocument spreadsheet."""
    # The prefix of formulas counts only when it is declared, though no element uses it.
    spaces = {**_SPACES, "of": f"{OASIS}:of:1.2"}
    declared = " ".join(f'xmlns:{name}="{address}"' for name, address in spaces.items())
    widths = sorted({width for sheet in sheets for width in sheet.widths})
    columns = "".join(
        f'<style:style style:name="w{width:g}" style:family="table-column">'
        f'<style:table-column-properties style:column-width="{width:g}mm"/></style:style>'
        for width in widths
    )
    tables = "".join(_table(sheet) for sheet in sheets)
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<office:document-content {declared} office:version="1.2">'
        f"<office:automatic-styles>{_STYLES}{columns}</office:automatic-styles>"
        f"<office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body></office:document-content>\n"
    )
    return pack({"mimetype": _MIME, "content.xml": content, "META-INF/manifest.xml": _MANIFEST})


def xlsx(sheets: Sequence[SheetSpec]) -> bytes:
    """Return an OOXML workbook."""
    openpyxl = library()
    book = openpyxl.Workbook()
    book.remove(book.active)
    for spec in sheets:
        sheet = book.create_sheet(spec.name)
        for row, column, held in _cells(spec):
            cell = sheet.cell(row + 1, column + 1)
            kind = spec.kind(row, column_name(column))
            cell.value = datetime.date.fromisoformat(held) if kind == "date" and isinstance(held, str) else held
            cell.number_format = _CODES[kind] if kind else "General"
            if spec.bold_header and row == 0:
                # One without a name becomes another one as soon as LibreOffice saves it.
                cell.font = openpyxl.styles.Font(name="Calibri", size=11, bold=True)
        for column, width in enumerate(spec.widths):
            sheet.column_dimensions[column_name(column)].width = round((width / 25.4 * 96 - 5) / 7, 2)
    buffer = io.BytesIO()
    book.save(buffer)
    return _timeless(buffer.getvalue())


def separated_values(sheet: SheetSpec, separator: str = ",") -> bytes:
    """Return separated values."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, delimiter=separator, lineterminator="\n")
    writer.writerows(["" if held is None else held for held in row] for row in sheet.rows)
    return buffer.getvalue().encode()


def _table(sheet: SheetSpec) -> str:
    columns = "".join(f'<table:table-column table:style-name="w{width:g}"/>' for width in sheet.widths)
    rows = []
    for number, row in enumerate(sheet.rows):
        cells = "".join(_cell(sheet, number, column, held) for column, held in enumerate(row))
        rows.append(f"<table:table-row>{cells or '<table:table-cell/>'}</table:table-row>")
    columns = columns or "<table:table-column/>"
    return f"<table:table table:name={quoteattr(sheet.name)}>{columns}{''.join(rows)}</table:table>"


def _cell(sheet: SheetSpec, row: int, column: int, held: Held) -> str:
    kind: str | None = "bold" if sheet.bold_header and row == 0 else sheet.kind(row, column_name(column))
    kind = kind or ("boolean" if isinstance(held, bool) else None)
    style = f' table:style-name="{kind}"' if kind else ""
    if held is None:
        return f"<table:table-cell{style}/>"
    if isinstance(held, bool):
        value = f'office:value-type="boolean" office:boolean-value="{str(held).lower()}"'
    elif isinstance(held, int | float):
        typed = "percentage" if kind == "percent" else "float"
        return f'<table:table-cell{style} office:value-type="{typed}" office:value="{held!r}"/>'
    elif held.startswith("="):
        return f"<table:table-cell{style} table:formula={quoteattr(_open_formula(held))}/>"
    elif kind == "date":
        value = f'office:value-type="date" office:date-value="{datetime.date.fromisoformat(held).isoformat()}"'
    else:
        value = 'office:value-type="string"'
        return f"<table:table-cell{style} {value}>{_paragraphs(held)}</table:table-cell>"
    return f"<table:table-cell{style} {value}/>"


def _paragraphs(text: str) -> str:
    # Readers collapse blanks unless they are written as elements.
    lines = (re.sub(r"^ | (?= )", "<text:s/>", escape(line)) for line in text.split("\n"))
    return "".join(f"<text:p>{line}</text:p>" for line in lines)


def _open_formula(formula: str) -> str:
    # Enough for the plain formulas that tasks begin with.
    pieces = re.split(r'("[^"]*")', formula)
    for place in range(0, len(pieces), 2):
        piece = re.sub(
            r"(?<![\w.'!])(?:('[^']+'|\w+)!)?(\$?[A-Z]{1,3}\$?[0-9]+)(?::(\$?[A-Z]{1,3}\$?[0-9]+))?(?![\w(])",
            lambda found: f"[{'$' + found[1] if found[1] else ''}.{found[2]}{':.' + found[3] if found[3] else ''}]",
            pieces[place],
        )
        pieces[place] = piece.replace(",", ";")
    written = "of:" + "".join(pieces)
    assert len(list(references(written))) == len(list(references(formula))), "no reference got lost"
    return written


def _cells(sheet: SheetSpec) -> Iterator[tuple[int, int, Any]]:
    for row, fields in enumerate(sheet.rows):
        for column, held in enumerate(fields):
            if held is not None:
                yield row, column, held


def _timeless(data: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    core = files["docProps/core.xml"]
    files["docProps/core.xml"] = re.sub(rb"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", rb"2026-03-02T08:00:00Z", core)
    return pack(files)
