"""Settings of the desktop in the files that hold them: dconf, GSettings' schemas, XFCE."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from proctor.tasks.findings import CannotSee, Fault, PlainData
from proctor.vocabulary.desktop.parse import gvariant
from proctor.vocabulary.desktop.parse_gvariant import Variant, read_table
from proctor.vocabulary.formats.guarded_xml import parse_xml

DATABASE = ".config/dconf/user"


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


def gsettings_place(schemas: bytes, schema: str) -> str:
    """Return where the keys of a schema stand in dconf's database."""
    place = read_table(schemas).get(schema)
    path = read_table(schemas, place).get(".path") if isinstance(place, tuple) else None
    if not isinstance(path, Variant):
        raise CannotSee("unreadable", f"there is no setting {schema}")
    return str(path.value)


def xfconf_lists(data: bytes, path: str) -> dict[str, str | list[str]]:
    """Return every property of a channel that has a value, or a list of them."""
    return dict(_values_of("", parse_xml(data, path)))


def xfconf_value(data: bytes, path: str, property: str) -> str | list[str] | None:
    """Return the value of one property of a channel; None where it has none."""
    return xfconf_lists(data, path).get(property)


def settings_in(model: PlainData, file: str) -> PlainData:
    """Return what is set in a file, by name, of what `application_settings` shows."""
    every = [*model["settings"], *model["noise"]]
    return {item["name"]: item["value"] for item in every if item["file"].endswith(file)}


def follow_dconf(_seen: PlainData, arguments: PlainData, model: PlainData) -> PlainData:
    """Return what `dconf` would show where this is set."""
    return _text_sight(settings_in(model, DATABASE).get(arguments["key"]), arguments["key"])


def follow_gsetting(seen: PlainData, arguments: PlainData, model: PlainData) -> PlainData:
    """Return what `gsetting` would show where this is set."""
    name = f"{arguments['schema']} {arguments['key']}"
    if "at" not in seen:
        return seen  # it was kept by an earlier version, or is a fault
    told = _text_sight(settings_in(model, DATABASE).get(seen["at"]), name)
    return {**told, "at": seen["at"]} if "value" in told else told


def follow_xfconf(_seen: PlainData, arguments: PlainData, model: PlainData) -> PlainData:
    """Return what `xfconf` would show where this is set."""
    channel, name = arguments["channel"], arguments["property"]
    value = settings_in(model, f"/{channel}.xml").get(name)
    return _sight(f"{channel} {name}", value)


def _text_sight(value: object, name: str) -> PlainData:
    return _sight(name, gvariant(value) if isinstance(value, str) else None)


def _sight(name: str, value: object) -> PlainData:
    if value is None:
        return Fault("absent", f"the setting {name} has no value").to_json()
    return {"path": f"The setting {name}", "value": value}


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
