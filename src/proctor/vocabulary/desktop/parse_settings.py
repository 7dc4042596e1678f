"""Settings of the desktop in the files that hold them: dconf, GSettings' schemas, XFCE."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.desktop.parse_gvariant import Variant, read_table
from proctor.vocabulary.formats.guarded_xml import parse_xml


def dconf_value(database: bytes, key: str) -> str:
    """Return the value of a key in GVariant's text form; empty where it was never set."""
    found = read_table(database).get(key) if database else None
    return str(found) if isinstance(found, Variant) else ""


def gsettings_value(schemas: bytes, database: bytes, schema: str, key: str, desktop: str) -> str:
    """Return the value of a key of a schema in text form, its default where it was never set."""
    tables = read_table(schemas)
    place = tables.get(schema)
    held = read_table(schemas, place) if isinstance(place, tuple) else {}
    path, known = held.get(".path"), held.get(key)
    if not isinstance(known, Variant) or known.kind.letter != "(" or not isinstance(path, Variant):
        raise CannotSee("unreadable", f"there is no setting {schema} {key}")
    default, *more = known.value
    found = read_table(database).get(f"{path.value}{key}") if database else None
    # What was set to another type counts for nothing, as it does for programs.
    if isinstance(found, Variant) and found.kind.text == default.kind.text:
        return str(found)
    return str(_for_desktop(more, desktop) or default)


def _for_desktop(more: list[Variant], desktop: str) -> Variant | None:
    """Return the default that holds on one desktop only, where there is such."""
    for each in more:
        if each.kind.letter == "(" and len(each.value) == 2 and each.value[0].value == ord("d"):
            for name, value in (entry.value for entry in each.value[1].value):
                if name.value == desktop and isinstance(value.value, Variant):
                    return value.value
    return None


def xfconf_values(data: bytes, path: str) -> dict[str, str]:
    """Return the properties of a channel that have one value each, from the file XFCE keeps of it."""
    held = _values_of("", parse_xml(data, path))
    return {name: value for name, value in held if isinstance(value, str)}


def xfconf_lists(data: bytes, path: str) -> dict[str, str | list[str]]:
    """Return every property of a channel that has a value, or a list of them."""
    return dict(_values_of("", parse_xml(data, path)))


def xfconf_value(data: bytes, path: str, property: str) -> str | list[str] | None:
    """Return the value of one property of a channel; None where it has none."""
    return xfconf_lists(data, path).get(property)


def _values_of(above: str, element: Element) -> Iterator[tuple[str, str | list[str]]]:
    for each in element.findall("property"):
        name = f"{above}/{each.get('name', '')}"
        value = each.get("value")
        if each.get("type") == "array":
            yield name, [_plain(item) for item in each.findall("value")]
        elif value is not None:
            yield name, _plain(each)
        yield from _values_of(name, each)


def _plain(element: Element) -> str:
    value = element.get("value", "").strip()
    if element.get("type") != "double":
        return value
    try:
        return f"{float(value):f}"
    except ValueError:
        return value
