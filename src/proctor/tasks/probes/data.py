"""Probes that read structured text: JSON, settings files, XML and comma-separated values."""

from __future__ import annotations

import configparser
from csv import Error as CsvError
from csv import reader as csv_reader
from json import loads
from typing import Any
from xml.etree.ElementTree import Element

from proctor.tasks.finding import CannotSee
from proctor.tasks.guard import parse_xml
from proctor.tasks.probes.files import decoded
from proctor.tasks.scene import Scene
from proctor.tasks.shelves import PROBES

FIRST, NO_SECTION = "\x01", "\x02"
"""Names that no section has: for the lines before the first one, and for defaults, which settings files do not know."""


@PROBES.register
def json(scene: Scene, path: str) -> dict[str, Any]:
    """The data of a JSON file."""
    text = decoded(scene.read(path), path)
    try:
        data = loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise CannotSee("unreadable", f"{path} is not valid JSON: {first_line(error)}") from error
    return {"path": path, "data": data}


@PROBES.register
def ini(scene: Scene, path: str) -> dict[str, Any]:
    """The sections of a settings file with their keys; keys before the first section stand in the section ``."""
    parser = configparser.RawConfigParser(
        strict=False, delimiters=("=",), allow_no_value=True, default_section=NO_SECTION
    )
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # keys keep their case
    text = decoded(scene.read(path), path)
    try:
        parser.read_string(f"[{FIRST}]\n{text}", source=path)
    except configparser.Error as error:
        raise CannotSee("unreadable", f"{path} is not a settings file: {first_line(error)}") from error
    sections = {name: dict(parser.items(name)) for name in parser.sections()}
    loose = sections.pop(FIRST)
    return {"path": path, "sections": {"": loose, **sections} if loose else sections}


@PROBES.register
def xml(scene: Scene, path: str) -> dict[str, Any]:
    """The elements of an XML file: tag without its namespace, attributes, text, children."""
    return {"path": path, "root": _element(parse_xml(scene.read(path), path))}


@PROBES.register
def csv(scene: Scene, path: str, delimiter: str = ",") -> dict[str, Any]:
    """The rows of a file of comma-separated values; empty rows are left out."""
    text = decoded(scene.read(path), path)
    try:
        rows = [row for row in csv_reader(text.splitlines(keepends=True), delimiter=delimiter) if row]
    except CsvError as error:
        raise CannotSee("unreadable", f"{path} does not hold comma-separated values: {first_line(error)}") from error
    return {"path": path, "rows": rows}


def first_line(error: Exception) -> str:
    """Return what a library says about a broken file, on one line."""
    return str(error).partition("\n")[0]


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def _element(element: Element) -> dict[str, Any]:
    return {
        "tag": _local(element.tag),
        "attributes": {_local(name): value for name, value in element.attrib.items()},
        "text": (element.text or "").strip(),
        "children": [_element(child) for child in element],
    }


def _local(name: str) -> str:
    return name.rpartition("}")[2]
