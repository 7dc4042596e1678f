"""Probes that look into spreadsheets: OpenDocument, OOXML and separated values in one plain shape."""

from __future__ import annotations

from typing import Any

from proctor.formats.spreadsheets.reading import read_spreadsheet
from proctor.tasks.reader.client import parsed
from proctor.tasks.scene import Scene
from proctor.tasks.shelves import PROBES


@PROBES.register
def spreadsheet(scene: Scene, path: str) -> dict[str, Any]:
    """The sheets of a spreadsheet with their cells, looks, charts, filters and frozen panes."""
    return parsed(path, read_spreadsheet, scene.read(path), path)


@PROBES.register
def spreadsheet_before(scene: Scene, path: str) -> dict[str, Any]:
    """A spreadsheet as it was when the task began."""
    return parsed(path, read_spreadsheet, scene.before(path), path)
