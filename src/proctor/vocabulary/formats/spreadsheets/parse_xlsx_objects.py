"""What an OOXML workbook has besides cells: comments, rules, pictures, protection, names."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

from proctor.vocabulary.formats.spreadsheets.parse_xlsx_looks import colour_of
from proctor.vocabulary.formats.visible import NARROW_MM, Look

USUAL = {"header": "&A", "footer": "Page &P"}
"""What LibreOffice puts at the edges of every sheet."""


def book_besides(book: Any) -> Look:
    """Return what is said of a whole workbook."""
    told = book.properties
    about = {"title": told.title, "subject": told.subject, "keywords": told.keywords, "description": told.description}
    found = {
        "names": [{"name": name, "refers_to": str(each.value)} for name, each in sorted(book.defined_names.items())],
        "protected": bool(book.security and book.security.lockStructure),
        "properties": {key: value for key, value in about.items() if value},
    }
    return {key: value for key, value in found.items() if value}


def besides(sheet: Any) -> Look:
    """Return what lies upon the cells of a sheet, and how it is protected and printed."""
    page: Look = {}
    if sheet.page_setup.orientation == "landscape":
        page["orientation"] = "landscape"
    for part in ("header", "footer"):
        held = getattr(sheet, f"odd{part.title()}", None)
        said = " ".join(
            piece.text for side in ("left", "center", "right") if (piece := getattr(held, side)) and piece.text
        )
        if said and said != USUAL[part]:
            page[part] = said
    return {
        "colour": colour_of(sheet.sheet_properties.tabColor),
        "protected": bool(sheet.protection.sheet),
        "heights": {
            str(row): round(size.height * 25.4 / 72, 1)
            for row, size in sheet.row_dimensions.items()
            # Programs write the height of every row, and openpyxl does not tell which of them somebody set.
            if size.height is not None and size.height * 25.4 / 72 < NARROW_MM
        },
        "comments": list(_comments(sheet)),
        "pictures": list(_pictures(sheet)),
        "validations": [
            {
                "name": str(rule.sqref),
                "condition": _condition(rule),
                "error": rule.error or "",
                "help": rule.prompt or "",
            }
            for rule in sheet.data_validations.dataValidation
        ],
        "conditions": [
            {
                "name": str(area.sqref),
                "rules": [{"kind": rule.type, "value": list(rule.formula)} for rule in area.rules],
            }
            for area in sheet.conditional_formatting
        ],
        "print_ranges": str(sheet.print_area or ""),
        "names": [
            {"name": name, "refers_to": str(each.value)}
            for name, each in sorted(sheet.defined_names.items())
            if not name.startswith("_xlnm")
        ],
        "page": page,
    }


def _condition(rule: Any) -> str:
    return " ".join(str(each) for each in (rule.type, rule.operator, rule.formula1, rule.formula2) if each)


def _comments(sheet: Any) -> Iterator[Look]:
    for _, cell in sorted(sheet._cells.items()):
        if cell.comment is not None:
            yield {"name": cell.coordinate, "text": cell.comment.text or "", "author": cell.comment.author or ""}


def _pictures(sheet: Any) -> Iterator[Look]:
    for number, image in enumerate(sheet._images, 1):
        held = image.ref.getvalue() if hasattr(image.ref, "getvalue") else b""
        yield {"name": f"Image {number}", "sha256": hashlib.sha256(held).hexdigest()}
