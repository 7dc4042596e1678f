"""Structured text: JSON, settings files, XML and comma-separated values."""

from __future__ import annotations

import configparser
from csv import Error as CsvError
from csv import reader as csv_reader
from json import loads
from xml.etree.ElementTree import Element

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.data.parse_comments import without_comments
from proctor.vocabulary.formats.guarded_xml import parse_xml
from proctor.vocabulary.formats.text.parse import decode, manner

FIRST, NO_SECTION = "\x01", "\x02"
"""Names that no section has: for the lines before the first one, and for defaults, which settings files do not know."""


def json_data(data: bytes, path: str, comments: bool = False) -> dict[str, object]:
    """Return the data of a JSON file, which may hold `comments` and stray commas."""
    text = decode(data, path)
    text = without_comments(text) if comments else text
    try:
        held = loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise CannotSee("unreadable", f"{path} is not valid JSON: {first_line(error)}") from error
    return {"path": path, "data": held}


def ini_sections(data: bytes, path: str) -> dict[str, object]:
    """Return the sections of a settings file with their keys."""
    parser = configparser.RawConfigParser(
        strict=False, delimiters=("=",), allow_no_value=True, default_section=NO_SECTION
    )
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # keys keep their case
    try:
        parser.read_string(f"[{FIRST}]\n{decode(data, path)}", source=path)
    except (configparser.Error, AttributeError) as error:
        # A line that goes on what has no value makes the library stumble.
        raise CannotSee("unreadable", f"{path} is not a settings file: {first_line(error)}") from error
    sections = {name: dict(parser.items(name)) for name in parser.sections()}
    loose = sections.pop(FIRST)
    return {"path": path, "sections": {"": loose, **sections} if loose else sections}


def xml_elements(data: bytes, path: str) -> dict[str, object]:
    """Return the elements of an XML file."""
    return {"path": path, "root": _element(parse_xml(data, path))}


def csv_rows(data: bytes, path: str, delimiter: str) -> dict[str, object]:
    """Return the rows of a file of separated values."""
    text = decode(data, path)
    try:
        rows = [row for row in csv_reader(text.splitlines(keepends=True), delimiter=delimiter) if row]
    except CsvError as error:
        raise CannotSee("unreadable", f"{path} does not hold comma-separated values: {first_line(error)}") from error
    return {"path": path, "rows": rows, **manner(data)}


def first_line(error: Exception) -> str:
    """Return what a library says about a broken file, on one line."""
    return str(error).partition("\n")[0]


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is not a JSON number")


def _element(element: Element) -> dict[str, object]:
    return {
        "tag": _local(element.tag),
        "attributes": {_local(name): value for name, value in element.attrib.items()},
        "text": (element.text or "").strip(),
        "children": [_element(child) for child in element],
    }


def _local(name: str) -> str:
    return name.rpartition("}")[2]
