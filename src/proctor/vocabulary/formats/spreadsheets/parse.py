"""Spreadsheets: OpenDocument, OOXML and separated values in one plain shape."""

from __future__ import annotations

from contextlib import suppress
from pathlib import PurePosixPath

from proctor.errors import MissingExtra, ProctorError
from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.guard import open_zip
from proctor.vocabulary.formats.office.parse_odf import flat_parts, odf_parts
from proctor.vocabulary.formats.spreadsheets import parse_ods as opendocument
from proctor.vocabulary.formats.spreadsheets import parse_separated as separated
from proctor.vocabulary.formats.spreadsheets import parse_xlsx as workbook


def preload() -> None:
    """Load the library for workbooks where it is installed."""
    with suppress(MissingExtra):
        workbook.preload()


def read_spreadsheet(data: bytes, path: str) -> dict[str, object]:
    """Return a spreadsheet as plain data; its content, not its name, tells the format.

    Each sheet has `name`, `hidden`, `cells` by address (those that hold something, or show a ground or lines),
    `merged`, `hidden_rows`, `hidden_columns`, `widths` in millimetres, `frozen` rows and columns, `filters`, `charts`,
    and what else there is: comments, pictures, shapes, validations, conditions, heights, protection, page. Each cell
    has `kind` (number, percentage, currency, date, time, boolean, text, error), `value` (dates as ISO texts), `formula`
    as people write it, `shown` where it shows something else than its value, and what its style sets: `bold`, `italic`,
    `underline`, `strike`, `font`, `size`, `colour`, `fill`, `border`, `align`, `format` and the like.

    Raises:
        CannotSee: It is broken, no spreadsheet, or larger than it seems.
    """
    if not data.strip():
        raise CannotSee("unreadable", f"{path} is empty")
    try:
        if (flat := flat_parts(data, path)) is not None:
            return {"path": path, "format": "flat-ods", **opendocument.read(flat, path)}
        if not data.startswith(b"PK"):
            return {"path": path, "format": "csv", **_read_separated(data, path)}
        archive = open_zip(data, path)
        if "xl/workbook.xml" in archive.namelist():
            return {"path": path, "format": "xlsx", **workbook.read(archive, data, path)}
        return {"path": path, "format": "ods", **opendocument.read(odf_parts(archive, path), path)}
    except (CannotSee, ProctorError):
        raise
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
        # Figures where there must be numbers, ranges that are none, groups nested without end: all the file's doing.
        raise CannotSee("unreadable", f"{path} is broken: {type(error).__name__}: {error}") from error


def _read_separated(data: bytes, path: str) -> dict[str, object]:
    if b"\0" in data[:8192] and not data.startswith(separated.WIDE):
        raise CannotSee("unreadable", f"{path} is not a spreadsheet: it holds binary data")
    return separated.read(data, path, PurePosixPath(path).stem)
