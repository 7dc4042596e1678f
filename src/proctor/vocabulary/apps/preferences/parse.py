"""Files of settings as plain data: every setting by its name, whatever program wrote them."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator
from json import loads
from typing import Any

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.apps.firefox.parse import firefox_settings
from proctor.vocabulary.desktop.parse_gvariant import Variant, read_table
from proctor.vocabulary.desktop.parse_settings import xfconf_lists
from proctor.vocabulary.formats.guarded_xml import parse_xml

Settings = dict[str, Any]

MOST_SETTINGS = 20_000
MOST_TEXT = 4_000
"""Characters of one setting that are kept."""
MOST_DEPTH = 40
REGISTRY = {"http://openoffice.org/2001/registry": "oor"}
_HEADING = re.compile(r"\[([^\]]*)\]\s*(?:[#;].*)?")
"""The name of a section; VLC says behind it what it is about."""


def read_store(form: str, data: bytes, path: str) -> Settings:
    """Return every setting in a file of a form; raises CannotSee where it is broken or too large."""
    read = _READERS.get(form)
    if read is None:
        raise CannotSee("unreadable", f"{path} is written in no form that is known: {form}")
    try:
        found = read(data, path)
    except (ValueError, RecursionError, struct.error) as error:
        raise CannotSee("unreadable", f"{path} is no file of settings: {error}") from error
    if len(found) > MOST_SETTINGS:
        raise CannotSee("refused", f"{path} holds more than the {MOST_SETTINGS:,} settings that are looked at")
    return {name: _cut(value) for name, value in found.items()}


def set_otherwise(schemas: bytes, settings: dict[str, str]) -> dict[str, str]:
    """Return the settings of dconf that have another value than the one they have by themselves."""
    usual = _usual_values(schemas, {name.rpartition("/")[0] + "/" for name in settings})
    return {name: value for name, value in settings.items() if usual.get(name) != value}


def _cut(value: object) -> object:
    return value[:MOST_TEXT] if isinstance(value, str) else value


def _usual_values(schemas: bytes, paths: set[str]) -> dict[str, str]:
    tables = read_table(schemas)
    found: dict[str, str] = {}
    for place in tables.values():
        held = read_table(schemas, place) if isinstance(place, tuple) else {}
        above = held.get(".path")
        if isinstance(above, Variant) and above.value in paths:
            for key, known in held.items():
                if isinstance(known, Variant) and known.kind.letter == "(" and known.value:
                    found[f"{above.value}{key}"] = str(known.value[0])
    return found


def _ini(data: bytes, _path: str) -> Settings:
    """Return `section/key` of a file of lines; a section or key that comes again is numbered."""
    found: Settings = {}
    counts: dict[str, int] = {}
    section = ""
    for line in data.decode("utf-8-sig", "replace").splitlines():
        bare = line.strip()
        if not bare or bare[0] in "#;":
            continue
        if heading := _HEADING.fullmatch(bare):
            section = _count_up(heading[1], counts)
            continue
        key, told, value = bare.partition("=")
        name = f"{section}/{key.strip()}" if section else key.strip()
        found[_count_up(name, counts)] = value.strip() if told else True
    return found


def _count_up(name: str, counts: dict[str, int]) -> str:
    counts[name] = counts.get(name, 0) + 1
    return name if counts[name] == 1 else f"{name} ({counts[name]})"


def _prefs(data: bytes, _path: str) -> Settings:
    return firefox_settings(data.decode(errors="replace"))


def _json(data: bytes, _path: str) -> Settings:
    return dict(_flat(loads(data), "", 0)) if data.strip() else {}


def _flat(value: object, name: str, depth: int) -> Iterator[tuple[str, object]]:
    if depth > MOST_DEPTH:
        raise ValueError("it is nested too deeply")
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _flat(item, f"{name}.{key}" if name else str(key), depth + 1)
    elif value != []:  # what holds nothing is as good as not there
        yield name, value


def _registry(data: bytes, path: str) -> Settings:
    """Return what LibreOffice keeps: the path of a setting, and its value."""
    found: Settings = {}
    for item in parse_xml(data, path, prefixes=REGISTRY).iter("item"):
        for part in item:
            name = f"{item.get('oor:path', '')}/{part.get('oor:name', '')}"
            found[name] = "".join(part.itertext()) if part.get("oor:op") != "remove" else None
    return found


def _xfconf(data: bytes, path: str) -> Settings:
    return dict(xfconf_lists(data, path))


def _dconf(data: bytes, _path: str) -> Settings:
    table = read_table(data) if data else {}
    return {name: str(value) for name, value in table.items() if isinstance(value, Variant)}


def _text(data: bytes, _path: str) -> Settings:
    text = re.sub(r"\r\n?", "\n", data.decode(errors="replace"))
    return {"text": text} if text.strip() else {}


_READERS: dict[str, Callable[[bytes, str], Settings]] = {
    "ini": _ini, "prefs": _prefs, "json": _json, "xcu": _registry, "xfconf": _xfconf, "dconf": _dconf, "text": _text,
}  # fmt: skip
