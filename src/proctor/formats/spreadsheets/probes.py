"""Probes that look into spreadsheets: OpenDocument, OOXML and separated values in one plain shape."""

from __future__ import annotations

from typing import Any

from proctor.formats.spreadsheets.reading import read_spreadsheet
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES


@PROBES.register
def spreadsheet(context: ProbeContext, path: str) -> dict[str, Any]:
    """The sheets of a spreadsheet with their cells, looks, charts, filters and frozen panes."""
    return parsed(path, read_spreadsheet, context.read(path), path)


@PROBES.register
def spreadsheet_before(context: ProbeContext, path: str) -> dict[str, Any]:
    """A spreadsheet as it was when the task began."""
    return parsed(path, read_spreadsheet, context.before(path), path)
