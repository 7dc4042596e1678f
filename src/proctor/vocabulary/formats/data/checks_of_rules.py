"""Checks of structured data by rules for single values: of JSON, tables, settings."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from proctor.tasks.findings import Finding, right, unless, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.tasks.words import short
from proctor.vocabulary.formats.rules import ValueRule

_PREF = re.compile(r'^\s*user_pref\(\s*"((?:[^"\\]|\\.)*)"\s*,\s*(.*)\)\s*;\s*$', re.MULTILINE)


class KeyRule(BaseModel):
    """What stands under a key, or a key of that, must be like."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: Annotated[list[str | int], Field(min_length=1)]
    method: str
    ref: JsonValue

    @property
    def rule(self) -> ValueRule:
        """The rule without its key."""
        return ValueRule(method=self.method, ref=self.ref)


@CHECKS.register
def json_includes(of: Seen, entries: dict[str, JsonValue]) -> Finding:
    """The object in a JSON file has these entries, whatever else it and the objects in it have."""
    held = of["data"]
    if not isinstance(held, dict):
        return wrong(f"{of['path']} holds no object.")
    return unless(
        f"{of['path']} has {short(repr(held.get(key)))} for {key!r}, expected {short(repr(value))}."
        for key, value in entries.items()
        if key not in held or not _holds(held[key], value)
    )


@CHECKS.register
def json_covers(of: Seen, other: Seen) -> Finding:
    """The object in a JSON file has all entries of another file's object, whatever else it has."""
    if not isinstance(other["data"], dict) or not other["data"]:
        return wrong(f"{other['path']} holds nothing to compare with.")
    return json_includes(of, other["data"])


@CHECKS.register
def json_lists(of: Seen, item: JsonValue) -> Finding:
    """The list in a JSON file has this item."""
    found = isinstance(of["data"], list) and item in of["data"]
    return right() if found else wrong(f"{of['path']} does not list {short(repr(item))}.")


@CHECKS.register
def json_agrees(of: Seen, expect: list[KeyRule] | None = None, unexpect: list[KeyRule] | None = None) -> Finding:
    """The values under some keys satisfy rules, and those under others do not."""
    return unless([*_breaches(of, expect or [], wanted=True), *_breaches(of, unexpect or [], wanted=False)])


@CHECKS.register
def rows_agree(
    of: Seen, expect: list[dict[str, str]] | None = None, unexpect: list[dict[str, str]] | None = None
) -> Finding:
    """A table with a header has a row with these entries each, and none with those."""
    head, *rows = of["rows"] or [[]]
    held = [dict(zip(head, row, strict=False)) for row in rows]

    def is_there(entry: dict[str, str]) -> bool:
        return any(all(row.get(key) == value for key, value in entry.items()) for row in held)

    missing = [f"{of['path']} has no row with {short(str(each))}." for each in expect or () if not is_there(each)]
    return unless(
        missing + [f"{of['path']} still has {short(str(each))}." for each in unexpect or () if is_there(each)]
    )


@CHECKS.register
def same_sections(of: Seen, other: Seen) -> Finding:
    """A settings file has the sections of another with the same keys and values, in any order."""
    names = sorted({*of["sections"], *other["sections"]})
    return unless(
        f"Section {name!r} of {of['path']} is not as it should be."
        for name in names
        if of["sections"].get(name) != other["sections"].get(name)
    )


@CHECKS.register
def prefs_agree(
    of: Seen, expect: dict[str, ValueRule] | None = None, unexpect: dict[str, ValueRule] | None = None
) -> Finding:
    """The settings in a Mozilla `prefs.js` satisfy rules, and others do not."""
    held = {name: _pref(value) for name, value in _PREF.findall(of["text"])}
    missing = [
        f"The setting {name} in {of['path']} is {short(str(held.get(name, 'not set')))}, which is not right."
        for name, rule in (expect or {}).items()
        if name not in held or not rule.holds(held[name])
    ]
    return unless(
        missing
        + [
            f"The setting {name} in {of['path']} is still {short(str(held[name]))}."
            for name, rule in (unexpect or {}).items()
            if name in held and rule.holds(held[name])
        ]
    )


def _breaches(of: Any, rules: list[KeyRule], *, wanted: bool) -> Iterator[str]:
    for each in rules:
        value: Any = of["data"]
        for key in each.key:
            try:
                value = value[key]
            except (KeyError, IndexError, TypeError):
                value = None
                break
        if each.rule.holds(value) != wanted:
            yield f"{of['path']} has {short(repr(value))} under {' / '.join(map(str, each.key))}, which is not right."


def _pref(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return text.strip('"')


def _holds(held: object, wanted: object) -> bool:
    if isinstance(held, dict) and isinstance(wanted, dict):
        return all(key in held and _holds(held[key], value) for key, value in wanted.items())
    # 1 is not true, though Python says so.
    return held == wanted and isinstance(held, bool) == isinstance(wanted, bool)
