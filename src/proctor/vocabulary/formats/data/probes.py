"""Probes that read structured text: JSON, settings files, XML and comma-separated values."""

from __future__ import annotations

from typing import Any

from proctor.tasks.probe_context import MOST_TEXT, ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.formats.data.parse import csv_rows, ini_sections, json_data, xml_elements
from proctor.vocabulary.formats.data.parse_yaml import yaml_data
from proctor.vocabulary.formats.text.parse import unseen_manner


@PROBES.register_with(json_data, whole="file")
def json(context: ProbeContext, path: str, comments: bool = False) -> dict[str, Any]:
    """The data of a JSON file; with `comments`, it may have comments and stray commas."""
    return parsed(path, json_data, context.read(path, most=MOST_TEXT), path, comments)


@PROBES.register_with(yaml_data)
def yaml(context: ProbeContext, path: str) -> dict[str, object]:
    """The data of a YAML file, as `json` returns it; dates are texts."""
    return parsed(path, yaml_data, context.read(path, most=MOST_TEXT), path)


@PROBES.register_with(ini_sections, whole="file")
def ini(context: ProbeContext, path: str) -> dict[str, object]:
    """The sections of a settings file with their keys; those before the first are in section ``."""
    return parsed(path, ini_sections, context.read(path, most=MOST_TEXT), path)


@PROBES.register_with(xml_elements, whole="file")
def xml(context: ProbeContext, path: str) -> dict[str, object]:
    """The elements of an XML file: tag without its namespace, attributes, text, children."""
    return parsed(path, xml_elements, context.read(path, most=MOST_TEXT), path)


@PROBES.register_with(csv_rows, whole="file", noise=unseen_manner)
def csv(context: ProbeContext, path: str, delimiter: str = ",") -> dict[str, object]:
    """The rows of a file of comma-separated values; empty rows are left out."""
    return parsed(path, csv_rows, context.read(path, most=MOST_TEXT), path, delimiter)
