"""Probes that read structured text: JSON, settings files, XML and comma-separated values."""

from __future__ import annotations

from typing import Any

from proctor.formats.data.reading import csv_rows, ini_sections, json_data, xml_elements
from proctor.tasks.reader.client import parsed
from proctor.tasks.scene import MOST_TEXT, Scene
from proctor.tasks.shelves import PROBES


@PROBES.register
def json(scene: Scene, path: str) -> dict[str, Any]:
    """The data of a JSON file."""
    return parsed(path, json_data, scene.read(path, most=MOST_TEXT), path)


@PROBES.register
def ini(scene: Scene, path: str) -> dict[str, Any]:
    """The sections of a settings file with their keys; keys before the first section stand in the section ``."""
    return parsed(path, ini_sections, scene.read(path, most=MOST_TEXT), path)


@PROBES.register
def xml(scene: Scene, path: str) -> dict[str, Any]:
    """The elements of an XML file: tag without its namespace, attributes, text, children."""
    return parsed(path, xml_elements, scene.read(path, most=MOST_TEXT), path)


@PROBES.register
def csv(scene: Scene, path: str, delimiter: str = ",") -> dict[str, Any]:
    """The rows of a file of comma-separated values; empty rows are left out."""
    return parsed(path, csv_rows, scene.read(path, most=MOST_TEXT), path, delimiter)
